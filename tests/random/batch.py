"""Many programs in one image: assembled, stepped here for their truth, booted, and held
against everything that knows better.

    write -> nasm -> stepped natively -> rows -> image -> boot with the observer -> log
                                                                 |
     everybranch check   against the truth, and the methods against each other
     compare             against what the observer in QEMU saw
     trail               against the bytes of the code alone
"""
import concurrent.futures
import json
import os
import re
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "scripts"))
from claims import BUILD as BUILT, MACHINES, ROOT                         # noqa: E402
from processors import lacking                                  # noqa: E402
import program                                                  # noqa: E402
import snapshot                                                 # noqa: E402

ALL = os.path.relpath(BUILT, ROOT)
BUILD = os.path.join(ALL, "fuzz")
EMULATOR = os.environ.get("EMULATOR") or os.path.join(ALL, "emulator/qemu-system-x86_64")
CHUNK = 100                     # programs in a file: nasm takes far longer for more
IMAGE_MAX = 32 << 20            # bytes; the image of `make usb` has its own limit
JUDGES = ("truth", "observer", "code")
STOCK = "stock-QEMU"            # among the CPUs: only TF works there
ROW = struct.Struct("<i16si16sII")                              # struct taken
CALLER = -0x80000000
FLAGS = 1 | 4                   # WORKLOAD_RING0, WORKLOAD_LOW
KINDS = (None, "JCC", "JMP", "IJMP", "CALL", "ICALL", "RET", "INT", "EXC", "IRET", "FAR")


class Trouble(Exception):
    """Why nothing could be held against anything, in a sentence."""


class Disagreement:
    """One line of one of the judges.  Two with the same `way` differ in the same way."""

    def __init__(self, cpu, judge, name, methods, text):
        self.cpu, self.judge, self.name, self.methods, self.text = \
            cpu, judge, name, methods, text
        said = re.findall(r"\(([a-z +-]+)\)", text)         # as in "(lost)"
        without_numbers = re.sub(r"0x[0-9a-f]+|\d+", "N", text.split(": ")[-1])
        self.way = (cpu, judge, methods, said[-1] if said else without_numbers)

    def __str__(self):
        return "%s, %s: %s" % (self.cpu, self.judge, self.text)


def ended(*words, good=(0,), **environment):
    """Its status and what it says; Trouble where it ends otherwise than it should."""
    clean = {key: value for key, value in os.environ.items()
             if key not in ("CPU", "METHOD", "WORKLOAD", "BOOT", "PROPERTY", "EXTRA", "TIMEOUT",
                            "MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace",
                          env={**clean, "BUILD": BUILD, "EMULATOR": EMULATOR, **environment})
    if done.returncode not in good:
        raise Trouble("%s: status %d:\n%s" % (" ".join(words), done.returncode,
                                              done.stdout.strip()[-2000:]))
    return done.returncode, done.stdout


def command(*words, **environment):
    return ended(*words, **environment)[1]


def make(*words):
    command("make", "--no-print-directory", "--silent", "-j%d" % MACHINES, "BUILD=" + BUILD,
            "EMULATOR=" + EMULATOR, "IMAGE_MAX=%d" % IMAGE_MAX, *words)


SHARED = ("boot", "common", "kernel", "host", "include")
OBJECTS = ("random/expected", "random/trail", "native/step", "native/apic", "observer/compare")


def share():
    """Brings the main build up to date, and takes its objects: a batch differs in its
    workloads alone."""
    os.makedirs(BUILD, exist_ok=True)
    command("flock", ALL + "/make.lock", "sh", "-c", 'all=$1 build=$2; shift 2; "$@" && '
            "for name in %s; do cp -rpu $all/$name $build || exit; done" % " ".join(SHARED),
            "sh", ALL, BUILD, "make", "--no-print-directory", "--silent", "-j%d" % MACHINES,
            "BUILD=" + ALL, "all", *("%s/host/tests/%s.o" % (ALL, name) for name in OBJECTS))


def prepare():
    """What is the same for every batch."""
    share()
    make(BUILD + "/host/tests/random/expected.o", BUILD + "/host/tests/native/step.o",
         BUILD + "/host/tests/native/apic.o",
         BUILD + "/tests/observer.so", BUILD + "/tests/observer-stock.so")


# --- the programs --------------------------------------------------------------------------


class Batch:
    """`programs`: {name: tree}; `about`: {name: what it is, in a few words}."""

    def __init__(self, folder, programs, about):
        self.folder, self.programs, self.about = folder, programs, about
        self.written = {name: program.write(tree) for name, tree in programs.items()}
        self.transfers = self.instructions = 0
        os.makedirs(folder, exist_ok=True)

    def file(self, name):
        return os.path.join(self.folder, name)

    def code(self, names):
        """As common/branch/workload.h has it, but for the expectation, which nobody knows yet."""
        out = ["bits 64", "default rel"]
        for name in names:
            lines, stubs = self.written[name]
            out += ["section .text.workloads progbits alloc exec nowrite align=64",
                    "align 64", "global workload_%s:function hidden" % name,
                    "workload_%s:" % name, *lines, ".end:",
                    "section .rodata",
                    ".name: db '%s', 0" % name, ".about: db '%s', 0" % self.about[name],
                    "align 4", ".stubs:"]
            out += ["        dd %d, %s - workload_%s" % (vector, label, name)
                    for vector, label in stubs.items()]
            out += ["section workloads progbits alloc write align=8",
                    "        dq .name, .about, workload_%s, 0, .stubs" % name,
                    "        dd .end - workload_%s, 0, %d, %d" % (name, len(stubs), FLAGS),
                    "        dq 0, 0, 0, 0, 0, 0"]
        out.append("section .note.GNU-stack noalloc noexec nowrite progbits")
        return "\n".join(out) + "\n"

    def assemble(self):
        """Returns the object with all code."""
        names = list(self.programs)
        chunks = [names[at:at + CHUNK] for at in range(0, len(names), CHUNK)]

        def one(number):
            base = self.file("code%d" % number)
            with open(base + ".asm", "w") as file:
                file.write(self.code(chunks[number]))
            nasm(base + ".asm", base + ".o")
            return base + ".o"

        with concurrent.futures.ThreadPoolExecutor(MACHINES) as pool:
            objects = list(pool.map(one, range(len(chunks))))
        command(os.environ.get("LD") or "ld", "-r", "-o", self.file("code.o"), *objects)
        return self.file("code.o")

    def step(self):
        """Has this machine's processor step through all: the rows of each."""
        code, truth = self.assemble(), self.file("truth")
        # Below 4 GiB, where a far pointer of 16:32 reaches.
        command(os.environ.get("CC") or "gcc", "-no-pie", "-o", truth,
                BUILD + "/host/tests/random/expected.o", BUILD + "/host/tests/native/step.o",
         BUILD + "/host/tests/native/apic.o",
                code, "-lZydis")
        _, said = ended(truth, self.file("rows"), self.file("table.asm"), good=(0, 1))
        failed = []
        for line in said.splitlines():
            stepped = re.fullmatch(r"(\w+) (\d+) (\d+)", line)
            if stepped:
                self.transfers += int(stepped.group(2))
                self.instructions += int(stepped.group(3))
            else:
                failed.append("%s: %s" % (self.about.get(line.split(":")[0]), line))
        if failed:
            raise Trouble("\n".join(failed))

    def lay_out(self):
        """The object for the image: code, rows, and what says where each is."""
        nasm(self.file("table.asm"), self.file("table.o"))
        command(os.environ.get("OBJCOPY") or "objcopy", "--remove-section=workloads",
                self.file("code.o"), self.file("text.o"))
        command(os.environ.get("LD") or "ld", "-r", "-o", self.file("batch.o"),
                self.file("text.o"), self.file("table.o"))
        return self.file("batch.o")

    def build(self):
        self.step()
        self.link()

    def link(self):
        make("WORKLOAD_OBJECTS=" + self.lay_out(), BUILD + "/everybranch.img", BUILD + "/everybranch",
             BUILD + "/tests/compare", BUILD + "/tests/trail")

    def expectation(self, name):
        """The rows of one, with the labels of its code, in the words of workload.inc."""
        symbols = command("nm", self.file("code.o"))
        labels = {}
        for at, label in re.findall(r"^(\w+) \w workload_%s(\.\w+)$" % name, symbols, re.M):
            labels.setdefault(int(at, 16), label)
        start = int(re.search(r"^(\w+) \w workload_%s$" % name, symbols, re.M).group(1), 16)

        def place(offset):
            return "CALLER" if offset == CALLER else labels[start + offset]

        with open(self.file("table.asm")) as file:
            found = re.search(r"workload_%s, rows \+ (\d+),.*\n *dd \d+, (\d+)," % name,
                              file.read())
        with open(self.file("rows"), "rb") as file:
            file.seek(int(found.group(1)))
            rows = ROW.iter_unpack(file.read(int(found.group(2)) * ROW.size))
        return ["        TAKEN   %s, %s, %s, %d" % (KINDS[kind], place(begin), place(end), times)
                for begin, _, end, _, kind, times in rows]


def nasm(source, out):
    command(os.environ.get("NASM") or "nasm", "-f", "elf64", "-Werror", "-o", out, source)


# --- a boot, and what is said of its log ---------------------------------------------------


class Boot:
    """Every program of the image by every method on one CPU."""

    def __init__(self, cpu, programs, methods="", properties=()):
        self.cpu, self.programs, self.methods = cpu, programs, methods
        self.out = os.path.join(BUILD, "run", cpu)
        self.log = os.path.join(self.out, "everybranch.log")
        self.observed = os.path.abspath(self.out + ".txt")
        # The judge of the code reads FROM as it is, and knows no fusion: the workload fusible does.
        self.properties = (*properties, "bt-fuse=off") if cpu == "zen4" else properties
        self.runs = self.records = 0
        self.disagreements = []

    def words(self, how):
        where = command("tests/observer/arguments", BUILD + "/everybranch.so").strip()
        stock = self.cpu == STOCK
        words = ["scripts/run", "tcg" if stock else "emulator", "--no-check",
                 *how, "--out", self.out, "--extra=-plugin", "--extra=%s,out=%s,%s"
                 % (os.path.abspath(BUILD + "/tests/observer%s.so" % ("-stock" if stock else "")),
                    self.observed, where)]
        for one in self.properties:
            words += ["--property", one]
        if not stock:
            words += ["--extra=" + word for word in snapshot.words(EMULATOR)]
        return words

    def run(self):
        try:
            self.boot("--stick")
        except Trouble as first:
            raise Trouble("%s\nand once more, on the serial line: %s" % (first, self.again()))
        self.plan_and_sums()
        self.hear_check(JUDGES[0])
        asks = ((BUILD + "/tests/compare", self.log, self.observed),
                (BUILD + "/tests/trail", self.log))
        for judge, words in zip(JUDGES[1:], asks):
            self.hear(judge, *words)
        self.all_ran()
        return self

    def again(self):
        """How far it comes, which the serial line shows."""
        try:
            self.boot()
        except Trouble as second:
            return str(second)
        return "came to its end"

    def boot(self, *how):
        if self.cpu == STOCK:
            command(*self.words(how), METHOD="step")
        else:
            command(*self.words(how), CPU=self.cpu, METHOD=self.methods)

    def asked(self):
        """The methods that the log must have."""
        if self.cpu == STOCK:
            return {"step"}
        if self.methods:
            return set(self.methods.split(","))
        return {line.split()[0]
                for line in command(BUILD + "/everybranch", "list", "methods").splitlines()}

    def plan_and_sums(self):
        """A narrow plan would pass in silence."""
        with open(self.log) as file:
            log = file.read()
        end = re.search(r"^end runs=(\d+) ran=(\d+) skipped=\d+ records=(\d+)", log, re.M)
        planned, self.runs, self.records = (int(number) for number in end.groups())
        want = self.programs * len(self.asked())
        if planned != want:
            raise Trouble("%s: %d runs were planned, want %d" % (self.log, planned, want))

    def all_ran(self):
        """So would runs that were planned and skipped: only missing hardware excuses one."""
        methods = self.asked() - lacking(self.cpu)
        want = self.programs * len(methods)
        if self.runs != want:
            self.disagreements.append(Disagreement(
                self.cpu, "plan", None, (), "%s: %d runs, want %d: %d programs by %s" % (
                    self.log, self.runs, want, self.programs,
                    ", ".join(sorted(methods)) or "no method")))

    def hear_check(self, judge):
        """Each run that differs: the text of `check` groups them by their cause."""
        words = (BUILD + "/everybranch", "check", "--json",
                 *([] if self.cpu == STOCK else ["--no-skip"]), self.log)
        status, said = ended(*words, good=(0, 1))
        log, = json.loads(said)["logs"]
        texts = ["%s %s %s: %s" % (log["machine"]["row"], run["method"], run["workload"], run["why"])
                 for run in log["runs"] if run["verdict"] in ("measured", "fail", "error")]
        texts += [complaint["what"] for complaint in log["complaints"]]
        self.take(judge, words, status, len(log["runs"]), texts, said)

    def hear(self, judge, *words):
        status, said = ended(*words, good=(0, 1))
        looked_at = re.findall(r"^(?:\S+: )?(\d+) runs?", said, re.M)
        texts = re.findall(r"^\S+:\d+: (.*)", said, re.M)
        self.take(judge, words, status, int(looked_at[-1]) if looked_at else 0, texts, said)

    def take(self, judge, words, status, looked_at, texts, said):
        if looked_at < self.runs:
            raise Trouble("%s: looked at %d runs, want %d:\n%s"
                          % (" ".join(words), looked_at, self.runs, said[-1000:]))
        self.disagreements += [self.disagreement(judge, text) for text in texts]
        if bool(status) != bool(texts):
            raise Trouble("%s: status %d, and yet:\n%s"
                          % (" ".join(words), status, said[-1000:]))

    def disagreement(self, judge, text):
        name = re.search(r"\b((?:random|shrunk)_\w+)", text)
        pair = re.search(r": (\S+) and (\S+) disagree", text)
        if pair:
            methods = pair.groups()
        else:
            before = text[:name.start()].split() if name else []
            methods = tuple(before[-1:])
        return Disagreement(self.cpu, judge, name and name.group(1), methods, text)
