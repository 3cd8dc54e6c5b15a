"""Snapshots of emulated machines whose firmware is about to look for a boot device.

The firmware takes four fifths of a short boot, and does the same each time.  A machine is
started once for each number of processors, with an empty stick that its firmware has not looked
at when the snapshot is taken; a boot that begins there reads its own stick.  The machine's CPU has
no branch-trace hardware, whose state the snapshot would hold, and so that of a boot may be any of
the emulator's.  QEMU's -kernel runs tests/snapshot/wait.c at that point.
"""
import fcntl
import hashlib
import json
import os
import shutil
import socket
import subprocess
import time

from claims import BUILD, HANG, Wrong
import qemu

FOLDER = os.path.join(BUILD, "snapshots")
WAITER = os.path.join(BUILD, "snapshot.EFI")
CPU = "qemu64"                  # every processor of the emulator has all of its features
READY = b"snapshot: ready"
STICK = 1 << 20                 # bytes; they are zeros
POLL = 0.05                     # seconds


def _devices(go):
    """The program, and the port at which it sees whether it may go on."""
    return ("-kernel", WAITER, "-chardev", "null,id=go",
            "-device", "isa-debugcon,chardev=go,iobase=0x4e9,readback=%d" % go)


class _Monitor:
    """QEMU's, which is asked in JSON."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(HANG)
        self.socket.connect(os.path.relpath(path))      # the name of a socket has to be short
        self.file = self.socket.makefile("rw")
        self.file.readline()                            # its greeting
        self.ask("qmp_capabilities")

    def ask(self, command, **arguments):
        self.file.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.file.flush()
        while True:
            answer = json.loads(self.file.readline())
            if "error" in answer:
                raise Wrong("QEMU's monitor: %s: %s" % (command, answer["error"]["desc"]))
            if "return" in answer:                      # and no event
                return answer["return"]


def _until(what, condition):
    end = time.monotonic() + HANG
    while not condition():
        if time.monotonic() > end:
            raise Wrong("%s: not within %d s" % (what, HANG))
        time.sleep(POLL)


def _holds(path, words):
    with open(path, "rb") as file:
        return words in file.read()


def _write(path, program, processors, devices):
    """Boots such a machine until it waits, and writes it to that file."""
    made = path + ".made"
    os.makedirs(made, exist_ok=True)
    stick, variables, serial, monitor = (os.path.join(made, name) for name in (
        "stick.img", "variables.fd", "serial.log", "monitor"))
    code, fresh = qemu.find_firmware()
    shutil.copyfile(fresh, variables)
    for name, size in (stick, STICK), (serial, 0):
        with open(name, "wb") as file:
            file.truncate(size)
    command = qemu.command(program, "tcg", CPU, (code, variables), stick, serial, (
        *_devices(0), *devices, "-qmp", "unix:%s,server=on,wait=off" % os.path.relpath(monitor)),
        processors=processors)
    machine = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        _until("%s: %s" % (serial, READY), lambda: machine.poll() is not None or
               _holds(serial, READY))
        asked = _Monitor(monitor)
        asked.ask("migrate-set-parameters", **{"max-bandwidth": 1 << 40})
        asked.ask("migrate", uri="file:" + made + "/state")
        _until(path, lambda: asked.ask("query-migrate").get("status") in ("completed", "failed"))
        if asked.ask("query-migrate")["status"] != "completed":
            raise Wrong("%s: QEMU could not write it" % path)
    finally:
        machine.kill()
        machine.wait()
    os.rename(made + "/state", path)
    shutil.rmtree(made)


def words(program, processors=1, devices=()):
    """Returns the words to add to QEMU's command line for a boot that begins at the snapshot.  It
    is written if there is none of this program, firmware, number of processors and devices,
    whose words the command line must already have."""
    files = [(path, os.stat(path).st_mtime_ns) for path in (
        os.path.realpath(program), WAITER, *qemu.find_firmware())]
    key = hashlib.sha256(repr((files, devices)).encode()).hexdigest()[:12]
    path = os.path.join(FOLDER, "%d-%s" % (processors, key))
    os.makedirs(FOLDER, exist_ok=True)
    with open(path + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(path):
            _write(path, program, processors, devices)
    return _devices(1) + ("-incoming", "file:" + path)
