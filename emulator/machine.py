"""What the tests of this folder share: commands, guests that nasm assembles, and QEMU with its
monitor."""

import json
import os
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
GUESTS = os.path.join(HERE, "tests")
BUILD = os.path.abspath(os.path.join(HERE, "..", os.environ.get("BUILD") or "build"))
EMULATOR = BUILD + "/emulator/qemu-system-x86_64"
BUILT = os.path.abspath(HERE + "/../build")     # where ./build puts what has no OUTDIR


class Trouble(Exception):
    """Why a test cannot run, in a sentence for the user."""


def run(*command, **more):
    """The output of a command, which must succeed."""
    return subprocess.run(command, check=True, capture_output=True, text=True,
                          **more).stdout


def assemble(image, path, *options):
    """Has nasm make an image of a file."""
    subprocess.run(["nasm", "-f", "bin", "-I" + GUESTS + "/", *options, "-o", image, path],
                   check=True)


def existing(qemu, build="emulator/build"):
    """The path of a QEMU, which that command makes; ends the test if there is none."""
    if not os.path.exists(qemu):
        sys.exit(f"{qemu}: there is no such program; {build} makes one")
    return qemu


def machine_command(qemu, cpu, megabytes, *more):
    """The command that runs a machine with no device but those that are named."""
    return [qemu, "-cpu", cpu, "-m", str(megabytes), "-nodefaults", "-display", "none",
            "-no-reboot", *more]


def guest_command(qemu, cpu, log, *more):
    """The command that runs a guest, which prints to a file and ends QEMU with exit status 1."""
    return machine_command(qemu, cpu, 64, "-debugcon", "file:" + log,
                           "-device", "isa-debug-exit,iobase=0xf4", *more)


def printed(log):
    """What a guest printed: {name: text}."""
    seen = {}
    for line in open(log).read().splitlines() if os.path.exists(log) else []:
        name, bar, rest = line.partition("|")
        if bar and name != "waiting":
            seen[name] = " ".join(rest.replace("\0", "").split())
    return seen


def until(true, seconds=60):
    end = time.time() + seconds
    while not true():
        if time.time() > end:
            raise TimeoutError("waited too long")
        time.sleep(0.05)


class Monitor:
    """The monitor of a QEMU, by its socket."""
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        until(lambda: self.socket.connect_ex(path) == 0)
        self.file = self.socket.makefile("rw")
        self.file.readline()
        self.ask("qmp_capabilities")

    def ask(self, what, **arguments):
        json.dump({"execute": what, "arguments": arguments}, self.file)
        self.file.flush()
        while True:
            answer = json.loads(self.file.readline())
            if "error" in answer:
                raise RuntimeError(answer["error"]["desc"])
            if "return" in answer:
                return answer["return"]


def monitored(path):
    """The options for a QEMU with a monitor at that socket."""
    return ["-qmp", f"unix:{path},server=on,wait=off"]
