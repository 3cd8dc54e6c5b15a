"""Logs of runs whose records say more than FROM and TO, and lines that the grammar does not
allow."""
from generate import Log

WORDS = {
    "skylake": "mispredicted+cycles+in_tsx+abort",
    "archlbr": "mispredicted+cycles+type+in_tsx+abort",
    "zen4": "mispredicted+speculative",
}
# Of `loop`, its five records.
LINES = {
    "skylake": ("info mispredicted=0 cycles=0 in_tsx=0 abort=0",
                "info mispredicted=1 cycles=300 in_tsx=1 abort=0 x2",
                "info mispredicted=0 cycles=12 in_tsx=0 abort=1",
                "info mispredicted=0 cycles=7 in_tsx=0 abort=0"),
    "archlbr": ("info mispredicted=0 cycles=? type=icall in_tsx=0 abort=0",
                "info mispredicted=0 cycles=4 type=jcc in_tsx=0 abort=0 x3",
                "info mispredicted=1 cycles=65535 type=ret in_tsx=0 abort=0"),
    "zen4": ("info mispredicted=0 speculative=0 x4", "info mispredicted=0 speculative=1"),
}


def told(load, model="skylake", words=None, lines=None):
    """A run of `loop` by lbr."""
    out = Log(load, model=model, methods=("lbr",)).lines
    at = next(i for i, line in enumerate(out) if line.startswith("run "))
    out[at] += " info=" + (words or WORDS[model])
    at = next(i for i, line in enumerate(out) if line.startswith("ran "))
    out[at:at] = LINES[model] if lines is None else lines
    if model == "archlbr":
        out = [line.replace("ecx=0x0", "ecx=0x7") if "leaf=0x1c" in line else line
               for line in out]
    return out


_RUN = "run n=1 method=lbr workload=loop"
_WANT = "want some of mispredicted, cycles, type, in_tsx, abort and speculative in this order " \
        "with + between"
_LINE = "info mispredicted=0 cycles=7"

# (the line that is changed begins so, what it becomes, the sentence)
MALFORMED = (
    *(("run n=1", "%s info=%s" % (_RUN, words), "run: got info=%s, %s" % (words, _WANT))
      for words in ("x", "cycles+mispredicted", "cycles+", "+cycles", "cycles+cycles",
                    "cycles,type", "cyclestype", "cycles+x")),
    ("run n=1", "run n=1 method=lbr workload=loop info=cycles",
     "run: info= belongs to lbr and ler, with room= at most 64"),
    ("run n=1", _RUN, "info: the line of its run has no info="),
    ("info mispredicted=0 cycles=7", "info cycles=7", 'info: got "cycles=7", want '
     'mispredicted=TEXT'),
    ("info mispredicted=0 cycles=7", _LINE, 'info: got "", want in_tsx=TEXT'),
    ("info mispredicted=0 cycles=7", _LINE + " in_tsx=0 abort=2",
     "info: got abort=2, want 0 or 1"),
    ("info mispredicted=0 cycles=7", _LINE + " in_tsx=? abort=0",
     "info: got in_tsx=?, want 0 or 1"),
    ("info mispredicted=0 cycles=7", "info mispredicted=0 cycles=65536 in_tsx=0 abort=0",
     "info: got cycles=65536, want a number up to 65535, or ?"),
    ("info mispredicted=0 cycles=7", _LINE + " in_tsx=0 abort=0 x1",
     "info: got x1, want xN with N from 2 to 2^32"),
    ("info mispredicted=0 cycles=7", _LINE + " in_tsx=0 abort=0 x2",
     "info: of more than the 5 records of its run"),
    ("info mispredicted=0 cycles=7", _LINE + " in_tsx=0 abort=0 x4294967296",
     "info: of more than the 5 records of its run"),
    ("info mispredicted=0 cycles=7", _LINE + " in_tsx=0 abort=0 speculative=0",
     "info: got speculative=0, want xN with N from 2 to 2^32"),
    ("info mispredicted=0 cycles=7", "branch .done caller",
     "branch: it stands behind the lines info"),
    ("info mispredicted=0 cycles=7", 'note text="one is missing"',
     "ran: records=5, but the lines info tell of 4"),
)
