"""A Linux guest for tests, made of this machine's programs and of Debian's packages, without
root: a kernel, and an archive that is its only file system.

    files = Files()
    files.add_program("qemu-system-x86_64")
    ...
    guest = Guest(folder, files, modules, "linux-image-cloud-amd64", suite="trixie")

`folder` keeps both until something that they are made of changes.  At a boot the guest gets
further files, runs /job in /src, and hands back what that left in /out:

    said = guest.run("job", {"/src/Makefile": "Makefile"}, qemu_words, out)

The disk on which it comes back is a tar archive.  Trouble means that this machine cannot make
a guest, Lost that one did not come to its end.
"""
import glob
import hashlib
import lzma
import os
import py_compile
import shutil
import subprocess
import sys
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, os.environ.get("BUILD") or "build")
KEPT = os.path.join(BUILD, "download", "debian")        # `make clean` leaves it

sys.path.insert(0, os.path.join(ROOT, "emulator", "foreign"))
sys.dont_write_bytecode = True
import linux                                            # noqa: E402
from linux import Trouble                               # noqa: E402

DISK = 64 << 20                 # bytes for what the guest hands back
HANG = 3600                     # seconds after which a guest hangs, however busy the machine
FOLDER, FILE, LINK = 0o40755, 0o100644, 0o120777
PROGRAM = FILE | 0o111

# The modules that a Python program has loaded when it has read its arguments.
_MODULES = """import runpy, sys
sys.argv = sys.argv[1:] + ["--help"]
sys.stdout = sys.stderr
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit:
    pass
for module in list(sys.modules.values()):
    if getattr(module, "__file__", None):
        print(module.__file__, file=sys.__stdout__)
"""


class Lost(Exception):
    """A guest handed nothing back; the text says what became of it."""


class Files:
    """Files of a guest by their absolute paths there: each has a mode and its contents, or the
    path of its contents here."""

    def __init__(self):
        self.entries = {}

    def add_text(self, path, text, mode=FILE):
        self.entries[path] = (mode, text if isinstance(text, bytes) else text.encode(), None)

    def add_link(self, path, target):
        self.add_text(path, target, LINK)

    def add_file(self, path, here=None):
        """The file of this machine with the same path, or the one that is `here`."""
        here = here or path
        mode = PROGRAM if os.access(here, os.X_OK) else FILE
        self.entries[path] = (mode, None, here)

    def add_libraries(self, program):
        for library in linux.libraries(program):
            self.add_file(library)

    def add_program(self, name):
        """A program that is in PATH here, as /usr/bin/NAME, with its libraries."""
        path = find_program(name)
        self.add_file("/usr/bin/" + name, os.path.realpath(path))
        self.add_libraries(path)

    def add_qemu(self, *roms):
        """Stock QEMU, and which of these files of its firmware this machine has."""
        self.add_program("qemu-system-x86_64")
        told = linux.run("qemu-system-x86_64", "-L", "help").split()
        for path in (os.path.join(os.path.realpath(folder), name)
                     for folder in told for name in roms):
            if os.path.exists(path):
                self.add_file(path)

    def add_python(self, *programs):
        """Python with the modules that these programs load, compiled."""
        python = os.path.realpath(sys.executable)
        self.add_file(python)
        self.add_libraries(python)
        self.add_link("/usr/bin/python3", python)
        paths = set(glob.glob(os.path.join(os.path.dirname(os.__file__), "encodings", "*.py")))
        for program in programs:
            paths |= set(linux.run(python, "-c", _MODULES, program).split())
        for path in sorted(paths):
            if not os.path.abspath(path).startswith(ROOT + os.sep) and "-packages/" not in path:
                self.add_module(path)

    def add_module(self, path):
        self.add_file(path)
        if not path.endswith(".py"):
            self.add_libraries(path)
            return
        folder, name = os.path.split(path)
        compiled = os.path.join(folder, "__pycache__", "%s.%s.pyc" % (
            name[:-3], sys.implementation.cache_tag))
        with tempfile.NamedTemporaryFile() as file:
            py_compile.compile(path, file.name, path, doraise=True,
                               invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
            with open(file.name, "rb") as now:
                self.add_text(compiled, now.read())

    def made_of(self):
        """A text that changes if one of the files does."""
        lines = []
        for path, (mode, text, here) in sorted(self.entries.items()):
            found = os.stat(here) if here else None
            lines.append("%s %o %s" % (path, mode, "%s %d %d" % (
                here, found.st_size, found.st_mtime) if here else
                hashlib.sha256(text).hexdigest()))
        return "\n".join(lines) + "\n"

    def archive(self, path):
        names = [name.lstrip("/") for name in self.entries]
        entries = [(folder, FOLDER, b"", (0, 0)) for folder in linux.folders_of(names)]
        for name, (mode, text, here) in self.entries.items():
            if here:
                with open(here, "rb") as file:
                    text = file.read()
            entries.append((name.lstrip("/"), mode, text, (0, 0)))
        linux.cpio(path, entries)


def find_program(name):
    path = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    if path is None:
        raise Trouble("%s is not installed" % name)
    return path


def static_busybox():
    """The shell of the guest, which needs no library."""
    path = find_program("busybox")
    told = subprocess.run(["ldd", path], capture_output=True)
    if told.returncode == 0:
        raise Trouble("%s needs libraries; want Debian's busybox-static" % path)
    return path


class Modules:
    """The kernel's modules of these names in an unpacked package, with what they need."""

    def __init__(self, package, names):
        self.tree, = glob.glob(package + "/lib/modules/*") or \
            glob.glob(package + "/usr/lib/modules/*")
        index = os.path.join(self.tree, "modules.dep")
        if not os.path.exists(index):
            base = self.tree[:-len("/lib/modules/" + os.path.basename(self.tree))]
            linux.run(find_program("depmod"), "-b", base, os.path.basename(self.tree))
        with open(index) as file:
            self.needs = dict(line.rstrip("\n").split(":") for line in file)
        with open(os.path.join(self.tree, "modules.builtin")) as file:
            self.built_in = {self.name_of(line) for line in file}
        self.paths = []
        for name in names:
            self.take(name)

    @staticmethod
    def name_of(path):
        return os.path.basename(path.strip()).split(".ko")[0].replace("-", "_")

    def take(self, name):
        """In the order in which they go in."""
        if name in self.built_in:
            return
        found = [path for path in self.needs if self.name_of(path) == name]
        if not found:
            raise Trouble("%s has no module %s" % (self.tree, name))
        for path in (*reversed(self.needs[found[0]].split()), found[0]):
            if path not in self.paths:
                self.paths.append(path)

    def add_to(self, files):
        for path in self.paths:
            with open(os.path.join(self.tree, path), "rb") as file:
                text = file.read()
            files.add_text("/modules/" + self.name_of(path),
                           lzma.decompress(text) if path.endswith(".xz") else text)
        files.add_text("/modules/order", "".join(self.name_of(path) + "\n" for path in self.paths))


class Guest:
    def __init__(self, folder, files, modules=(), package="linux-image-cloud-amd64", suite=""):
        self.folder = os.path.abspath(folder)
        os.makedirs(self.folder, exist_ok=True)
        tree = linux.package(package, KEPT, suite)
        self.kernel = linux.kernel(tree)
        Modules(tree, (*modules, "virtio_pci", "virtio_blk")).add_to(files)
        files.add_file("/bin/busybox", static_busybox())
        files.add_file("/init", os.path.join(HERE, "init"))
        self.initrd = os.path.join(self.folder, "initrd")
        self.make(files)

    def make(self, files):
        """The archive, unless the one that is there is made of the same."""
        stamp, now = os.path.join(self.folder, "made-of"), files.made_of()
        if os.path.exists(stamp):
            with open(stamp) as file:
                if file.read() == now:
                    return
            os.remove(stamp)
        files.archive(self.initrd)
        with open(stamp, "w") as file:
            file.write(now)

    def with_files(self, files, path):
        """An archive with further files: Linux unpacks one after the other."""
        files.archive(path + ".more")
        with open(path, "wb") as out:
            for part in (self.initrd, path + ".more"):
                with open(part, "rb") as file:
                    shutil.copyfileobj(file, out)
        os.remove(path + ".more")

    def boot_words(self, initrd, options):
        return ["-kernel", self.kernel, "-initrd", initrd,
                "-append", "console=ttyS0 quiet panic=-1 " + options]

    def run(self, job, files, qemu, out, options=""):
        """Boots it; `qemu` is a program with words, `options` go to the kernel's command line.
        Returns what the job printed, and its status; `out` then has what was in /out."""
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(out)
        files.add_text("/job", job)
        initrd, disk, serial = (os.path.join(out, name) for name in ("initrd", "disk", "serial"))
        self.with_files(files, initrd)
        with open(disk, "wb") as file:
            file.truncate(DISK)
        words = [*qemu, "-display", "none", "-monitor", "none", "-nic", "none", "-no-reboot",
                 *self.boot_words(initrd, options), "-serial", "file:" + serial,
                 "-drive", "file=%s,format=raw,if=virtio" % disk]
        with open(os.path.join(out, "guest-command"), "w") as file:
            file.write(" \\\n  ".join(words) + "\n")
        try:
            done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=HANG)
            said = done.stderr
        except subprocess.TimeoutExpired:
            said = "no end within %d s" % HANG
        return self.handed_back(disk, out, serial, said)

    @staticmethod
    def handed_back(disk, out, serial, said):
        with tarfile.open(disk) as archive:         # as it was, it reads as an empty one
            archive.extractall(out)
        if not os.path.exists(os.path.join(out, "status")):
            text = ""
            if os.path.exists(serial):
                with open(serial, errors="replace") as file:
                    text = file.read()[-2000:]
            raise Lost("the guest handed nothing back; QEMU said %r, and the guest\n%s"
                       % (said.strip(), text))
        for path in (disk, os.path.join(out, "initrd")):
            os.remove(path)
        with open(os.path.join(out, "said"), errors="replace") as file:
            text = file.read()
        with open(os.path.join(out, "status")) as file:
            return text, int(file.read())
