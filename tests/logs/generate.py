"""Logs as docs/log.md says they look, made without a line of the kernel's or host's C.

The workloads come from their object files, the lengths of instructions from objdump, the
checksums from zlib.  What a method shows is worked out here a second time, so that a log
that passes was not judged by its own author.
"""
import os
import re
import struct
import subprocess
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CALLER = -0x80000000
KINDS = ("none", "jcc", "jmp", "ijmp", "call", "icall", "ret", "int", "exc", "iret", "far",
         "db", "cleared", "set", "held", "masked", "loaded")
MARKS = ("cleared", "set", "held", "masked", "loaded")  # what an instruction did to TF
REPEAT, REPEAT_END = 64, 65
SYSENTER = 258                          # a vector of a stub, behind the processor's own
RING3, COMPAT = 1, 2                    # flags of a part: in ring 3, code of 32 bits
MANY = 32                               # a flag of a workload

IMAGE_AT, IMAGE_SIZE = 0x5e000000, 0x80000
CALL, BACK = 0x5e001200, 0x5e001202
FIRST_WORKLOAD_AT, WORKLOAD_APART = 0x5e010000, 0x1000

METHODS = ("step", "btf", "btf+lbr", "lbr", "bts")
STEPPING, STOPS = ("step", "btf", "btf+lbr"), ("step", "btf", "pmi")
BUFFER = 65536
# What counts taken branches: the event, whether of far ones too; and what counts these as well.
EVENTS = {"core2": ("0xc4/0xc", True), "nehalem": ("0xc4/0x0", True),
          "skylake": ("0xc4/0x20", False), "archlbr": ("0xc4/0x20", False), "zen3": ("0xc4/0x0", True)}
ALL_BRANCHES = "0xc4/0x0"
WINDOW_INSNS, WINDOW_NOT_TAKEN = 17, 1  # what runs besides while the counter is on
COUNTED = ("pmi", "lbr-stream", "brs")
PIECE = 16                              # of branch sampling
NEAR, FAR = ("jcc", "jmp", "ijmp", "call", "icall", "ret"), ("int", "iret", "far")
DRAINED = {"bts-pmi": (16, 8, "fixed"), "bts-each": (16, 2, "nmi")}

# name: (vendor, family, model, arch_lbr_depths, LBR depth, has BTS)
MODELS = {
    "core2": ("GenuineIntel", 6, 0x0f, 0, 4, True),
    "nehalem": ("GenuineIntel", 6, 0x1a, 0, 16, True),
    "sandybridge": ("GenuineIntel", 6, 0x3a, 0, 16, True),
    "skylake": ("GenuineIntel", 6, 0x5e, 0, 32, True),
    "archlbr": ("GenuineIntel", 6, 0x97, 0x0b, 32, True),
    "netburst": ("GenuineIntel", 15, 4, 0, 16, True),
    "amd10h": ("AuthenticAMD", 16, 10, 0, 1, False),
    "zen3": ("AuthenticAMD", 25, 0x21, 0, 1, False),
    "zen4": ("AuthenticAMD", 25, 0x61, 0, 16, False),
    "zhaoxin": ("  Shanghai  ", 7, 0x1b, 0, 0, False),
    "unknown": ("CentaurHauls", 8, 0x1b, 0, 0, False),
}


def signature(family, model):
    """CPUID.1:EAX, of stepping 3."""
    base, more = min(family, 15), family - min(family, 15)
    return more << 20 | model >> 4 << 16 | base << 8 | (model & 0xf) << 4 | 3


def words(text):
    """Three registers of twelve letters."""
    return struct.unpack("<3I", text.encode().ljust(12, b"\0"))


# --- workloads, from their object files ---------------------------------------------------

class Sections:
    """The bytes of each section of an object file."""

    def __init__(self, elf):
        self.elf = elf
        self.sections()

    def sections(self):
        offset, = struct.unpack_from("<Q", self.elf, 0x28)
        size, count, names = struct.unpack_from("<HHH", self.elf, 0x3a)
        self.headers = [struct.unpack_from("<IIQQQQIIQQ", self.elf, offset + i * size)
                        for i in range(count)]
        strings = self.bytes_of(self.headers[names])
        self.section = {strings[h[0]:strings.index(b"\0", h[0])].decode(): self.bytes_of(h)
                        for h in self.headers}

    def bytes_of(self, header):
        return self.elf[header[4]:header[4] + header[5]]


class Workload(Sections):
    """What one object file says of its workload."""

    def __init__(self, path):
        with open(path, "rb") as file:
            super().__init__(file.read())
        self.symbols()
        name = next(symbol for symbol in self.symbol if symbol.endswith(".expect"))
        self.name = name[len("workload_"):-len(".expect")]
        self.about = self.text("about")
        self.code = self.section[".text.workloads"][:self.at("end")]
        self.read_rows()
        self.read_stubs()
        self.read_parts()
        self.length, self.jcc, self.repeats, self.taken = {}, {}, {}, None
        self.disassemble(0)

    def symbols(self):
        names, table = self.section[".strtab"], self.section[".symtab"]
        self.symbol = {}
        for at in range(0, len(table), 24):
            name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", table, at)
            self.symbol[names[name:names.index(b"\0", name)].decode()] = value

    def at(self, label):
        return self.symbol["workload_%s.%s" % (self.name, label)]

    def text(self, label):
        data = self.section[".rodata"][self.at(label):]
        return data[:data.index(b"\0")].decode()

    def read_rows(self):
        data = self.section[".rodata"]
        self.rows = []
        for at in range(self.at("expect"), self.at("expect_end"), 48):
            begin, label, to, to_label, kind, times = struct.unpack_from("<i16si16sII", data, at)
            self.rows.append((begin, label.rstrip(b"\0").decode(), to,
                              to_label.rstrip(b"\0").decode(), kind, times))

    def read_stubs(self):
        data = self.section[".rodata"][self.at("stubs"):self.at("parts")]
        self.stubs = len(data) // 8
        vectors = struct.unpack("<%dI" % (len(data) // 4), data)[::2]
        self.takes_db, self.takes_sysenter = 1 in vectors, SYSENTER in vectors
        self.is_long = struct.unpack_from("<I", self.section["workloads"], 52)[0] & MANY

    def read_parts(self):
        """[begin, end, whether it has 32 bits, CS base, whether it is in ring 3]"""
        data = self.section[".rodata"][self.at("parts"):self.at("expect")]
        self.parts = [(begin, end, flags & COMPAT, base, flags & RING3)
                      for begin, end, flags, base in struct.iter_unpack("<4I", data)]

    def part(self, at):
        return next((part for part in self.parts if part[0] <= at < part[1]), (0, 0, 0, 0, 0))

    def disassemble(self, begin):
        """Where instructions begin from here on, and the target of the conditional ones."""
        ends = sorted({len(self.code)}.union(*(part[:2] for part in self.parts)))
        for end in (end for end in ends if end > begin):
            self.disassemble_part(begin, end)
            begin = end

    def disassemble_part(self, begin, end):
        """From the bare bytes: with symbols objdump would begin anew at every label."""
        with tempfile.NamedTemporaryFile() as file:
            file.write(self.code)
            file.flush()
            said = subprocess.run(["objdump", "-D", "-bbinary", "-Mintel",
                                   "-mi386" if self.part(begin)[2] else "-mi386:x86-64",
                                   "--start-address=%d" % begin, "--stop-address=%d" % end,
                                   file.name],
                                  capture_output=True, text=True, check=True).stdout
        for line in said.splitlines():
            found = re.match(r" +([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *(?:\t(.*))?$", line)
            if not found:
                continue
            at, count = int(found.group(1), 16), len(found.group(2).split())
            if found.group(3) is None:          # the bytes of the line before go on
                self.length[last] += count
                continue
            last = at
            self.length[at] = count
            jump = re.match(r"(?:addr32 )?(?:j(?!mp)\w+|loop\w*)\b.* 0x([0-9a-f]+)$",
                            found.group(3).rstrip())
            if jump:
                self.jcc[at] = int(jump.group(1), 16)
            # How often it stops there: as the number before it in ECX says, at least once; what
            # a flag or an interrupt's handler may end sooner, three times.
            number = re.match(r"mov(?:abs)? +[er]cx,0x([0-9a-f]+)|xor +ecx,ecx", found.group(3))
            if number:
                rounds = int(number.group(1) or "0", 16)
            repeat = re.match(r"(?:addr32 )?rep(\w*) (?:addr32 )?(movs|stos|cmps|scas|lods|ins|outs)",
                              found.group(3))
            if repeat:
                self.repeats[at] = 3 if repeat.group(1) or rounds & 0xffffffff > 99 else \
                    max(rounds & 0xffffffff, 1)

    def next(self, at):
        """The instruction behind this one, which may begin in the middle of another."""
        if at not in self.length:
            self.disassemble(at)
        return at + self.length[at]

    def labels(self):
        found = {}
        for begin, label, to, to_label, kind, _ in self.rows:
            if kind < REPEAT:
                for offset, name in ((begin, label), (to, to_label)):
                    if offset != CALLER:
                        found.setdefault(name, offset)
        return found

    def ticks(self):
        """What a run of it takes, by any method: 1000, or where that cannot be much more."""
        if self.taken is None:
            self.taken = len(self.truth())
        return 1000 if self.taken < 200 else 10 * self.taken

    def truth(self):
        """Every transfer as (from, to, kind), ends as offsets or CALLER."""
        def expand(rows):
            out, i = [], 0
            while i < len(rows):
                kind, times = rows[i][4:]
                if kind == REPEAT:
                    depth, end = 1, i
                    while depth:
                        end += 1
                        depth += {REPEAT: 1, REPEAT_END: -1}.get(rows[end][4], 0)
                    out += expand(rows[i + 1:end]) * times
                    i = end
                else:
                    out += [(rows[i][0], rows[i][2], KINDS[kind])] * times
                i += 1
            return out
        return expand(self.rows)


    def retired(self):
        """Instructions between the call and the return, and branches not taken among them."""
        insns = not_taken = 0
        begin = None
        for at, to, kind in self.truth():
            if kind in MARKS:
                continue
            place = begin if begin is not None else at
            while begin is not None and place <= at:
                if place != at or kind != "exc":
                    insns += 1
                not_taken += place in self.jcc and (place != at or kind not in ("jcc", "exc"))
                place = self.next(place)
            begin = to
        return insns, not_taken


def workloads(build, names=None):
    folder = os.path.join(build, "workloads")
    # By the sources: an object may be left of what was taken away, and of a program in C
    # there is no written expectation.
    written = sorted(file[:-4] for file in os.listdir(os.path.join(ROOT, "kernel/workloads"))
                     if file.endswith(".asm"))
    found = [Workload(os.path.join(folder, name + ".o")) for name in written]
    return [w for w in found if names is None or w.name in names]


# --- what a method shows --------------------------------------------------------------

def handler_end(truth, i):
    """The index of the IRET that ends the handler which transfer i enters."""
    depth = 0
    while True:
        depth += {"int": 1, "exc": 1, "iret": -1}.get(truth[i][2], 0)
        if depth == 0:
            return i
        i += 1


def dark_end(truth, i):
    """The index of the mark that ends what POPF's mark i began."""
    return next(j for j in range(i, len(truth)) if truth[j][2] == "set")


def masked_end(truth, i):
    """The index of the mark of the SYSRET that ends what SYSCALL's mark i began."""
    return next(j for j in range(i, len(truth)) if truth[j][2] == "loaded")


def outside_handlers(truth):
    out, i = [], 0
    while i < len(truth):
        if truth[i][2] in ("int", "exc"):
            i = handler_end(truth, i)
        elif truth[i][2] == "cleared":
            i = dark_end(truth, i)
        elif truth[i][2] == "masked":           # SYSRET is seen again
            i = masked_end(truth, i)
        elif truth[i][2] not in MARKS:
            out.append(truth[i])
        i += 1
    return out


def stops_of_step(workload):
    """(offset or CALLER, flag): every stop, as the processor would make it."""
    truth = workload.truth()
    at, i, stops, silent = truth[0][1], 1, [], False
    while at != CALLER:
        if not silent:
            flag, after = "", workload.next(at)
            if workload.jcc.get(at) == after:
                flag = " taken" if truth[i][0] == at else " not-taken"
            stops += [(at, flag)] * workload.repeats.get(at, 1)
        silent = False
        if truth[i][0] == at and truth[i][2] == "cleared":
            stops.append((truth[i][1], ""))
            i = dark_end(truth, i)
            at, silent = truth[i][1], True
            i += 1
        elif truth[i][0] == at and truth[i][2] == "masked":
            i = masked_end(truth, i)
            at = truth[i][1]                    # the trap of SYSRET comes at once
            i += 2
        elif truth[i][0] != at:
            at = workload.next(at)
        elif truth[i][2] in ("int", "exc"):
            i = handler_end(truth, i)
            at, silent = truth[i][1], True      # IRET: the next trap comes after it
            i += 1
        elif truth[i][2] == "held":
            at, silent = truth[i][1], True
            i += 1
        else:
            at = truth[i][1]
            i += 1
    return stops + [(CALLER, "")]


FILTERS_OF = ("lbr", "lbr-stream", "bts-pmi", "bts-each")   # which have them here
FILTERED = {"int": "far", "exc": "far", "iret": "far"}      # the others by their own word


FILTERED_FROM = "0x%x" % (2 ** 64 - 1)                      # architectural LBR's


def ring_filtered(method, workload, truth, left_out, hides):
    """BTS leaves out the ring that a branch leaves, last-branch records the one it enters.

    hides: FROM in a ring that is left out is all ones (architectural LBR).
    """
    def ring(end):
        return "user" if end != CALLER and workload.part(end)[4] else "kernel"

    if method in ("bts", "bts-pmi", "bts-each"):
        return [t for t in truth if ring(t[0]) not in left_out]
    return [(FILTERED_FROM if hides and ring(begin) in left_out else begin, to, kind)
            for begin, to, kind in truth if ring(to) not in left_out]


def records_of(method, workload, depth, left_out=(), hides=False):
    """left_out: the words of a filter; hides: as in ring_filtered()."""
    if method == "step":
        return stops_of_step(workload)
    if method in SILENT:
        return []
    truth = workload.truth()
    if method in STEPPING:
        truth = outside_handlers(truth)
    if method == "btf":
        return [(to, "") for _, to, _ in truth]
    kinds = [kind for _, _, kind in truth]
    if method in ("lbr", "lbr-stream", "ler") and "db" in kinds:
        truth = truth[:kinds.index("db")]
    truth = [t for t in truth if t[2] != "db" and t[2] not in MARKS]
    truth = [t for t in truth if FILTERED.get(t[2], t[2]) not in left_out]
    truth = ring_filtered(method, workload, truth, left_out, hides)
    if method == "ler":
        events = [i for i, t in enumerate(truth) if t[2] in ("int", "exc")]
        return [t[:2] for t in truth[events[-1] - 1:events[-1]]] if events else []
    keep = {"lbr": depth, "bts": BUFFER}.get(method, len(truth))
    return [(begin, to) for begin, to, _ in truth[-keep:]]


# --- the log --------------------------------------------------------------------------

class Places:
    """The words of places.  Places are offsets in the workload, CALLER, or words."""

    def __init__(self, workload, at):
        self.size, self.at = len(workload.code), at
        self.begin, self.to = {CALLER: "caller"}, {CALLER: "caller"}
        for begin, label, to, to_label, kind, _ in workload.rows:
            if kind < REPEAT:
                self.begin.setdefault(begin, label)
                self.to.setdefault(to, to_label)
        self.begin, self.to = {**self.to, **self.begin}, {**self.begin, **self.to}

    def word(self, names, place):
        if isinstance(place, str) or place in names:
            return names.get(place, place)
        return "+0x%x" % place if place < self.size else "image+0x%x" % (
            self.at + place - IMAGE_AT)


def record_line(method, places, record):
    if method in STOPS:
        return "stop %s%s" % (places.word(places.to, record[0]), record[1])
    return "branch %s %s" % (places.word(places.begin, record[0]),
                             places.word(places.to, record[1]))


def folded(lines):
    """Equal neighbours as xN, a body of two or three as `again`."""
    out, i = [], 0
    while i < len(lines):
        for body in (1, 2, 3):
            times = 0
            while i >= body and lines[i:i + body] == lines[i - body:i] and body > 1:
                times += 1
                i += body
            if times:
                out.append("again %d x%d" % (body, times))
                break
        else:
            times = 1
            while i + times < len(lines) and lines[i + times] == lines[i]:
                times += 1
            out.append(lines[i] + (" x%d" % times if times > 1 else ""))
            i += times
    return out


def of_facilities(model, outcomes):
    _, _, _, _, depth, bts = MODELS[model]
    found = {"step": "works", "btf": "works", "lbr": "works" if depth else "absent",
             "bts": "works" if bts else "absent", **(outcomes or {})}
    return found


NEEDS = {"step": ("step",), "btf": ("btf",), "btf+lbr": ("btf", "lbr"), "lbr": ("lbr",),
         "bts": ("bts",), "bts-pmi": ("bts",), "bts-each": ("bts",), "none": (), "tr": ("tr",),
         "pmi": ("pmi",), "lbr-stream": ("lbr", "pmi"), "brs": ("brs", "pmi"), "ler": ("ler",)}
SILENT = ("none", "tr")


TAKES_DB, NO_SYSENTER, IS_LONG = "takes-db", "no-sysenter", "too-long"


class Log:
    """A log's lines without trailers; `change` may alter the records of a run."""

    def __init__(self, loads, model="skylake", methods=METHODS, outcomes=None, change=None,
                 hypervisor="", lbr_format=None, filters=(), arch_lbr_linear=True,
                 has_offsets=True, left="", evidence=None):
        self.filters = filters          # as "jcc+far"; none: no run has the word
        self.ds_cpl = bool(filters) and bool(set(methods) & {"bts", *DRAINED})
        self.arch_lbr_linear = arch_lbr_linear
        self.offsets = has_offsets and (MODELS[model][0] == "AuthenticAMD" or
                                        MODELS[model][3] and not arch_lbr_linear)
        self.model, self.loads, self.methods = model, loads, methods
        self.hypervisor, self.lbr_format = hypervisor, lbr_format
        self.found = of_facilities(model, outcomes)
        self.evidence = evidence or {}  # of a facility, where it matters
        if set(methods) & set(COUNTED):
            self.found.setdefault("pmi", "works")
        if "brs" in methods:
            self.found.setdefault("brs", "works")
        if "tr" in methods:
            self.found.setdefault("tr", "works")
        if "ler" in methods:
            self.found.setdefault("ler", "works")
        self.change = change or (lambda method, name, records: records)
        self.lines, self.records, self.skipped = [], 0, 0
        self.head(left)
        for load in loads:
            self.describe(load)
        self.plan()
        self.runs()
        self.end()

    def add(self, form, *values):
        self.lines.append(form % values)

    def leaf(self, number, *registers, subleaf=0):
        self.add("cpuid leaf=0x%x subleaf=0x%x eax=0x%x ebx=0x%x ecx=0x%x edx=0x%x", number,
                 subleaf, *(registers + (0, 0, 0, 0))[:4])

    def head(self, left):
        vendor, family, model, depths, depth, bts = MODELS[self.model]
        zen4, perfmon = self.model == "zen4", 2 if set(self.methods) & set(COUNTED) else 0
        self.add("everybranch log=2 build=generated")
        self.add('firmware vendor="made up" revision=0x10000')
        self.lines += ["left " + left] if left else []
        self.add('cpu microcode=0x1 brand="made up"')
        self.add("features perf_capabilities=%s misc_enable=absent",
                 "absent" if self.lbr_format is None else "0x%x" % self.lbr_format)
        self.leaf(0, 0x1c if depths else 0x16, *(words(vendor)[i] for i in (0, 2, 1)))
        self.leaf(1, signature(family, model), 0,
                  (bool(self.hypervisor) << 31 | (self.lbr_format is not None) << 15 | self.ds_cpl << 4 | bts << 2),
                  bts << 21)
        self.leaf(6)
        self.leaf(7, 0, 0, 0, (depths != 0) << 19)
        self.leaf(7, subleaf=1)
        self.leaf(0xa, 0x7280200 | perfmon, 0, 0, 0x503)     # 7 events, none denied
        self.leaf(0x14)
        if depths:                      # the highest bit: its records hold addresses
            self.leaf(0x1a)
            self.leaf(0x1c, self.arch_lbr_linear << 31 | depths, 7 if self.filters else 0)
        if self.hypervisor:
            self.leaf(0x40000000, 0x40000001, *words(self.hypervisor))
            self.leaf(0x40000001)
        self.leaf(0x80000000, 0x80000022)
        self.leaf(0x80000001)
        self.leaf(0x80000007)
        self.leaf(0x80000008, 0, (self.found.get("brs") == "works") << 31)
        for number in 0x8000000a, 0x8000001b, 0x80000021:
            self.leaf(number)
        self.leaf(0x80000022, zen4 << 1, (depth if zen4 else 0) << 4)
        self.add("model name=%s", self.model)
        self.add("image base=0x%x size=0x%x", IMAGE_AT, IMAGE_SIZE)
        self.add("caller call=0x%x return=0x%x", CALL, BACK)
        for name, outcome in self.found.items():
            self.add('facility name=%s outcome=%s evidence="%s"', name, outcome,
                     self.evidence.get(name, "made up"))

    def at(self, load):
        return FIRST_WORKLOAD_AT + WORKLOAD_APART * self.loads.index(load)

    def describe(self, load):
        self.add('workload name=%s at=0x%x size=0x%x stubs=%d about="%s"', load.name,
                 self.at(load), len(load.code), load.stubs, load.about)
        labels = ["%s=0x%x" % item for item in load.labels().items()]
        for i in range(0, len(labels), 6):
            self.add("labels of=%s %s", load.name, " ".join(labels[i:i + 6]))
        for i in range(0, len(load.code), 64):
            self.add("code of=%s at=0x%x bytes=%s", load.name, i, load.code[i:i + 64].hex())

    def plan(self):
        names = [load.name for load in self.loads]
        self.add("plan methods=%s workloads=%s runs=%d", ",".join(self.methods), names[0],
                 len(self.methods) * len(names) * (len(self.filters) or 1))
        for i in range(1, len(names), 8):
            self.add("plan workloads=%s", ",".join(names[i:i + 8]))
        if self.filters:
            self.add("plan filters=%s", ",".join(self.filters))

    def runs(self):
        n = 0
        for load in self.loads:
            for left_out in self.filters or ("",):
                for method in self.methods:
                    n += 1
                    self.run_or_skip(n, method, load, left_out)

    def reason(self, method, load, left_out):
        """Why it is skipped, or None."""
        for facility in NEEDS[method]:
            if self.found[facility] not in ("works", "deviates"):
                return "lacks:" + facility
        if load.takes_sysenter and MODELS[self.model][0] != "GenuineIntel":
            return NO_SYSENTER
        excuse = TAKES_DB if load.takes_db else IS_LONG if load.is_long else None
        if method in STEPPING and excuse:
            return excuse
        by_ring = method == "bts" and left_out in ("kernel", "user")
        if left_out not in ("", "none") and method not in FILTERS_OF and not by_ring:
            return "no-filter"
        return None

    def run_or_skip(self, n, method, load, left_out):
        reason = self.reason(method, load, left_out)
        words = "n=%d method=%s workload=%s%s" % (n, method, load.name,
                                                  " filter=" + left_out if left_out else "")
        if reason:
            self.skipped += 1
            self.add('skip %s why=%s', words, reason)
        else:
            self.run(words, method, load, left_out.split("+"))

    def run(self, words, method, load, left_out):
        depth = MODELS[self.model][4]
        records = self.change(method, load.name,
                              records_of(method, load, depth, left_out,
                                         MODELS[self.model][3] != 0))
        places = Places(load, self.at(load))
        if method in ("lbr", "btf+lbr", "brs") and self.offsets:
            records = [tuple(self.offset_in_cs(load, end) for end in r) for r in records]
        drained, counter, counted = method in DRAINED, "", None
        if method in COUNTED:
            counter, counted, records = self.by_counter(method, load, records)
        self.add("run %s%s", words,
                 " buffer=%d threshold=%d delivery=%s" % DRAINED[method] if drained else
                 " buffer=%d" % BUFFER if method == "bts" else counter)
        self.lines += folded([record_line(method, places, r) for r in records])
        self.records += len(records)
        # Of each threshold one record is the IRETQ of the interrupt before.
        events = len(records) if method in STEPPING else \
            len(records) // (DRAINED[method][1] - 1) if drained else 0
        if method in COUNTED:
            period = int(re.search("period=([0-9]+)", counter).group(1))
            events = counted // (period + PIECE if method == "brs" else period)
            own = events if method == "lbr-stream" else 0
            self.add("ran %s outcome=ended records=%d events=%d lost=0 ticks=%d counted=%d "
                     "entries=%d returns=%d skid=0 most=0 unmasked=0", words.split()[0],
                     len(records), events, load.ticks(), counted, own, own)
            return
        self.add("ran %s outcome=ended records=%d events=%d lost=0 ticks=%d%s",
                 words.split()[0], len(records), events, load.ticks(), " entries=%d returns=%d skid=0 most=0 unmasked=0"
                 % (events, events) if drained else "")

    def by_counter(self, method, load, records):
        """The counter's words in the line `run`, what it counts, and the records."""
        event, far = EVENTS[self.model]
        kinds = NEAR + FAR if far or method == "lbr-stream" else NEAR
        if method == "brs":             # one of 17 begins a piece, which has the others
            count = len(records)
            pieces = [records[i + 1:i + 1 + PIECE] for i in range(0, count, PIECE + 1)]
            records = [r for piece in pieces if piece for r in [("?", "?")] + piece][1:]
            return " event=%s period=1 delivery=nmi" % event, count, records
        seen = [(to, "") for _, to, kind in load.truth() if kind in kinds]
        if method == "pmi":
            return " event=%s period=1 delivery=nmi" % event, len(seen), seen
        depth = MODELS[self.model][4]
        event = event if far else ALL_BRANCHES
        counted = len(seen)
        if event == ALL_BRANCHES:       # with those not taken, of which the window has one
            counted += load.retired()[1] + WINDOW_NOT_TAKEN
        return " event=%s period=%d delivery=nmi" % (
            event, depth // 2 - 1 if depth > 4 else 1), counted, records

    def offset_in_cs(self, load, end):
        """What AMD's records hold; a word where the CS base makes it another address."""
        base = load.part(end)[3] if isinstance(end, int) else 0
        return "0x%x" % (self.at(load) + end - base) if base else end

    def end(self):
        runs = len(self.methods) * len(self.loads) * (len(self.filters) or 1)
        self.add("end runs=%d ran=%d skipped=%d records=%d", runs, runs - self.skipped,
                 self.skipped, self.records)


def sealed(lines):
    """The lines with their trailers, as one text."""
    before, out = b"00000000", []
    for number, line in enumerate(lines, 1):
        numbered = ("%s ~%d" % (line, number)).encode()
        before = b"%08x" % zlib.crc32(before + numbered)
        out.append(numbered + b" " + before + b"\n")
    return b"".join(out)
