"""Batches of random programs on all CPUs, summed up; what disagrees is made small."""
import concurrent.futures
import datetime
import os
import re
import subprocess
import time

import program
from batch import BUILD, EMULATOR, JUDGES, STOCK, Batch, Boot, Trouble, prepare
from claims import MACHINES
from processors import lacking
from shrink import holds_as_a_file, how_to_see, property_words, shrink, write_workload
import qemu

BATCH = 1000                    # programs in one image
SHOWN = 5                       # disagreements of one boot that are shown
SHRUNK = 2                      # that are made small
CPUS = [*qemu.CPUS, STOCK]


class Sums:
    def __init__(self):
        self.runs = self.records = self.disagreements = 0

    def add(self, boot):
        self.runs += boot.runs
        self.records += boot.records
        self.disagreements += len(boot.disagreements)


class Campaign:
    def __init__(self, seed, progress, cpus=(), methods="", properties=()):
        self.seed, self.progress = seed, progress
        # No property can make stock QEMU misbehave.
        self.cpus = list(cpus) or list(qemu.CPUS if properties else CPUS)
        self.methods, self.properties = methods, properties
        self.begin, self.versions = time.monotonic(), versions()
        self.programs = self.instructions = self.transfers = 0
        self.sums = {cpu: Sums() for cpu in self.cpus}
        self.found = {}         # (CPU, methods): the first disagreement, its tree and seed

    def run(self, count):
        wanted = set(self.methods.split(",")) if self.methods else {"step"}
        if all(cpu != STOCK and wanted <= lacking(cpu) for cpu in self.cpus):
            raise Trouble("METHOD=%s is on no CPU of %s" % (self.methods, ",".join(self.cpus)))
        for first in range(0, count, BATCH):
            self.batch(first, min(BATCH, count - first))

    def batch(self, first, count):
        """Programs `first` and so on; returns the boots."""
        begin = time.monotonic()
        seeds = {"random_%d" % i: "%s.%d" % (self.seed, i) for i in range(first, first + count)}
        batch = Batch(os.path.join(BUILD, "batch"),
                      {name: program.grow(seed) for name, seed in seeds.items()},
                      {name: "random program, seed " + seed for name, seed in seeds.items()})
        prepare()
        batch.build()
        self.programs += count
        self.instructions += batch.instructions
        self.transfers += batch.transfers
        self.progress("programs %d to %d: %d instructions stepped through, %d transfers (%.0f s)"
                      % (first, first + count - 1, batch.instructions, batch.transfers,
                         time.monotonic() - begin))
        with concurrent.futures.ThreadPoolExecutor(MACHINES) as pool:
            boots = pool.map(lambda cpu: self.timed(cpu, count), self.cpus)
            return [self.take(boot, batch, seeds) for boot in boots]

    def timed(self, cpu, count):
        begin = time.monotonic()
        boot = Boot(cpu, count, self.methods, self.properties).run()
        boot.seconds = time.monotonic() - begin
        return boot

    def take(self, boot, batch, seeds):
        self.sums[boot.cpu].add(boot)
        self.progress("  %-12s %d runs, %d records, %d disagreements (%.0f s)"
                      % (boot.cpu, boot.runs, boot.records, len(boot.disagreements),
                         boot.seconds))
        for one in boot.disagreements[:SHOWN]:
            self.progress("    %s" % one)
        if len(boot.disagreements) > SHOWN:
            self.progress("    and %d more" % (len(boot.disagreements) - SHOWN))
        for one in boot.disagreements:
            if one.name:        # some belong to no program: of a facility, say
                self.found.setdefault((one.cpu, one.methods), (
                    one, batch.programs[one.name], seeds[one.name]))
        return boot

    def disagreements(self):
        return sum(sums.disagreements for sums in self.sums.values())

    def shrink(self):
        """Workload files of the first disagreements: [(path, the disagreement)]."""
        chosen = enumerate(list(self.found.values())[:SHRUNK], 1)
        left = [self.shrink_one(number, *found) for number, found in chosen]
        return [one for one in left if one]

    def shrink_one(self, number, one, tree, seed):
        def written(tree):
            return write_workload(tree, "shrunk_%s_%d" % (seed.replace(".", "_"), number),
                                  "made smaller from seed " + seed, str(one))

        self.progress("made smaller: %s" % one)
        small = shrink(tree, one, self.properties, self.progress,
                       lambda tree: holds_as_a_file(written(tree), one, self.properties))
        if not small:
            self.progress("  seed %s disagrees only after the other programs of its batch" % seed)
            return None
        path = written(small)
        self.progress("  %s\n  %s" % (path, how_to_see(path, one, self.properties, seed)))
        return path, one

    def sentence(self):
        bad = self.disagreements()
        return ("%d programs of seed %s, %d transfers each on average: %d runs with %d records "
                "on %d CPUs, %s"
                % (self.programs, self.seed, round(self.transfers / max(self.programs, 1)),
                   sum(sums.runs for sums in self.sums.values()),
                   sum(sums.records for sums in self.sums.values()), len(self.cpus),
                   "%d DISAGREEMENTS" % bad if bad else "no disagreement"))

    def save(self):
        """Leaves all there is to say in a file."""
        with open(os.path.join(BUILD, "result.txt"), "w") as file:
            file.write(self.result())

    def command(self):
        """What does the same again, also where CPUs have been added."""
        return "make fuzz N=%d SEED=%s CPU=%s%s%s" % (
            self.programs, self.seed, ",".join(self.cpus),
            " METHOD=" + self.methods if self.methods else "", property_words(self.properties))

    def result(self):
        now = datetime.datetime.now(datetime.timezone.utc)
        lines = [self.sentence(), "",
                 "date       %s" % now.strftime("%Y-%m-%d %H:%M UTC"),
                 "again by   %s" % self.command(), *self.versions,
                 "judges     %s" % ", ".join(JUDGES),
                 "seconds    %.0f" % (time.monotonic() - self.begin), "",
                 "%-12s %10s %12s %14s" % ("CPU", "runs", "records", "disagreements")]
        lines += ["%-12s %10d %12d %14d" % (cpu, sums.runs, sums.records, sums.disagreements)
                  for cpu, sums in self.sums.items()]
        return "\n".join(lines) + "\n"


def versions():
    """Of all that takes part; at the end of a long run the checkout can be another."""
    return ["commit     %s" % said("git", "describe", "--always", "--abbrev=7", "--dirty"),
            "compiler   %s" % said(os.environ.get("CC") or "gcc", "--version"),
            "assembler  %s" % said(os.environ.get("NASM") or "nasm", "--version"),
            "emulator   %s" % said(EMULATOR, "--version"),
            "stock QEMU %s" % said("qemu-system-x86_64", "--version"),
            "truth by   %s" % processor()]


def said(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    return done.stdout.splitlines()[0] if done.stdout else "unknown"


def processor():
    with open("/proc/cpuinfo") as file:
        found = re.search(r"^model name\s*: (.*)", file.read(), re.M)
    return found.group(1) if found else "unknown"
