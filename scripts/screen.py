"""Boots a copy of the image in a machine with a screen, and takes pictures of that."""
import os
import shutil
import socket
import struct
import subprocess
import zlib

import qemu

VOLUME_AT = "@@1M"              # mtools: where scripts/image puts the file system
SILENCE = 600                   # seconds after which QEMU's monitor hangs, on a busy machine


class Machine:
    """A boot that waits for a key at its end.  Its files are in the folder `out`: the stick,
    QEMU's output, and `serial`, unless there is no serial line.  `extra`: what the function
    returns for the words of the display is added to QEMU's."""

    def __init__(self, out, build, size, config="", program=None, cpu="max", bundles=(),
                 serial=True, extra=lambda display: ()):
        self.out, self.build, self.size = out, build, size
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(out)
        self.image = self.file("stick.img")
        variables = self.file("variables.fd")
        code, fresh = qemu.find_firmware()
        shutil.copyfile(fresh, variables)
        subprocess.run(["cp", "--sparse=always", os.path.join(build, "everybranch.img"),
                        self.image], check=True)
        with open(self.file("config"), "w") as file:
            file.write(config)
        self.copy("-o", self.file("config"), "::/everybranch.cfg")
        if bundles:
            subprocess.run(["mmd", "-D", "s", "-i", self.image + VOLUME_AT, "::/workloads"],
                           capture_output=True)             # it may be there
            self.copy("-o", *bundles, "::/workloads")
        command = qemu.command(program or shutil.which("qemu-system-x86_64"), "tcg", cpu,
                               (code, variables), self.image, self.file("serial"))
        if not serial:
            command[command.index("-serial") + 1] = "none"
        command[command.index("-monitor") + 1] = "unix:%s,server,nowait" % self.file("monitor")
        at = next(i for i, word in enumerate(command) if word.startswith("isa-debug-exit"))
        del command[at - 1:at + 1]              # or it would end before the key
        display = ("-vga", "none", "-device", "VGA,edid=on,xres=%d,yres=%d" % size)
        self.process = subprocess.Popen(
            [*command, *display, *extra(display)],
            stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT,
            stdout=open(self.file("said"), "w"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def file(self, name):
        return os.path.join(self.out, name)

    def copy(self, *words):
        """To or from the stick, as mcopy has it."""
        subprocess.run(["mcopy", "-i", self.image + VOLUME_AT, *words], check=True)

    def ask(self, words):
        """A command for QEMU's monitor, done when its next prompt comes."""
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.settimeout(SILENCE)
            monitor.connect(os.path.relpath(self.file("monitor")))
            for command in ("", words + "\n"):
                monitor.sendall(command.encode())
                said = b""
                while not said.endswith(b"(qemu) "):
                    said += monitor.recv(4096)

    def picture(self):
        """The screen as (width, height, RGB bytes); None: QEMU has no monitor yet."""
        if not os.path.exists(self.file("monitor")):
            return None
        self.ask("screendump " + self.file("picture.ppm"))
        with open(self.file("picture.ppm"), "rb") as file:
            magic, size, _, points = file.read().split(b"\n", 3)
        assert magic == b"P6", magic
        return (*(int(number) for number in size.split()), points)


def png(width, height, points):
    """The picture as a PNG file of at most 256 colours, each point a byte.  The format:
    W3C, "Portable Network Graphics (PNG) Specification"."""
    pixels = [points[at:at + 3] for at in range(0, len(points), 3)]
    palette = sorted(set(pixels))
    if len(palette) > 256:
        raise ValueError("the picture has %d colours, want at most 256" % len(palette))
    number = {colour: i for i, colour in enumerate(palette)}
    indexed = bytes(number[pixel] for pixel in pixels)
    rows = b"".join(b"\0" + indexed[at:at + width] for at in range(0, len(indexed), width))

    def chunk(name, data):
        return (struct.pack(">I", len(data)) + name + data +
                struct.pack(">I", zlib.crc32(name + data)))

    return (b"\x89PNG\r\n\x1a\n" +
            chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) +
            chunk(b"PLTE", b"".join(palette)) +
            chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))
