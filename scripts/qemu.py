"""How QEMU is called: the firmware, the processors, and the command line of each mode."""
import os
import shutil

# The emulator's processors, by the names that CPU= takes: each is `bt-NAME` there.
CPUS = ("p6", "pentium-m", "yonah", "willamette", "nocona", "core2", "penryn", "bonnell",
        "silvermont", "knl", "goldmont", "nehalem", "haswell", "broadwell", "skylake",
        "alderlake", "phenom", "zen3", "zen4", "via", "zhaoxin")

# What CPU= means when it is not given.  Stock QEMU's `max` has all that TCG knows.
DEFAULT_CPU = {"emulator": "skylake", "tcg": "max", "kvm": "host"}

# Code and variables of OVMF, where distributions put them.
FIRMWARE = (
    ("usr/share/OVMF/OVMF_CODE_4M.fd", "usr/share/OVMF/OVMF_VARS_4M.fd"),       # Debian
    ("usr/share/OVMF/OVMF_CODE.fd", "usr/share/OVMF/OVMF_VARS.fd"),
    ("usr/share/edk2/ovmf/OVMF_CODE.fd", "usr/share/edk2/ovmf/OVMF_VARS.fd"),   # Fedora
    ("usr/share/edk2/x64/OVMF_CODE.4m.fd", "usr/share/edk2/x64/OVMF_VARS.4m.fd"),  # Arch
    ("usr/share/edk2-ovmf/x64/OVMF_CODE.fd", "usr/share/edk2-ovmf/x64/OVMF_VARS.fd"),
)

MEMORY = "256"                  # MiB: OVMF asks for 128, the trace buffers for the rest
EXIT_PORT = "0xf4"              # a write of N there ends QEMU with status N * 2 + 1
ENDED_WELL = 33                 # the kernel writes 16


class Trouble(Exception):
    """What stands in the way, in a sentence for the user."""


def find_firmware(root="/"):
    for pair in FIRMWARE:
        code, variables = (os.path.join(root, path) for path in pair)
        if os.path.exists(code) and os.path.exists(variables):
            return code, variables
    raise Trouble("no UEFI firmware for QEMU found (OVMF; Debian's package is ovmf). "
                  "Looked for:\n  " + "\n  ".join("/" + code for code, _ in FIRMWARE))


def find_program(mode, emulator):
    if mode == "emulator":
        if not os.access(emulator, os.X_OK):
            raise Trouble("%s is not built yet; `make run` builds it" % emulator)
        return emulator
    path = shutil.which("qemu-system-x86_64")
    if path is None:
        raise Trouble("qemu-system-x86_64 is not installed "
                      "(stock QEMU; Debian's package is qemu-system-x86)")
    return path


def cpu_argument(mode, cpu, properties=()):
    """What follows -cpu.  `properties` are the emulator's, such as bt-drop=7."""
    cpu = cpu or DEFAULT_CPU[mode]
    if mode == "emulator":
        if cpu not in CPUS:
            raise Trouble("CPU=%s is not a processor of the emulator; there are: %s"
                          % (cpu, ", ".join(CPUS)))
        cpu = "bt-" + cpu
    return ",".join((cpu,) + tuple(properties))


def command(program, accelerator, cpu, firmware, image, serial, extra=()):
    """`firmware` is (code, own copy of the variables): QEMU writes to the latter, and a
    copy used with another machine can hang the boot."""
    code, variables = firmware
    return [
        program, "-machine", "q35", "-accel", accelerator, "-cpu", cpu, "-m", MEMORY,
        "-display", "none", "-monitor", "none", "-nic", "none", "-no-reboot",
        "-drive", "if=pflash,format=raw,readonly=on,file=" + code,
        "-drive", "if=pflash,format=raw,file=" + variables,
        "-drive", "if=none,id=stick,format=raw,file=" + image,
        "-device", "qemu-xhci", "-device", "usb-storage,drive=stick,bootindex=1",
        "-serial", "file:" + serial,
        "-device", "isa-debug-exit,iobase=%s,iosize=0x04" % EXIT_PORT,
        *extra,
    ]
