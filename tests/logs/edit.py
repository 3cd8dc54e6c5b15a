"""A recorded log, changed by edits, as lines without trailers.

An edit is one line of text.  SELECT names runs: METHOD, METHOD/WORKLOAD or
METHOD/WORKLOAD/FILTER, followed by @N for processor N.  START names the first line that
begins so; `SELECT: START` looks only within the first of those runs.

    only METHODS [WORKLOADS [FILTERS]]   keeps these runs, and mends the plan and the counts
    records SELECT: RECORD; RECORD...    gives the runs these records, and mends the counts
    skip SELECT: CODE                    makes the runs skips, and mends the counts
    facility NAME OUTCOME [EVIDENCE]     what was found of a facility
    line START -> TEXT                   that line becomes TEXT
    drop START                           that line goes
    drop all START                       all lines that begin so go
    cut START                            that line and all up to the last one go
    before START -> TEXT                 TEXT goes before that line
    append WORDS -> START                WORDS go to the end of that line
    from BASE: WORDS -> START            those lines of another log go before that line
    sub [SELECT:] REGEX -> TEXT          in every line in which the expression is found
    own NAME                             a program in C is as this build's compiler made it
    mend                                 counts the runs and records for the last line anew
    use NAME                             the edits under `define NAME` in cases/define

An edit that finds nothing to change is an error.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "scripts"))
from claims import BUILD                                        # noqa: E402
from sealing import sealed, unsealed                            # noqa: E402,F401

STEPPING = ("step", "btf", "btf+lbr")       # one debug exception for each record
STOPS = ("step", "btf", "pmi")              # whose records have no FROM
RUN = re.compile(r"(run|skip) n=\d+ method=(\S+) workload=(\S+)(?: filter=(\S+))?"
                 r"(?: processor=(\d+))?")
SELECT = r"(?:[a-z]+[a-z+-]*(?:/\w+)?(?:/[\w+]+)?(?:@\d+)?)"


class Wrong(Exception):
    """What is wrong with an edit."""


class Block:
    """The lines of one run, from `run` to `ran`, or of one skip."""

    def __init__(self, first, found):
        self.first = self.last = first
        self.ran = found[1] == "run"
        self.method, self.workload, self.filter, self.processor = found.groups()[1:]

    def is_of(self, select):
        names, _, processor = select.partition("@")
        own = (self.method, self.workload, self.filter)
        return all(a == b for a, b in zip(names.split("/"), own)) and \
            processor in ("", self.processor)


def blocks(lines):
    found = []
    for i, line in enumerate(lines):
        begins = RUN.match(line)
        if begins:
            found.append(Block(i, begins))
        if line.startswith(("ran ", "cost ")) and found:
            found[-1].last = i
    return found


def selected(lines, select):
    found = [block for block in blocks(lines) if block.is_of(select)]
    if not found:
        raise Wrong("no run %s in the log" % select)
    return found


def number(word, line):
    return int(re.search(r"\b%s=(\d+)" % word, line)[1])


def place(lines, start):
    """The index of the first line that begins so, perhaps in a run."""
    first, last = 0, len(lines)
    scoped = re.match("(%s): (.*)" % SELECT, start)
    if scoped:
        block = selected(lines, scoped[1])[0]
        first, last, start = block.first, block.last + 1, scoped[2]
    for i in range(first, last):
        if lines[i].startswith(start):
            return i
    raise Wrong("no line begins with %r" % start)


def mended(lines):
    """With the counts of the last line as the runs have them."""
    runs = blocks(lines)
    made = [lines[run.last] for run in runs if run.ran]
    end = "end runs=%d ran=%d skipped=%d records=%d" % (
        len(runs), len(made), len(runs) - len(made), sum(number("records", line) for line in made))
    return lines[:-1] + [re.sub(r"^end runs=.* records=\d+", end, lines[-1])]


def only(lines, words):
    """The runs by these methods of these workloads, numbered anew, under a plan of their own."""
    wanted = [word.split(",") for word in words.split()] + [None] * 3
    runs = blocks(lines)
    keep = [run for run in runs if all(
        want is None or have in want
        for have, want in zip((run.method, run.workload, run.filter), wanted))]
    have = {name for run in keep for name in (run.method, run.workload, run.filter)}
    missing = [name for want in wanted if want for name in want if name not in have]
    if missing or not keep:
        raise Wrong("no run of %s in the log" % ", ".join(missing))
    methods, workloads, filters = ([name for name in dict.fromkeys(names) if name] for names in zip(
        *((run.method, run.workload, run.filter) for run in keep)))
    out = []
    for line in lines[:runs[0].first]:
        of = re.match(r"(?:workload name|labels of|code of)=(\S+)", line)
        if not line.startswith(("plan ", "try ")) and (not of or of[1] in workloads):
            out.append(line)
    out.append("plan methods=%s workloads=%s runs=%d" % (",".join(methods), workloads[0], len(keep)))
    out += ["plan workloads=" + ",".join(workloads[i:i + 8]) for i in range(1, len(workloads), 8)]
    out += ["plan filters=" + ",".join(filters)] if filters else []
    for n, run in enumerate(keep, 1):
        out += [re.sub(r"^(run|ran|skip|cost) n=\d+", r"\1 n=%d" % n, line)
                for line in lines[run.first:run.last + 1]]
    return mended(out + lines[-1:])


def with_records(lines, select, records):
    word = "stop " if select.split("/")[0].split("@")[0] in STOPS else "branch "
    records = [record if record.startswith("again ") else word + record
               for record in records.split("; ") if record]
    count, last = 0, 0
    for record in records:
        again = re.match(r"again (\d+) x(\d+)", record)
        times = re.search(r" x(\d+)$", record)
        count += int(again[1]) * int(again[2]) if again else int(times[1]) if times else 1
    for run in reversed(selected(lines, select)):
        head = re.sub(r" info=\S+", "", lines[run.first])
        ran = re.sub(r" records=\d+", " records=%d" % count, lines[run.last])
        if run.method in STEPPING:
            ran = re.sub(r" dr6=\S+", "", re.sub(r" events=\d+", " events=%d" % count, ran))
        lines = lines[:run.first] + [head, *records, ran] + lines[run.last + 1:]
    return mended(lines)


def skipped(lines, select, reason):
    for run in reversed(selected(lines, select)):
        head = re.sub("^run ", "skip ", RUN.match(lines[run.first])[0])
        lines = lines[:run.first] + ["%s why=%s" % (head, reason)] + lines[run.last + 1:]
    return mended(lines)


def substituted(lines, pattern, text):
    first, last = 0, len(lines)
    scoped = re.match("(%s): (.*)" % SELECT, pattern)
    if scoped:
        block = selected(lines, scoped[1])[0]
        first, last, pattern = block.first, block.last + 1, scoped[2]
    changed = [re.sub(pattern, text, line) for line in lines[first:last]]
    if changed == lines[first:last]:
        raise Wrong("nothing is changed")
    return lines[:first] + changed + lines[last:]


def with_own_code(lines, name):
    """Its size and its code, in pieces as long as the log has them."""
    built = os.path.join(BUILD, "workloads", name)
    with open(built + ".inc") as file:
        size = int(re.search(r"%define SIZE (\d+)", file.read())[1])
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run(["ld", "--oformat", "binary", "-Ttext", "0", "-e", "program_begin",
                        "-o", file.name, built + ".code.o"], check=True)
        with open(file.name, "rb") as linked:
            code = linked.read(size)
    lines = [re.sub("^(workload name=%s .*) size=0x[0-9a-f]+" % name,
                    r"\1 size=0x%x" % size, line) for line in lines]
    first = place(lines, "code of=%s " % name)
    kept = [line for line in lines if not line.startswith("code of=%s " % name)]
    return kept[:first] + ["code of=%s at=0x%x bytes=%s" % (name, at, code[at:at + 64].hex())
                           for at in range(0, size, 64)] + kept[first:]


def defined(name):
    with open(os.path.join(HERE, "cases", "define")) as file:
        found = re.search(r"^define %s\n((?:  .*\n)+)" % re.escape(name), file.read(), re.M)
    if not found:
        raise Wrong("nothing is defined as %r" % name)
    return [line.strip() for line in found[1].splitlines()]


def _edited(lines, word, rest):
    left, arrow, right = rest.partition(" ->")
    right = right.removeprefix(" ")
    select, _, value = rest.partition(": ")
    if word in ("line", "before", "append", "from", "sub") and not arrow:
        raise Wrong("want ->")
    if word == "use":
        return edited(lines, *defined(rest))
    if word == "cut":
        return lines[:place(lines, rest)] + lines[-1:]
    if word == "own":
        return with_own_code(lines, rest)
    if word == "mend":
        return mended(lines)
    if word == "only":
        return only(lines, rest)
    if word == "records":
        return with_records(lines, select.removesuffix(":"), value)
    if word == "skip":
        return skipped(lines, select, value)
    if word == "facility":
        name, outcome, *evidence = rest.split(" ", 2)
        at = place(lines, "facility name=%s " % name)
        return lines[:at] + ['facility name=%s outcome=%s evidence="%s"' % (
            name, outcome, " ".join(evidence) or "made up")] + lines[at + 1:]
    if word == "sub":
        return substituted(lines, left, right)
    if word == "drop" and rest.startswith("all "):
        kept = [line for line in lines if not line.startswith(rest[4:])]
        if len(kept) == len(lines):
            raise Wrong("no line begins with %r" % rest[4:])
        return kept
    if word == "append":
        at = place(lines, right)
        return lines[:at] + [lines[at] + " " + left] + lines[at + 1:]
    if word == "from":
        words = left[len(select) + 2:].split(",")
        at = place(lines, right)
        return lines[:at] + [line for line in log(select) if line.split()[0] in words] + lines[at:]
    if word in ("line", "drop", "before"):
        at = place(lines, left)
        return lines[:at] + ([] if word == "drop" else [right]) + lines[at + (word != "before"):]
    raise Wrong("there is no edit %r" % word)


def edited(lines, *edits):
    for edit in edits:
        word, _, rest = edit.partition(" ")
        try:
            lines = _edited(lines, word, rest)
        except Wrong as wrong:
            raise Wrong("%s: %s" % (edit, wrong)) from None
    return lines


def log(base, *edits):
    """A log recorded here, changed."""
    return edited(unsealed(os.path.join(HERE, base + ".log")), *edits)


def write(path, lines):
    with open(path, "w") as file:
        file.write(sealed(lines))
    return path
