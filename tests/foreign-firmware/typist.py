"""A machine of QEMU whose console is its serial line: what it prints is waited for, and
answers are typed."""
import os
import select
import subprocess
import time

from claims import HANG, Wrong

KEY_SECONDS = 0.02              # between two keys: firmware loses those that come at once
SHOWN = 2500                    # of what was printed, in a message


class Machine:
    def __init__(self, words, folder, qemu=("qemu-system-x86_64", "-no-reboot")):
        self.path = os.path.join(folder, "console.txt")
        self.text, self.at = "", 0
        self.process = subprocess.Popen(
            [*qemu, "-display", "none", "-monitor", "none", "-nic", "none", "-serial", "stdio",
             *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        os.set_blocking(self.process.stdout.fileno(), False)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.kill()
        self.process.wait()
        with open(self.path, "w") as file:
            file.write(self.text)

    def read(self):
        select.select([self.process.stdout], [], [], 0.2)
        new = self.process.stdout.read()
        self.text += (new or b"").decode("latin-1").replace("\r", "")
        if new == b"" or self.process.poll() is not None:
            raise Wrong("the machine ended with status %s; it printed last:\n%s"
                        % (self.process.wait(), self.text[-SHOWN:]))

    def wait(self, wanted):
        """Until this was printed, after what was waited for before."""
        end = time.monotonic() + HANG
        while (found := self.text.find(wanted, self.at)) < 0:
            if time.monotonic() > end:
                raise Wrong("%s: %r was not printed within %d s; what came last:\n%s"
                            % (self.path, wanted, HANG, self.text[-SHOWN:]))
            self.read()
        self.at = found + len(wanted)

    def type(self, keys):
        for key in keys:
            self.process.stdin.write(key.encode("latin-1"))
            self.process.stdin.flush()
            time.sleep(KEY_SECONDS)
