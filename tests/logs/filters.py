"""Logs of runs with filters, and lines of theirs that the grammar does not allow."""
from generate import Log

FILTERS = ("none", "jcc", "ret+far", "kernel")


def filtered(loads, methods=("lbr",), filters=FILTERS, **others):
    return Log(loads, methods=methods, filters=filters, **others).lines


# (the line that is changed begins so, what it becomes, the sentence), of `loop` by lbr
MALFORMED = (
    ("plan filters", None, "plan: runs=4, but 1 methods and 1 workloads make 1"),
    ("plan filters", "plan filters=none,jcc",
     "plan: runs=4, but 1 methods and 1 workloads with the filters make 2"),
    ("plan filters", "plan filters=none,jcc,jcc,kernel", "plan: the filter jcc stands twice"),
    *(("plan filters", "plan filters=none,%s" % word,
       "plan: got the filter %s, want none, callstack, or kernel, user, jcc, call, icall, ret, "
       "ijmp, jmp and far in this order with + between" % word)
      for word in ("", "loops", "far+jcc", "jcc+jcc", "none+jcc", "each", "callstack+jcc",
                   "kernel+user+callstack", "jcc+ijmp+jmp+far+callstack")),
    ("plan filters", "plan filters=none workloads=loop",
     'plan: "workloads=loop" is too much'),
    ("plan filters", "plan methods=lbr filters=none",
     "plan: the method lbr stands twice"),
    ("run n=1", "run n=1 method=lbr workload=loop",
     'run: got "room=32", want filter=TEXT'),
    ("run n=2", "run n=2 method=lbr workload=loop filter=none",
     "run: got filter=none, want by the plan jcc"),
    ("run n=2", 'skip n=2 method=lbr workload=loop why=no-filter',
     'skip: got "why=no-filter", want filter=TEXT'),
    ("run n=2", 'skip n=2 method=lbr workload=loop filter=ret why=no-filter',
     "skip: got filter=ret, want by the plan jcc"),
)
