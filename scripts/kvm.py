"""What prevents a run under KVM on this machine, and the right -cpu for one."""
import errno
import fcntl
import os
import re

from qemu import Trouble

KVM_GET_API_VERSION = 0xAE00    # Linux, Documentation/virt/kvm/api.rst
KVM_API_VERSION = 12            # "will not change"

INTEL, AMD = "GenuineIntel", ("AuthenticAMD", "HygonGenuine")


class Host:
    """The files that tell; `root` is elsewhere in tests."""

    def __init__(self, root="/"):
        self.root = root

    def path(self, name):
        return os.path.join(self.root, name)

    def read(self, name):
        """A file's text, or "" where there is none."""
        try:
            with open(self.path(name)) as file:
                return file.read().strip()
        except OSError:
            return ""

    def has_module(self, name):
        return os.path.isdir(self.path("sys/module/" + name))

    def parameter(self, module, name):
        """"on", "off", or "" where the module has no such parameter."""
        text = self.read("sys/module/%s/parameters/%s" % (module, name))
        return {"Y": "on", "1": "on", "N": "off", "0": "off"}.get(text, "")

    def vendor(self):
        found = re.search(r"^vendor_id\s*: (\S+)", self.read("proc/cpuinfo"), re.M)
        return found.group(1) if found else ""

    def has_flag(self, *names):
        found = re.search(r"^flags\s*: (.*)", self.read("proc/cpuinfo"), re.M)
        return bool(found and set(names) & set(found.group(1).split()))

    def api_version(self):
        with open(self.path("dev/kvm"), "rb", buffering=0) as node:
            return fcntl.ioctl(node, KVM_GET_API_VERSION)


def beneath(host, said):
    """QEMU's words for a guest's board that is named after the hypervisor beneath this
    machine, since the guest cannot ask.  `said` is from `everybranch list platforms`."""
    found = re.search(r'CPUID.40000000H: "(.+)".*, as on this machine$', said, re.M)
    if not found:
        return ()
    names = (host.read("sys/class/dmi/id/sys_vendor"), found.group(1))
    return ("-smbios", "type=2,manufacturer=%s,product=%s" % tuple(
        name.replace(",", ",,") for name in names))


def check_node(host):
    node = host.path("dev/kvm")
    if not os.path.exists(node):
        if not host.has_flag("vmx", "svm"):
            raise Trouble("/dev/kvm is not there, and the processor offers neither VMX nor "
                          "SVM: switch virtualisation on in the firmware's setup, or in the "
                          "hypervisor that this machine runs under")
        module = "kvm_intel" if host.vendor() == INTEL else "kvm_amd"
        raise Trouble("/dev/kvm is not there: load its module with "
                      "`sudo modprobe %s`" % module)
    if not os.access(node, os.R_OK | os.W_OK):
        raise Trouble("/dev/kvm may not be opened by this user: join its group with "
                      "`sudo usermod -aG kvm $USER`, then log in again")
    try:
        version = host.api_version()
    except OSError as error:
        if error.errno in (errno.ENODEV, errno.ENXIO):
            raise Trouble("/dev/kvm is there, but no kernel module serves it")
        raise Trouble("/dev/kvm cannot be used: %s" % error.strerror)
    if version != KVM_API_VERSION:
        raise Trouble("/dev/kvm speaks version %d of its interface, not %d"
                      % (version, KVM_API_VERSION))


def has_no_pmu(host):
    """KVM says the same if the machine that it runs on has no PMU."""
    return host.parameter("kvm", "enable_pmu") == "off"


def check_pmu(host, without_pmu):
    """Only on Intel does a guest's LBR need its PMU."""
    if host.vendor() == INTEL and has_no_pmu(host) and not without_pmu:
        raise Trouble("KVM has no virtual PMU here (enable_pmu=N), so a guest has no LBR and no "
                      "counters.  On a bare machine load the module kvm with enable_pmu=1; in a "
                      "virtual machine the hypervisor beneath must give it a PMU first.  "
                      "PMU=off goes on without")


def hints(host):
    """What does not stop a run but changes what it finds."""
    if not any(host.has_module(module) for module in ("kvm_intel", "kvm_amd")):
        yield "neither kvm_intel nor kvm_amd is loaded: this is a KVM of another kind"
    if host.parameter("kvm", "ignore_msrs") == "on":
        yield "kvm.ignore_msrs is on: MSRs that are absent will look dead instead"
    if host.read("proc/sys/kernel/nmi_watchdog") == "1":
        yield "the NMI watchdog uses a counter of the PMU: kernel.nmi_watchdog=0 frees it"
    if host.vendor() in AMD and has_no_pmu(host):
        yield "KVM has no virtual PMU here (enable_pmu=N): the guest has no counters"
    if host.vendor() in AMD and host.parameter("kvm_amd", "lbrv") == "off":
        yield "kvm_amd.lbrv is off: writes to DEBUGCTL will be swallowed"


def cpu_flags(host, without_pmu=False):
    """Intel's LBR format reaches the guest only in a CPU that cannot migrate and has a
    PMU; AMD's LBR needs no more than the processor itself, so PMU=off only takes the
    counters away there."""
    vendor = host.vendor()
    if vendor == INTEL:
        return "host,migratable=off,pmu=" + ("off" if without_pmu else "on")
    if vendor in AMD:
        return "host,migratable=off" + (",pmu=off" if without_pmu else "")
    raise Trouble("the processor's vendor is %r; branch-trace hardware is known of %s"
                  % (vendor, "Intel, AMD and Hygon"))


def prepare(host, without_pmu=False):
    """The -cpu for a run here, or Trouble; hints are the caller's to print."""
    check_node(host)
    flags = cpu_flags(host, without_pmu)
    check_pmu(host, without_pmu)
    return flags
