"""What a user may ask of a run: CPU=, METHOD=, FILTER=, BOOT= and the like, each held against
what exists.  What is wrong is reported before anything boots."""
import glob
import math
import os
import re
import subprocess

from nearest import did_you_mean
import qemu
from qemu import Trouble

BUNDLE = ".ebw"                 # the image loads such files as workloads
BUNDLE_HEAD = 16                # bytes before what common/log/bundle.h calls the body
LISTS = ("workload", "method", "filter")

# What `make run` runs unless it is told what to: each kind of transfer, in both rings, and in
# a dozen workloads that every processor gets through in seconds.
SMOKE = ("loop", "loopcc", "jrcxz", "kinds", "recursion", "far_call", "int3", "pf", "ring3_sys",
         "sysenter", "timer", "wt")

QUIET_LIMIT = 240               # seconds without a byte: longer than the guest's watchdog takes


def bundle_name(path):
    """The workload's name in a file that may be broken: common/log/bundle.h."""
    try:
        with open(path, "rb") as file:
            file.seek(BUNDLE_HEAD)
            body = file.read()
    except OSError as error:
        raise Trouble("BUNDLE=%s: %s" % (path, error.strerror))
    at = int.from_bytes(body[:8], "little")
    return body[at:at + 32].split(b"\0")[0].decode("ascii", errors="replace")


def bundles_of(text):
    """The files that BUNDLE= names, with commas or spaces between."""
    paths = re.split(r"[,\s]+", text.strip()) if text.strip() else []
    for path in paths:
        if not path.lower().endswith(BUNDLE):
            raise Trouble("BUNDLE=%s: want a file that `everybranch pack` made (%s)"
                          % (path, BUNDLE))
        if not os.path.isfile(path):
            raise Trouble("BUNDLE=%s: there is no such file" % path)
    return paths


def processors_of(text):
    """How many SMP= says."""
    if not re.fullmatch("[1-9][0-9]{0,2}", text) or int(text) > qemu.PROCESSORS_MAX:
        raise Trouble("SMP=%s: want how many processors, 1 to %d: QEMU has no more without an "
                      "IOMMU" % (text, qemu.PROCESSORS_MAX))
    return int(text)


def wrong_processors(line, machine):
    """Says what is wrong with a line that a real machine would accept, or None.  `machine` is
    how many processors this one has."""
    key, _, value = line.partition("=")
    if key != "processors" or value == "all" or int(value, 0) <= machine:
        return None
    if int(value, 0) > qemu.PROCESSORS_MAX:
        return "an emulated machine has %d at most, by SMP=" % qemu.PROCESSORS_MAX
    return "this machine has %d: want SMP=%d, too" % (machine, int(value, 0))


def seconds_of(text):
    """How long TIMEOUT= waits for the next byte."""
    try:
        seconds = float(text or QUIET_LIMIT)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise Trouble("TIMEOUT=%s: want a number of seconds, above 0" % text)
    return seconds


def without_pmu(text):
    """Whether PMU= switches it off."""
    if text not in ("", "on", "off"):
        raise Trouble("PMU=%s: want on or off" % text)
    return text == "off"


def is_on(variable, text):
    """Whether a variable that takes 1 or nothing is 1."""
    if text not in ("", "1"):
        raise Trouble("%s=%s: want 1, or nothing" % (variable, text))
    return text == "1"


class Options:
    """The lines of everybranch.cfg that the user asks for, held against the host program."""

    def __init__(self, program, environment, boot, bundles, as_is=False, smoke=False):
        """as_is: what BOOT= says is not held against anything.  smoke: without a choice of
        workloads only SMOKE runs, with the user's own."""
        self.program, self.environment, self.as_is = program, environment, as_is
        self.boot, self.bundles = boot, bundles
        self.is_smoke = (smoke and not environment.get("WORKLOAD")
                         and not any(word.startswith("workload=") for line in boot
                                     for word in line.split()))
        self.also = ["--workload=" + bundle_name(path) for path in bundles]

    def ask(self, *words):
        return subprocess.run([self.program, *words], capture_output=True, text=True)

    def names(self, variable, what):
        """A list from the environment; each name is one that `list WHAT` prints."""
        wanted = (self.environment.get(variable) or "").split(",")
        if wanted == [""]:
            return self.smoke() if variable == "WORKLOAD" and self.is_smoke else []
        if "" in wanted:
            raise Trouble("%s=%s: want names with a comma between"
                          % (variable, ",".join(wanted)))
        known = self.ask("list", what)
        names = [line.split()[0] for line in known.stdout.splitlines() if line.strip()]
        if variable == "WORKLOAD":
            names += [bundle_name(path) for path in self.bundles]
        for name in wanted:
            if name not in names:
                raise Trouble("%s=%s: there is no such %s%s\n`%s list %s` prints all"
                              % (variable, name, variable.lower(), did_you_mean(name, names),
                                 self.program, what))
        return wanted

    def smoke(self):
        own = glob.glob(os.path.join(self.environment["EXTRA"], "*.asm")) \
            if self.environment.get("EXTRA") else []
        return [*SMOKE, *sorted(os.path.basename(path)[:-len(".asm")] for path in own),
                *(bundle_name(path) for path in self.bundles)]

    def chosen(self):
        """(variable, line) each, in the order in which they are read."""
        for variable, what, key in (("WORKLOAD", "workloads", "workload"),
                                    ("METHOD", "methods", "method")):
            wanted = self.names(variable, what)
            if wanted:
                yield variable, "%s=%s" % (key, ",".join(wanted))
        if self.environment.get("FILTER"):
            yield "FILTER", "filter=" + self.environment["FILTER"]
        for line in self.boot_lines():      # a command goes to the end of its line
            for word in [line] if line.startswith("do ") else line.split():
                yield "BOOT", word

    def boot_lines(self):
        """The options in BOOT=, which commas separate; a value with commas stays together."""
        lines = []
        for piece in self.boot:
            is_list = lines and (lines[-1].split("=")[0] in LISTS and "=" not in piece
                                 or lines[-1].startswith("do "))
            if (is_list and not piece.startswith("do ")
                    and self.ask("options", *self.also, "--", piece).returncode):
                lines[-1] += "," + piece
            else:
                lines.append(piece)
        return lines

    def lines(self):
        """All of them; Trouble names the first that is wrong, and the values that it takes."""
        chosen = list(self.chosen())
        given = {}
        for variable, line in chosen:
            key = line.split("=")[0]
            if key in given and not line.startswith("do "):
                raise Trouble("%s: %s is given twice, by %s= too" % (line, key, given[key]))
            given[key] = variable
            if self.as_is and variable == "BOOT":
                continue
            answer = self.ask("options", *self.also, "--", line)
            if answer.returncode:
                place = line if variable == "BOOT" else line.split("=", 1)[1]
                raise Trouble("%s=%s: %s" % (variable, place, answer.stderr.strip()
                                             .removeprefix(line).removeprefix(": ")))
            wrong = wrong_processors(line, processors_of(self.environment.get("SMP") or "1"))
            if wrong:
                raise Trouble("%s=%s: %s" % (variable, line, wrong))
        return [line for _, line in chosen]

    def idle(self, lines):
        """A sentence for each that does nothing with the methods."""
        return self.ask("options", *self.also, "--", *lines).stdout.splitlines() \
            if lines else []
