"""A serial line, and a person's terminal beside it: pseudo-terminals that real tools open."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import threading
import time

HANG = 120                      # seconds; the machine may be busy
PIECE = 256                     # bytes that come at once


def _until(done, what):
    end = time.monotonic() + HANG
    while not done():
        assert time.monotonic() < end, "%s did not come" % what
        time.sleep(0.01)


class Line:
    """The adapter that a tool opens, such as /dev/ttyUSB0.  Nothing that a tool types back, or
    that its terminal driver echoes, has an effect."""

    def __init__(self):
        self.machine, self.adapter = pty.openpty()
        self.name = os.ttyname(self.adapter)
        os.fchmod(self.adapter, 0o666)
        os.set_blocking(self.machine, False)

    def _unread(self):
        return struct.unpack("i", fcntl.ioctl(self.adapter, termios.FIONREAD, bytes(4)))[0]

    def _passes_on(self, data):
        """How many of these bytes the line takes now."""
        if select.select([self.machine], [], [], 0)[0]:
            os.read(self.machine, 65536)
        try:
            return os.write(self.machine, data[:PIECE]) if self._unread() < PIECE else 0
        except BlockingIOError:
            return 0

    def say(self, data):
        """Says all of it; a real line would not wait for its reader."""
        def said():
            nonlocal data
            while count := self._passes_on(data):
                data = data[count:]
            return not data
        _until(said, "the reader of the line")

    def say_until(self, heard, data):
        """Says it again and again until a tool listens, as the firmware of a machine that
        boots does: a tool throws away what came before it has set up the line."""
        def listens():
            self.say(data)
            end = time.monotonic() + 0.1
            while not heard() and time.monotonic() < end:
                time.sleep(0.01)
            return heard()
        _until(listens, "a tool that listens")

    def unplug(self):
        os.close(self.adapter)
        os.close(self.machine)


class Terminal:
    """A terminal of 80 columns with a program in it."""

    def __init__(self, command, folder):
        self.screen, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.shown = bytearray()
        self.process = subprocess.Popen(
            ["setsid", "--ctty", "--wait", "bash", "-c", command], stdin=inside, stdout=inside,
            stderr=inside, cwd=folder,
            env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh",
                 "HOME": folder, "SCREENDIR": folder + "/screens"})
        os.close(inside)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        try:
            while more := os.read(self.screen, 65536):
                self.shown += more
        except OSError:             # nobody has it open any more
            pass

    def _ends(self, seconds):
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def leave(self, keys):
        """Types them, again where the program did not listen: one that asks whether to leave
        throws away what was typed before it asked."""
        end = time.monotonic() + HANG
        while keys and not self._ends(0) and time.monotonic() < end:
            for key in keys:
                os.write(self.screen, key.encode())
                if self._ends(0.2):
                    return
            self._ends(2)

    def end(self):
        try:
            self.process.wait(HANG)
        finally:
            self.process.kill()
            self.reader.join(HANG)
            os.close(self.screen)


def wait_for(heard, what):
    _until(heard, what)
