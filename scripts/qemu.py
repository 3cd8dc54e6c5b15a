"""How QEMU is called: the firmware, the processors, and the command line of each mode."""
import os
import re
import shutil
import subprocess

from nearest import did_you_mean

# The emulator's processors, by the names that CPU= takes: each is `bt-NAME` there.
CPUS = ("p6", "pentium-m", "yonah", "willamette", "nocona", "core2", "penryn", "bonnell",
        "silvermont", "knl", "goldmont", "nehalem", "haswell", "broadwell", "skylake",
        "alderlake", "skymont", "phenom", "zen3", "zen4", "via", "zhaoxin")

# The processor if CPU= is not given.  Stock QEMU's `max` has all that TCG knows.
DEFAULT_CPU = {"emulator": "skylake", "tcg": "max", "kvm": "host",
               "xen": "host", "bochs": "haswell"}

# Code and variables of OVMF, where distributions put them.
FIRMWARE = (
    ("usr/share/OVMF/OVMF_CODE_4M.fd", "usr/share/OVMF/OVMF_VARS_4M.fd"),       # Debian
    ("usr/share/OVMF/OVMF_CODE.fd", "usr/share/OVMF/OVMF_VARS.fd"),
    ("usr/share/edk2/ovmf/OVMF_CODE.fd", "usr/share/edk2/ovmf/OVMF_VARS.fd"),   # Fedora
    ("usr/share/edk2/x64/OVMF_CODE.4m.fd", "usr/share/edk2/x64/OVMF_VARS.4m.fd"),  # Arch
    ("usr/share/edk2-ovmf/x64/OVMF_CODE.fd", "usr/share/edk2-ovmf/x64/OVMF_VARS.fd"),
)

# The firmware with Secure Boot, by whose key it trusts: a test's own, or Microsoft's.
# This firmware keeps its variables from everybody but SMM.
SECURE_CODE = ("usr/share/OVMF/OVMF_CODE_4M.secboot.fd",)                       # Debian
SECURE_VARIABLES = {
    "snakeoil": ("usr/share/OVMF/OVMF_VARS_4M.snakeoil.fd",),
    "microsoft": ("usr/share/OVMF/OVMF_VARS_4M.ms.fd",),
}
SECURE_MACHINE = ",smm=on"
SECURE_WORDS = ("-global", "driver=cfi.pflash01,property=secure,value=on")

# The bus to which the image is connected.
DISKS = {
    "usb": ("qemu-xhci", "usb-storage,drive=stick,bootindex=1"),
    "ahci": ("ich9-ahci,id=stick-ahci", "ide-hd,bus=stick-ahci.0,drive=stick,bootindex=1"),
    "nvme": ("nvme,serial=stick,drive=stick,bootindex=1",),
    "cd": ("ide-cd,bus=ide.0,drive=stick,bootindex=1",),
    "virtio": ("virtio-blk-pci,drive=stick,bootindex=1",),
}
MACHINES = ("q35", "pc")

MEMORY = 256                    # MiB: OVMF asks for 128, the trace buffers for the rest
MEMORY_OF_OTHER = 36            # and for each further processor, of the first few
PROCESSORS_MAX = 255            # without an IOMMU, which QEMU asks for from there on
EXIT_PORT = "0xf4"              # a write of N there ends QEMU with status N * 2 + 1
ENDED_WELL = 33                 # the kernel writes 16
ENDED_BADLY = 35                # and 17: a log that is not whole, or not saved


class Trouble(Exception):
    """A sentence for the user: why something cannot be done."""


def find_firmware(root="/"):
    for pair in FIRMWARE:
        code, variables = (os.path.join(root, path) for path in pair)
        if os.path.exists(code) and os.path.exists(variables):
            return code, variables
    raise Trouble("no UEFI firmware for QEMU found (OVMF; Debian's package is ovmf). "
                  "Looked for:\n  " + "\n  ".join("/" + code for code, _ in FIRMWARE))


def find_secure_firmware(trusted, root="/"):
    for code in SECURE_CODE:
        for variables in SECURE_VARIABLES[trusted]:
            pair = os.path.join(root, code), os.path.join(root, variables)
            if all(os.path.exists(path) for path in pair):
                return pair
    raise Trouble("no UEFI firmware with Secure Boot for QEMU found (OVMF; Debian's package is "
                  "ovmf).  Looked for /%s with /%s"
                  % (SECURE_CODE[0], SECURE_VARIABLES[trusted][0]))


def find_program(mode, emulator):
    if mode == "emulator":
        if os.path.exists(emulator) and not os.access(emulator, os.X_OK):
            raise Trouble("EMULATOR=%s is no program that can be run" % emulator)
        if not os.path.exists(emulator):
            raise Trouble("%s is not built yet; `make run` builds it" % emulator)
        return emulator
    path = shutil.which("qemu-system-x86_64")
    if path is None:
        raise Trouble("qemu-system-x86_64 is not installed "
                      "(stock QEMU; Debian's package is qemu-system-x86)")
    return path


def stock_cpus():
    """The processors that stock QEMU has, or none where it is not installed yet."""
    path = shutil.which("qemu-system-x86_64")
    said = subprocess.run([path, "-cpu", "help"], capture_output=True, text=True).stdout \
        if path else ""
    # "x86 NAME" up to version 9, "  NAME" from then on; the flags of CPUID follow.
    return re.findall(r"^(?:x86|) +(\S+)", said.partition("\nRecognized")[0], re.M)


def check_stock_cpu(cpu):
    known = stock_cpus()
    if not known or cpu in known:
        return
    unversioned = [name for name in known if not re.search(r"-v\d+$", name)]
    near = [name for name in unversioned if cpu.lower() in name.lower()]
    raise Trouble("CPU=%s is not a processor of stock QEMU%s; there are%s: %s" % (
        cpu, " but of the emulator, `make run`" if cpu in CPUS else "",
        " like it" if near else "", ", ".join(near or unversioned)))


def properties(program, cpu):
    """By which the emulated processor misbehaves."""
    said = subprocess.run([program, "-device", "bt-%s-x86_64-cpu,help" % cpu],
                          capture_output=True, text=True).stdout
    return re.findall(r"^  (bt-[^=\s]+)=", said, re.M)


def cpu_argument(mode, cpu, properties=()):
    """What follows -cpu.  `properties` are the emulator's, such as bt-drop=7."""
    cpu = cpu or DEFAULT_CPU[mode]
    if mode == "emulator":
        if cpu not in CPUS:
            raise Trouble("CPU=%s is not a processor of the emulator%s\nThere are: %s"
                          % (cpu, did_you_mean(cpu, CPUS), ", ".join(CPUS)))
        cpu = "bt-" + cpu
    elif mode == "tcg":
        check_stock_cpu(cpu.split(",")[0])
    return ",".join((cpu,) + tuple(properties))


def serial_words(path, console):
    """The serial line goes into a file; as a console to whoever started QEMU too."""
    if not console:
        return ("-serial", "file:" + path)
    return ("-chardev", "stdio,id=console,logfile=" + path, "-serial", "chardev:console")


def memory_of(processors):
    """MiB: with many each has less room for a long trace."""
    others = processors - 1
    return MEMORY + MEMORY_OF_OTHER * min(others, 8) + MEMORY_OF_OTHER // 2 * max(others - 8, 0)


def command(program, accelerator, cpu, firmware, image, serial, extra=(), *, machine="q35",
            disk="usb", secure=False, read_only=False, console=False, processors=1):
    """`firmware` is (code, own copy of the variables): QEMU writes to the latter, and a
    copy used with another machine can hang the boot."""
    code, variables = firmware
    devices = [word for device in DISKS[disk] for word in ("-device", device)]
    return [
        program, "-machine", machine + (SECURE_MACHINE if secure else ""),
        "-accel", accelerator, "-cpu", cpu,
        "-smp", str(processors), "-m", str(memory_of(processors)),
        "-display", "none", "-monitor", "none", "-nic", "none", "-no-reboot",
        "-drive", "if=pflash,format=raw,readonly=on,file=" + code,
        "-drive", "if=pflash,format=raw,file=" + variables,
        "-drive", "if=none,id=stick,format=raw,%sfile=%s"
        % ("readonly=on," if read_only else "", image),
        *devices, *serial_words(serial, console),
        "-device", "isa-debug-exit,iobase=%s,iosize=0x04" % EXIT_PORT,
        *(SECURE_WORDS if secure else ()), *extra,
    ]
