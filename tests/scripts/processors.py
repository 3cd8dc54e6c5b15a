"""Which methods a processor has no hardware for: the only runs there that may be skipped.

From the manuals, by way of the table in emulator/README.md, and neither from what the emulator
does nor from what the kernel finds: a method that stops running must not excuse itself.
"""
import os
import subprocess

from claims import BUILD, ROOT
import qemu

BTS = {"bts", "bts-pmi", "bts-each"}
STREAM = {"lbr-stream"}                     # where a stack of four at least and a counter meet
COUNTERS = STREAM | {"pmi"}
SAMPLING = {"brs"}                          # Zen 3 alone
PACKETS = {"pt"}                            # Intel, from Broadwell and Goldmont on
WITH_PACKETS = ("broadwell", "skylake", "alderlake", "goldmont", "skymont")

LACKING = {
    "p6": BTS | STREAM,         # no debug store before the Pentium 4, one pair of records
    "willamette": COUNTERS,     # NetBurst's counters are of another kind
    "nocona": COUNTERS,
    "phenom": BTS | STREAM | {"tr"},    # AMD has no debug store, no TR; one pair of records
    "zen3": BTS | STREAM | {"tr"},
    "zen4": BTS | {"tr"},
}
DEAD = ("via", "zhaoxin")       # DEBUGCTL takes writes, and nothing comes of them
STOCK = ("stock-QEMU", "max", "qemu64")     # TCG has TF, and swallows writes to DEBUGCTL


# One CPU for each kind of layout: a pair of registers, a packed stack, stacks of two and of
# three registers, the architectural one, AMD's.
LAYOUTS = ("p6", "willamette", "nocona", "core2", "skylake", "alderlake", "zen4")


# Three quarters of the time of a run with all workloads, beside the programs in C.
LONG = ("million", "interrupts")


def listed(what):
    """The names that `everybranch list methods` or `list workloads` prints."""
    done = subprocess.run([os.path.join(BUILD, "everybranch"), "list", what], capture_output=True,
                          text=True, check=True)
    return [line.split()[0] for line in done.stdout.splitlines() if line.strip()]


def default_workloads():
    """Without those of an APIC in x2APIC mode, in which none of these processors begins."""
    return [name for name in listed("workloads") if not name.endswith("_x2")]


def small_workloads():
    """Without the programs in C and the long ones."""
    programs = {name[:-2] for name in os.listdir(os.path.join(ROOT, "kernel/workloads"))
                if name.endswith(".c")}
    return [name for name in default_workloads() if name not in programs and name not in LONG]


def _all_but_step():
    return set(listed("methods")) - {"step", "none"}


def lacking(cpu):
    """The names of the methods that this CPU lacks."""
    if cpu in STOCK or cpu in DEAD:
        return _all_but_step()
    if cpu not in qemu.CPUS:
        raise KeyError("no processor of that name: %s" % cpu)
    return (LACKING.get(cpu, set()) | (set() if cpu == "zen3" else SAMPLING) |
            (set() if cpu in WITH_PACKETS else PACKETS))
