"""Logs of the monitor: commands, their answers, and the plan that a command may have."""
from generate import Log


class Session:
    """The pieces of a log of `loop` by some methods, to be put together by commands."""

    def __init__(self, loads, methods=("bts",), **others):
        lines = Log(loads, methods=methods, **others).lines
        self.methods = ",".join(methods)

        def at(start):
            return next(i for i, line in enumerate(lines) if line.startswith(start))

        self.head = lines[:at("facility")]
        self.facilities = lines[at("facility"):at("workload")]
        self.workloads = lines[at("workload"):at("plan")]
        self.plan = lines[at("plan"):at("run")]
        self.runs, self.records = [], []
        for line in lines[at("run"):at("end")]:
            if line.startswith("run "):
                self.runs.append([])
                self.records.append(0)
            self.runs[-1].append(line)
            if line.startswith("ran "):
                self.records[-1] = int(line.split(" records=")[1].split()[0])

    def planned(self, runs):
        """The plan with that many runs."""
        return [self.plan[0].rsplit("=", 1)[0] + "=%d" % runs, *self.plan[1:]]

    def numbered(self, first, times=1):
        """All runs, so many times, by the numbers that they have from `first` on."""
        lines = []
        for run in self.runs * times:
            for line in run:
                word, number, *rest = line.split(" ")
                if word in ("run", "ran"):
                    line = " ".join([word, "n=%d" % first, *rest])
                lines.append(line)
            first += 1
        return lines

    def end(self, times=1):
        runs = len(self.runs) * times
        return ["end runs=%d ran=%d skipped=0 records=%d" % (runs, runs, sum(self.records) * times)]

    def whole(self):
        """`cpu`, then `run bts loop 2` or the like, then an MSR that faults."""
        return [*self.head, *CPU, 'command text="run %s loop 2"' % self.methods, *self.facilities,
                *self.workloads, *self.planned(2 * len(self.runs)), *self.numbered(1, 2),
                "try idle", *MSR, *self.end(2)]


CPU = ['command text="cpu"', 'answer text="GenuineIntel family 0x6 model 0x5e stepping 0x3 '
       'microcode 0x1"']
MSR = ['command text="msr read 0x10000"', "try msr=0x10000",
       "msr read=0x10000 name=unknown gives=#GP", "try idle"]

# (the line that is changed begins so, what it becomes, the sentence)
MALFORMED = (
    ("command", "command", 'command: got "", want text="TEXT"'),
    ("command", 'command text=cpu', 'command: got "text=cpu", want text="TEXT"'),
    ("command", 'command text="cpu" n=1', 'command: "n=1" is too much'),
    ("command", None, "answer: no command before it"),
    ("caller", None, 'command: no line "caller" before it'),
    ("answer", "answer", 'answer: got "", want text="TEXT"'),
    ("answer", CPU[1] + ' "b"', 'answer: ""b"" is too much'),
    ("answer", "run n=1 method=bts workload=loop buffer=65536", "no plan before it"),
    ("msr", "msr", 'msr: got "", want read=0xN'),
    ("msr", "msr read=16 name=unknown gives=#GP",
     'msr: got "read=16 name=unknown gives=#GP", want read=0xN'),
    ("msr", "msr read=0x100000000 name=unknown gives=#GP", "msr: want a number of 32 bits"),
    ("msr", "msr read=0x1d9 name=unknown gives=#GP",
     "msr: got name=unknown, want name=IA32_DEBUGCTL"),
    ("msr", "msr read=0x10000 name=IA32_DEBUGCTL gives=#GP",
     "msr: got name=IA32_DEBUGCTL, want name=unknown"),
    ("msr", "msr read=0x10000 gives=#GP", 'msr: got "gives=#GP", want name=TEXT'),
    ("msr", "msr read=0x10000 name=unknown", 'msr: got "", want gives=TEXT'),
    ("msr", "msr read=0x10000 name=unknown gives=1", "msr: got gives=1, want 0xN or #GP"),
    ("msr", "msr read=0x10000 name=unknown gives=unreadable",
     "msr: got gives=unreadable, want 0xN or #GP"),
    ("msr", "msr write=0x10000 name=unknown gives=#GP",
     'msr: got "gives=#GP", want value=0xN'),
    ("msr", "msr write=0x10000 name=unknown value=0x1 gives=ok",
     "msr: got gives=ok, want 0xN, unreadable or #GP"),
    ("msr", "msr read=0x10000 name=unknown gives=0x1 now", 'msr: "now" is too much'),
    ("try msr", "try msr=16", 'try: got "msr=16", want msr=0xN'),
    ("plan", "plan methods=bts workloads=loop runs=0",
     "plan: runs=0, but 1 methods and 1 workloads make 1"),
    ("plan", None, "no plan before it"),
    ("run n=2", "run n=1 method=bts workload=loop buffer=65536",
     "run: got n=1 method=bts workload=loop, want by the plan n=2 method=bts workload=loop"),
    ("run n=2", 'command text="cpu"', "command: 1 runs, but the plan has 2"),
    ("branch", 'command text="cpu"', "command: run 1 has not ended"),
    ("branch", 'answer text="a"', "answer: run 1 has not ended"),
    ("end", "end runs=1 ran=1 skipped=0 records=5",
     "end: got runs=1 ran=1 skipped=0 records=5, want runs=2 ran=2 skipped=0 records=10"),
)
