"""Logs of several processors, and lines of theirs that the grammar does not allow.

Each processor's runs are those of a log of its own; a round has one of each.
"""
import re

from generate import Log

OF_CPU = ("cpu ", "features ", "cpuid ", "model ", "facility ")


def _blocks(log):
    """(method, workload, filter): the lines of its run."""
    blocks, block = {}, None
    for line in log.lines:
        begins = re.match(r"(?:run|skip) n=\d+ method=(\S+) workload=(\S+)(?: filter=(\S+))?(?: |$)",
                          line)
        if begins:
            block = blocks[begins.groups()] = []
        if line.startswith("end "):
            break
        if block is not None:
            block.append(line)
    return blocks


def _of_processor(block, n, processor, armed, opened):
    """A run's lines with its number and whose it is."""
    lines = [re.sub(r"^(run|skip) n=\d+ (method=\S+ workload=\S+(?: filter=\S+)?)",
                    r"\1 n=%d \2 processor=%d" % (n, processor), block[0])]
    lines += block[1:]
    lines[-1] = re.sub(r"^ran n=\d+ (.*) ticks=(\d+)",
                       r"ran n=%d \1 ticks=\2 armed=%d open=%d" % (n, armed, opened), lines[-1])
    return lines


def together(loads, models=("skylake",) * 3, *, methods=("btf", "bts"), different=False,
             change=None, armed=None, opened=1, filters=(), left=None, cores=None):
    """change: of (processor, method, workload, records); armed: in all rounds; left: what
    each one's registers held; cores: what else is told of each one's Log."""
    cores = cores or ({},) * len(models)
    kinds = [(model, cores[k]) for k, model in enumerate(models)]
    logs = [Log(loads, model=model, methods=methods, filters=filters, left=left[k] if left else "",
                change=change and (lambda m, w, r, k=k: change(k, m, w, r)), **cores[k])
            for k, model in enumerate(models)]
    first, count = logs[0].lines, len(models)
    at = next(i for i, line in enumerate(first) if line.startswith("workload "))
    plan = next(i for i, line in enumerate(first) if line.startswith("plan "))
    lines = first[:at] + ["processors way=mp-services found=%d wanted=%d started=%d together=%s"
                          % (count, count, count, "different" if different else "same")]
    for k, model in enumerate(models):
        lines.append("processor n=%d apic=0x%x like=%d%s"
                     % (k, 2 * k, kinds.index(kinds[k]), " " + left[k] if left else ""))
        if kinds.index(kinds[k]) == k and k:
            lines += [line for line in logs[k].lines[:at] if line.startswith(OF_CPU)]
    runs = len(loads) * len(methods) * (len(filters) or 1)
    lines += first[at:plan]
    lines.append(re.sub(r"runs=\d+", "runs=%d" % (runs * count), first[plan]))
    lines += [line for line in first[plan + 1:] if line.startswith("plan ")]
    blocks = [_blocks(log) for log in logs]
    order = list(blocks[0])             # in one boot without others
    n = skipped = 0
    for r in range(runs):
        lines.append("round n=%d processors=%d" % (r + 1, count))
        turn = []
        for k in range(count):
            away = k if different else 0
            turn.append(blocks[k][(methods[(r + away) % len(methods)],
                                   loads[(r // len(methods) + away) % len(loads)].name, None)
                                  if different else order[r]])
        made = sum(block[0].startswith("run ") for block in turn)
        skipped += count - made
        for k, block in enumerate(turn):
            n += 1
            lines += _of_processor(block, n, k, made if armed is None else armed, opened)
    records = sum(int(re.search(r" records=(\d+)", line).group(1)) for line in lines
                  if line.startswith("ran "))
    return lines + ["end runs=%d ran=%d skipped=%d records=%d" % (n, n - skipped, skipped, records)]


# (the line that is changed begins so, what it becomes, the sentence): `loop` by btf and bts
_SAME = "processors way=mp-services found=3 wanted=3 started=3 together=same"
MALFORMED = (
    ("processors", _SAME.replace("mp-services", "magic"),
     "processors: got way=magic, want mp-services, init-sipi or none"),
    ("processors", _SAME.replace("same", "both"),
     "processors: got together=both, want same or different"),
    ("processors", _SAME.replace("found=3", "found=2"),
     "processors: want started= from 1 to wanted=, and that at most found="),
    ("processors", _SAME.replace("wanted=3", "wanted=2"),
     "processors: want started= from 1 to wanted=, and that at most found="),
    ("processors", _SAME.replace("started=3", "started=0"),
     "processors: want started= from 1 to wanted=, and that at most found="),
    ("processors", _SAME.replace("started=3", "started=2"),
     "processor: got n=2, want no more of them: 2 were started"),
    ("processors", None, "processor: want it behind processors"),
    ("processor n=0", _SAME, 'a second "processors"; the first is in line 27'),
    ("processor n=1", None, "processor: got n=2, want n=1, one by one"),
    ("processor n=1", "processor n=1 apic=0x0 like=0",
     "processor: apic=0x0 is that of processor 0, in line 28"),
    ("processor n=2", "processor n=2 apic=0x1 like=0",
     "processor: apic=0x1, want the others by their numbers, and line 29 has a higher one"),
    ("processor n=1", "processor n=1 apic=2 like=0", 'processor: got "apic=2 like=0", want '
     "apic=0xN"),
    ("processor n=1", "processor n=1 apic=0x2 like=0 debugctl=0",
     'processor: got "debugctl=0", want debugctl=0xN or absent'),
    ("processor n=1", "processor n=1 apic=0x2 like=0 lbr_ctl=0x0",
     'processor: "lbr_ctl=0x0" is too much'),
    ("processor n=1", "processor n=1 apic=0x2 like=0 debugctl=0x0 lbr_ctl=absent",
     'processor: got "lbr_ctl=absent", want lbr_ctl=0xN'),
    ("processor n=1", "processor n=1 apic=0x2 like=2",
     "processor: got like=2, want itself or the first of a kind before"),
    ("processor n=2", "processor n=2 apic=0x4 like=1",
     "processor: got like=1, want itself or the first of a kind before"),
    ("processor n=1", "processor n=1 apic=0x2 like=1",
     'processor 1: like none before, but no lines "cpu", "features" and "model" of its own'),
    ("processor n=2", None,
     'plan: 2 lines "processor" before it, want 3, as many as were started'),
    ("plan", "plan methods=btf,bts workloads=loop runs=2",
     "plan: runs=2, but 2 methods and 1 workloads on 3 processors make 6"),
    ("round n=1", None, 'run: no line "round" before it'),
    ("round n=1", "round n=2 processors=3",
     "round: got n=2 processors=3, want n=1 processors=3"),
    ("round n=2", "round n=2 processors=2",
     "round: got n=2 processors=2, want n=2 processors=3"),
    ("round n=2", None, 'run: no line "round" before it'),
    ("run n=2", "round n=2 processors=3", "round: the one before has 1 runs, want 3"),
    ("run n=2", "run n=2 method=btf workload=loop", 'run: got "room=0", want processor=N'),
    ("run n=2", "run n=2 method=btf workload=loop processor=2",
     "run: got processor=2, want 1"),
    ("ran n=1", "ran n=1 outcome=ended records=5 events=5 lost=0 ticks=100",
     'ran: got "", want armed=N'),
    ("ran n=1", "ran n=1 outcome=ended records=5 events=5 lost=0 ticks=100 armed=3",
     'ran: got "", want open=N'),
    ("ran n=1", "ran n=1 outcome=ended records=5 events=5 lost=0 ticks=100 armed=3 open=4",
     "ran: got armed=3 open=4, want open= from 1 to armed=, and that at most the 3 processors"),
    ("ran n=1", "ran n=1 outcome=ended records=5 events=5 lost=0 ticks=100 armed=4 open=1",
     "ran: got armed=4 open=1, want open= from 1 to armed=, and that at most the 3 processors"),
    ("ran n=1", "ran n=1 outcome=ended records=5 events=5 lost=0 ticks=100 armed=3 open=0",
     "ran: got armed=3 open=0, want open= from 1 to armed=, and that at most the 3 processors"),
    ("processors", _SAME.replace("mp-services", "none"),
     "processors: got started=3, want 1: way=none starts no others"),
    ("round n=1", 'lost processor=3 why="why"',
     "lost: got processor=3, want one of the others, of 3"),
    ("round n=1", 'lost processor=0 why="why"',
     "lost: got processor=0, want one of the others, of 3"),
)
