"""The parts of a small Linux system that QEMU boots: Debian's packages, which are unpacked and
not installed, programs of this machine with their libraries, and an archive of files."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/..")
from machine import Trouble, run            # noqa: E402

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


# ---- Debian's packages -----------------------------------------------------

class Apt:
    """This machine's apt, or with `suite` one that knows that release of Debian alone; what the
    latter needs is in `folder`."""

    def __init__(self, folder="", suite=""):
        self.options = self.options_of(folder, suite) if suite else []

    def options_of(self, folder, suite):
        for name in ("state/lists/partial", "cache/archives/partial", "parts"):
            os.makedirs(os.path.join(folder, name), exist_ok=True)
        with open(folder + "/sources.list", "w") as file:
            file.write(f"deb [signed-by={KEYRING}] {self.mirror()} {suite} main\n")
        return [f"-oDir::{name}={os.path.abspath(folder)}/{path}" for name, path in (
            ("Etc::SourceList", "sources.list"), ("Etc::SourceParts", "parts"),
            ("State", "state"), ("Cache", "cache"))] + [
                "-oDir::State::status=/dev/null", "-oAcquire::Languages=none"]

    @staticmethod
    def mirror():
        """Where this machine has its own Debian from."""
        known = run("apt-get", "indextargets", "--format", "$(REPO_URI) $(ORIGIN) $(LABEL)",
                    "Created-By: Packages")
        found = re.search(r"^(\S+) Debian Debian$", known, re.M)
        if not found:
            raise Trouble("apt knows no mirror of Debian")
        return found[1]

    def call(self, program, *words, **more):
        return run(program, *self.options, *words, **more)

    def depends(self, package, on):
        said = self.call("apt-cache", "depends", "--important", package)
        return re.findall(r"Depends: (%s\S+)" % on, said)

    def of_files(self, package):
        """The package itself, or what a package without files stands for.

        From Linux 7 on Debian has the image, the modules and their lists in packages of their own.
        """
        image = (self.depends(package, r"linux-image-\d") or [package])[0]
        return [image] + self.depends(image, r"linux-(?:base|binary|modules)-\d")

    def unpack(self, package, kept):
        with tempfile.TemporaryDirectory(dir=os.path.dirname(kept)) as folder:
            os.chmod(folder, 0o755)
            os.mkdir(folder + "/files")
            self.call("apt-get", "download", *self.of_files(package), cwd=folder)
            for file in glob.glob(folder + "/*.deb"):
                run("dpkg-deb", "-x", file, folder + "/files")
            try:
                os.rename(folder + "/files", kept)
            except OSError:             # another test was faster
                if not os.path.isdir(kept):
                    raise


def package(name, kept, suite=""):
    """Returns the folder, in `kept`, with the files of Debian's package."""
    folder = os.path.join(kept, suite or "system")
    files = os.path.join(folder, name)
    if os.path.isdir(files):
        return files
    if not shutil.which("apt-get"):
        raise Trouble(f"there is no apt-get here to bring Debian's {name}")
    os.makedirs(folder, exist_ok=True)
    try:
        apt = Apt(folder + "/apt", suite)
        try:
            apt.unpack(name, files)
        except subprocess.CalledProcessError:           # no lists yet, or old ones
            apt.call("apt-get", "update")
            apt.unpack(name, files)
    except subprocess.CalledProcessError as error:
        raise Trouble(f"{' '.join(error.cmd)}: {error.stderr.strip()}")
    return files


def kernel(files):
    """The image of Linux in an unpacked package."""
    found = glob.glob(files + "/boot/vmlinuz-*") + glob.glob(files + "/usr/lib/modules/*/vmlinuz")
    if not found:
        raise Trouble(f"{files}: there is no Linux in this package")
    return found[0]


# ---- programs and archives -------------------------------------------------

def libraries(program):
    for line in run("ldd", program).splitlines():
        if match := re.search(r"(/\S+) \(0x", line):
            yield match[1]


def cpio(path, entries):
    """An archive of files: (name, mode, contents, device)."""
    with open(path, "wb") as out:
        def pad():
            out.write(b"\0" * (-out.tell() % 4))

        for inode, (name, mode, data, device) in enumerate(
                entries + [("TRAILER!!!", 0, b"", (0, 0))], 1):
            fields = [inode, mode, 0, 0, 1, 0, len(data), 0, 0, *device,
                      len(name) + 1, 0]
            out.write(b"070701" + b"".join(b"%08X" % f for f in fields))
            out.write(name.encode() + b"\0")
            pad()
            out.write(data)
            pad()


def folders_of(names):
    """The folders that files of these names are in, outer ones first."""
    folders = set()
    for name in names:
        while name := os.path.dirname(name):
            folders.add(name)
    return sorted(folders)
