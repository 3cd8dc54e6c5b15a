"""Xen and its dom0 for tests, made of Debian's packages with all that they depend on, which are
unpacked and not installed, and need no root.

    dom0 = Dom0(folder, "build/everybranch", "trixie")
    said, status = dom0.run(job, files, qemu_words, out, "options of Xen")

The job runs where xl works: a file system in memory, xenstored and xenconsoled.
"""
import glob
import gzip
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "guests"))
from guest import KEPT, Files, Guest, Trouble, linux     # noqa: E402

PACKAGES = ("xen-system-amd64", "qemu-system-xen", "python3", "mtools", "coreutils")
MODULES = ("xen_evtchn", "xen_gntdev", "xen_gntalloc", "xen_privcmd", "xenfs")
# The last release of Debian whose OVMF is one for Xen, too.
SUITE_OF_OVMF = "bullseye"
OVMF = "/usr/lib/xen/boot/ovmf.bin"
# What a dom0 without a screen, a network and a person does not read.
UNUSED = ("boot", "etc/alternatives", "usr/share/doc", "usr/share/locale", "usr/share/man",
          "usr/share/iso-codes", "usr/share/xml", "usr/share/perl5", "usr/lib/ipxe",
          "usr/lib/systemd", "usr/lib/udev", "usr/lib/x86_64-linux-gnu/gconv",
          "usr/lib/x86_64-linux-gnu/perl-base", "usr/lib/x86_64-linux-gnu/systemd")
UNUSED_NAMES = ("xen-shim", "test", "idlelib", "ensurepip", "lib2to3", "__pycache__")
CODE_PAGES = ("gconv-modules", "gconv-modules.d/*", "IBM850.so")    # mtools reads the image's names by them

DOM0_MEMORY = "dom0_mem=1024M,max:1024M"
XEN_OPTIONS = "com1=115200,8n1 console=com1 loglvl=all guest_loglvl=all " + DOM0_MEMORY
LINUX_OPTIONS = "console=hvc0 quiet panic=-1 mitigations=off"

START = """
mkdir -p /run/xen /run/xenstored /run/lock /var/lib/xen /var/lib/xenstored /var/lock /var/log/xen
ln -s /run /var/run
mkdir /dev/pts && mount -t devpts devpts /dev/pts
mount -t xenfs xenfs /proc/xen
tools=$(echo /usr/lib/xen-4*/bin)
$tools/xenstored --pid-file /run/xenstored.pid
tries=0
until [ -S /run/xenstored/socket ]; do
    tries=$((tries + 1)); [ $tries -lt 60 ] || { echo "xenstored does not start"; exit 1; }
    sleep 1
done
$tools/xen-init-dom0 >/dev/null
$tools/xenconsoled --pid-file=/run/xenconsoled.pid
"""


def unpacked(suite=""):
    """The folder with the files of PACKAGES and of all that they depend on."""
    folder = os.path.join(KEPT, suite or "system")
    files = os.path.join(folder, "xen-dom0")
    if os.path.isdir(files):
        return files
    if not shutil.which("apt-get"):
        raise Trouble("there is no apt-get here to bring Xen")
    os.makedirs(folder, exist_ok=True)
    apt = linux.Apt(folder + "/apt", suite)
    try:
        try:
            unpack(apt, folder, files)
        except subprocess.CalledProcessError:           # no lists yet, or old ones
            apt.call("apt-get", "update")
            unpack(apt, folder, files)
    except subprocess.CalledProcessError as error:
        raise Trouble("%s: %s" % (" ".join(error.cmd), error.stderr.strip()))
    return files


def unpack(apt, folder, files):
    """apt is told that nothing is installed, so that it brings everything."""
    with tempfile.TemporaryDirectory(dir=folder) as work:
        os.makedirs(work + "/archives/partial")
        apt.call("apt-get", "-oDir::State::status=/dev/null", "-oDir::Cache=" + work,
                 "-oDebug::NoLocking=true", "-oAPT::Sandbox::User=", "--no-install-recommends",
                 "--yes", "--download-only", "install", *PACKAGES)
        tree = work + "/tree"
        os.mkdir(tree)
        for archive in glob.glob(work + "/archives/*.deb"):
            linux.run("dpkg-deb", "-x", archive, tree)
        os.rename(tree, files)


def is_used(path):
    folders = path.split("/")
    return not any(name in folders for name in UNUSED_NAMES) and \
        not any(path == unused or path.startswith(unused + "/") for unused in UNUSED)


class Tree(Files):
    """Files with /lib and /lib64 in /usr, as in each newer Debian."""

    def __init__(self):
        super().__init__()
        self.add_link("/lib", "usr/lib")
        self.add_link("/lib64", "usr/lib64")

    def add_unpacked(self, tree):
        for folder, folders, names in os.walk(tree):
            inside = os.path.normpath(os.path.relpath(folder, tree))
            folders[:] = [name for name in folders if is_used(os.path.join(inside, name))]
            for name in names:
                path = os.path.normpath(os.path.join(inside, name))
                if is_used(path):
                    self.add_here(path, os.path.join(folder, name))

    def add_here(self, path, here):
        if path.startswith(("lib/", "lib64/")):
            path = "usr/" + path
        if os.path.islink(here):
            self.add_link("/" + path, os.readlink(here))
        else:
            self.add_file("/" + path, here)

    def add_code_pages(self, tree):
        for pattern in CODE_PAGES:
            for here in glob.glob(tree + "/usr/lib/x86_64-linux-gnu/gconv/" + pattern):
                self.add_here(os.path.relpath(here, tree), here)

    def add_missing_libraries(self, program):
        """Those of this machine that the packages do not bring."""
        for library in linux.libraries(program):
            path = "/usr" + library if library.startswith("/lib") else library
            if path not in self.entries:
                self.add_file(path, library)


def firmware():
    return linux.package("ovmf", KEPT, SUITE_OF_OVMF) + "/usr/share/ovmf/OVMF.fd"


class Dom0(Guest):
    def __init__(self, folder, program, suite=""):
        """`program` is the host program, which runs in dom0, too."""
        tree, files = unpacked(suite), Tree()
        files.add_unpacked(tree)
        files.add_code_pages(tree)
        files.add_missing_libraries(program)
        files.add_file(OVMF, firmware())
        super().__init__(folder, files, MODULES, "linux-image-amd64", suite)
        self.xen = os.path.join(self.folder, "xen")
        self.unpack_xen(tree)

    def unpack_xen(self, tree):
        """QEMU loads Xen by Multiboot, and unpacked."""
        packed, = glob.glob(tree + "/boot/xen-*.gz")
        with gzip.open(packed) as file, open(self.xen, "wb") as out:
            shutil.copyfileobj(file, out)

    def boot_words(self, initrd, options):
        modules = "%s %s,%s" % (self.kernel, LINUX_OPTIONS, initrd)
        return ["-kernel", self.xen, "-append", XEN_OPTIONS + " " + options, "-initrd", modules]

    def run(self, job, files, qemu, out, options=""):
        return super().run(START + job, files, qemu, out, options)
