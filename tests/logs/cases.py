"""Reads and runs the files in tests/logs/cases: a log, edits, a command, what it must say.

    # comment
    claim NAME           what is claimed; the lines up to the next one belong to it
    log BASE [as FILE]   the log tests/logs/BASE.log, written to FILE (x.log) with the edits below
    in FILE              the edits below are of that log
    EDIT                 as in edit.py
    run VERB...          the command; without it: check x.log
    > TEXT               a line of its output holds TEXT; {START}: the number of that line of the log
    ! TEXT               no line of its output does
    = TEXT               one line of its output begins `x.log:N: `, and it holds TEXT
    | LINE               these lines follow each other in its output
    pass [EDIT]          begins one of the claim's variants, with what stands above: exit code 0
    fail [EDIT]          ...1: a difference
    error [EDIT]         ...2: the log or the command cannot be used

Lines before the first claim of a file belong to all its claims; a claim with a log of its own
has none of theirs.
"""
import copy
import os
import re
import shlex
import subprocess

from edit import Wrong, edited, log, place, write


CODES = {"pass": 0, "fail": 1, "error": 2}


class Case:
    """One run of the program: its logs, and what must come out."""

    def __init__(self):
        self.logs, self.current = {}, None
        self.command, self.code, self.wanted = "check x.log", None, []

    def add(self, word, rest):
        if word == "log":
            base, _, name = rest.partition(" as ")
            self.current = name or "x.log"
            self.logs[self.current] = [base]
        elif word == "in":
            if rest not in self.logs:
                raise Wrong("no log %s" % rest)
            self.current = rest
        elif word == "run":
            self.command = rest
        elif word in (">", "!", "=") and not rest:
            raise Wrong("want text after " + word)
        elif word in (">", "!", "=", "|"):
            self.wanted.append((word, rest))
        elif self.current:
            self.logs[self.current].append((word + " " + rest).rstrip())
        else:
            raise Wrong("no log for this edit")

    def write(self, folder):
        """The lines of the log that was written last."""
        for name, (base, *edits) in self.logs.items():
            lines = edited(log(base), *edits)
            write(os.path.join(folder, name), lines)
        return lines

    def run(self, program, folder):
        if not self.logs:
            raise Wrong("want a log")
        lines = self.write(folder)
        done = subprocess.run([program, *shlex.split(self.command)], capture_output=True, text=True,
                              cwd=folder)
        said = done.stdout + done.stderr
        wrong = ["exit %d, want %d" % (done.returncode, self.code)] \
            if done.returncode != self.code else []
        wrong += missing(self.wanted, lines, said)
        if wrong:
            raise Wrong("\n".join(wrong + ["It said:", said]))


def missing(wanted, lines, said):
    """What is not as wanted."""
    wrong, block = [], ""
    for word, text in wanted + [("", "")]:
        if word == "|":
            block += text + "\n"
            continue
        if block and "\n" + block not in "\n" + said:
            wrong.append("want these lines:\n" + block)
        block = ""
        text = re.sub(r"\{(.+?)\}", lambda start: str(place(lines, start[1]) + 1), text)
        held = [line for line in said.splitlines() if text in line]
        if word == "!":
            wrong += ["unwanted: " + line for line in held]
        elif not held and word:
            wrong.append("want: " + text)
        elif word == "=" and held != re.findall(r"^x\.log:\d+: .*", said, re.M):
            wrong.append("want this as the one finding: " + text)
    return wrong


def read(path):
    """[(claim, [(line number, Case)])]"""
    claims, variants, inherits = [], None, False
    head = case = Case()                    # of the file, of the claim, and of one variant
    with open(path) as file:
        for n, line in enumerate(file, 1):
            word, _, rest = line.strip().partition(" ")
            if not word or word.startswith("#"):
                continue
            try:
                if word == "claim":
                    if not re.fullmatch(r"\w+", rest) or rest in [name for name, _ in claims]:
                        raise Wrong("no name, or a second claim of it: " + rest)
                    common = case = copy.deepcopy(head)
                    inherits, variants = True, []
                    claims.append((rest, variants))
                elif word in CODES:
                    case = copy.deepcopy(common)
                    case.code = CODES[word]
                    variants.append((n, case))
                    word, _, rest = rest.partition(" ")
                    if word:
                        case.add(word, rest)
                else:
                    if word == "log" and inherits and not variants:
                        case.logs, inherits = {}, False
                    case.add(word, rest)
            except Wrong as wrong:
                raise Wrong("%s:%d: %s" % (path, n, wrong)) from None
    return claims


def run(path, program, folder):
    """Prints a line for each claim; returns whether one failed."""
    failed = False
    for claim, tries in read(path):
        wrong = [] if tries else ["%s: no pass, fail or error" % path]
        for n, case in tries:
            try:
                case.run(program, folder)
            except Wrong as why:
                wrong.append("%s:%d: %s" % (path, n, why))
        print("not ok %s - %s" % (claim, "\n".join(wrong).replace("\n", "\n    ")) if wrong
              else "ok " + claim, flush=True)
        failed |= bool(wrong)
    return failed
