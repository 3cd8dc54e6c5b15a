"""Finds what prevents a guest of Xen on this machine, and calls xl for one."""
import os
import re
import shutil
import subprocess

import qemu
from qemu import Trouble

CONFIG = os.path.join(os.path.dirname(os.path.abspath(__file__)), "everybranch.xl")

# OVMF as it is built for Xen (OvmfPkg/OvmfXen.dsc), where distributions put it.
FIRMWARE = (
    "usr/lib/xen/boot/ovmf.bin",                # Xen's own `make install`, under /usr
    "usr/local/lib/xen/boot/ovmf.bin",          # or under its default
    "usr/share/edk2/xen/OVMF.fd",               # Fedora
)
NO_START = ("It may be that the guest's firmware is not OVMF for Xen (OvmfPkg/OvmfXen.dsc): "
            "Debian's is not since Debian 12.  OVMF=FILE names another one")


class Host:
    """This machine's files and the answers of xl; tests have another `root`."""

    def __init__(self, root="/"):
        self.root = root

    def read(self, name):
        """A file's text, or "" where there is none."""
        try:
            with open(os.path.join(self.root, name)) as file:
                return file.read().strip()
        except OSError:
            return ""

    def may_start_guests(self):
        return os.geteuid() == 0

    def info(self):
        """{name: value} of `xl info`, or Trouble."""
        if shutil.which("xl") is None:
            raise Trouble("xl is not installed (Xen's tools; Debian's package is "
                          "xen-system-amd64)")
        done = subprocess.run(["xl", "info"], capture_output=True, text=True)
        if done.returncode != 0:
            raise Trouble("`xl info` fails: %s" % done.stderr.strip())
        return dict(re.findall(r"^(\S+)\s*: (.*)$", done.stdout, re.M))


def prepare(host):
    """Returns what `xl info` says, or Trouble."""
    if host.read("sys/hypervisor/type") != "xen":
        raise Trouble("this machine does not run under Xen: boot its dom0, or use `make run-kvm`")
    if "control_d" not in host.read("proc/xen/capabilities"):
        raise Trouble("this is not Xen's dom0, which alone can start guests")
    if not host.may_start_guests():
        raise Trouble("only root can start guests of Xen: build with `make all`, then "
                      "`sudo make run-xen`")
    info = host.info()
    if "hvm" not in info.get("virt_caps", "").split():
        raise Trouble("Xen has no HVM guests here: switch virtualisation on in the firmware's "
                      "setup, or in the hypervisor that this machine runs under")
    return info


def hints(info):
    """Sentences about what does not stop a run but changes its results."""
    if not re.search(r"\bvpmu\b", info.get("xen_commandline", "")):
        yield "vpmu is not on Xen's command line: the guest has no counters, and no BTS"


def find_firmware(named, root="/"):
    """The guest's firmware: the file that OVMF= names, one for Xen, or None for that of xl."""
    if named and not os.path.isfile(named):
        raise Trouble("OVMF=%s: there is no such file" % named)
    for path in (named, *(os.path.join(root, path) for path in FIRMWARE)):
        if path and os.path.isfile(path):
            return os.path.abspath(path)
    return None


def command(name, firmware, image, serial, processors, read_only=False):
    """The words that start xl; the last one overrides lines of the configuration."""
    words = ['name="%s"' % name, "memory=%d" % qemu.memory_of(processors),
             "vcpus=%d" % processors,
             'disk=["format=raw,vdev=hda,access=%s,backendtype=qdisk,target=%s"]'
             % ("ro" if read_only else "rw", os.path.abspath(image)),
             'serial="file:%s"' % os.path.abspath(serial)]
    if firmware:
        words.append('bios_path_override="%s"' % firmware)
    return ["xl", "create", "-F", CONFIG, ";".join(words)]


class Domain(subprocess.Popen):
    """`xl create -F`, which ends when its guest does."""

    def __init__(self, name, words, **more):
        self.name = name
        super().__init__(words, **more)

    def kill(self):
        subprocess.run(["xl", "destroy", self.name], capture_output=True)
        super().kill()


def status(code, wire):
    """The exit status that QEMU would have: a guest of Xen cannot choose one."""
    if wire.lost() or wire.unsaved():
        return qemu.ENDED_BADLY
    return qemu.ENDED_WELL if wire.ended() else code
