"""Bochs: its processors by the names that CPU= takes, its firmware, and its configuration."""
import os
import re
import shutil
import subprocess

from nearest import did_you_mean
import qemu
from qemu import Trouble

TIME_LIMIT = 180                # seconds to our first line: the firmware takes 5 to 30

# Bochs runs as fast as it can.  What this decides is how many instructions a second of the
# machine has, and so how long firmware and watchdogs wait.  With 4 million OVMF's clock seems to
# stand when it has the machine back for the first time.
INSTRUCTIONS_A_SECOND = 50000000

# These have no 64-bit mode, which OVMF needs.
SMALL = ("i386", "i486dx4", "pentium", "pentium_mmx", "amd_k6_2_chomper", "p2_klamath",
         "p3_katmai", "p4_willamette", "core_duo_t2400_yonah", "atom_n270")

# OVMF in one file, as a ROM: variables and then code.  2 MiB come first, since Bochs before 3.0
# takes no more.
FIRMWARE = (("usr/share/OVMF/OVMF_VARS.fd", "usr/share/OVMF/OVMF_CODE.fd"),     # Debian
            *((variables, code) for code, variables in qemu.FIRMWARE))

# Bochs looks for it there itself, by the name of its own build.
VGA_BIOS = ("usr/share/vgabios/vgabios.bin",                                    # Debian
            "usr/share/bochs/VGABIOS-lgpl-latest", "usr/share/bochs/VGABIOS-lgpl-latest.bin")

# OVMF reads MSRs that Bochs does not have.
CONFIG = """\
cpu: model={cpu}, count={processors}, ips={ips}, reset_on_triple_fault=0, ignore_bad_msrs=1
memory: guest={memory}, host={memory}
romimage: file={firmware}
vgaromimage: file={vga_bios}
pci: enabled=1, chipset=i440fx
ata0-master: type=disk, path={image}, mode=flat
boot: disk
com1: enabled=1, mode=file, dev={serial}
clock: sync=none
display_library: term
log: {log}
panic: action=fatal
error: action=report
info: action=ignore
debug: action=ignore
speaker: enabled=0
"""


def find_program():
    path = shutil.which("bochs")
    if path is None:
        raise Trouble("bochs is not installed (Debian's packages are bochs, bochs-term and "
                      "vgabios)")
    return path


def processors():
    """The processors of this Bochs that can boot the image, or none where it is not there."""
    path = shutil.which("bochs")
    if path is None:
        return []
    done = subprocess.run([path, "--help", "cpu"], stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    names = re.findall(r"^(\w+)$", done.stdout.partition("Supported CPU models:")[2], re.M)
    return [name for name in names if name not in SMALL]


def processor(cpu):
    """Bochs's name of the processor that CPU= means: all of the name, or one part."""
    known = processors()
    if not known:               # it is not installed yet
        return cpu
    meant = [cpu] if cpu in known else [name for name in known if cpu in name.split("_")]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise Trouble("CPU=%s: Bochs has several such processors: %s" % (cpu, ", ".join(meant)))
    if cpu in SMALL:
        raise Trouble("CPU=%s: that processor has no 64-bit mode, which the firmware needs\n"
                      "There are: %s" % (cpu, ", ".join(known)))
    words = known + [part for name in known for part in name.split("_")]
    raise Trouble("CPU=%s is not a processor of Bochs%s\nThere are: %s\nOne part of a name is "
                  "enough: CPU=skylake" % (cpu, did_you_mean(cpu, words), ", ".join(known)))


def find_firmware(root="/"):
    for pair in FIRMWARE:
        paths = [os.path.join(root, path) for path in pair]
        if all(os.path.exists(path) for path in paths):
            return paths
    raise Trouble("no UEFI firmware found (OVMF; Debian's package is ovmf).  Looked for:\n  "
                  + "\n  ".join("/%s and /%s" % pair for pair in FIRMWARE))


def find_vga_bios(root="/"):
    for path in VGA_BIOS:
        if os.path.exists(os.path.join(root, path)):
            return os.path.join(root, path)
    raise Trouble("no BIOS of a VGA card found (Debian's package is vgabios).  Looked for:\n  "
                  + "\n  ".join("/" + path for path in VGA_BIOS))


def panics(log):
    """What Bochs said when it gave up, or nothing."""
    try:
        with open(log, errors="replace") as file:
            return "\n".join(re.findall(r">>PANIC<< (.*)", file.read()))
    except OSError:
        return ""
