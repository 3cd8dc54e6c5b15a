"""Programs that nobody would write: a tree of statements, and the assembly it stands for.

A statement is a list [kind, facts, blocks]; a block is a list of statements.  So a
program can be made smaller by taking statements out of their blocks, and what is left is
a program again.  Each ends: loops count in rcx, which whatever is inside keeps, nothing
else jumps back, and functions call only those after them.

What is random: conditions, forms and distances of branches (0 too), loops, calls, tables,
far transfers, events.  No flag is used that the manual leaves undefined, and none that
depends on an address; handlers keep all registers but rbx and r15.  Program I of a seed
is the same however many there are.
"""
import random

CONDITIONS = ("o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge",
              "le", "g")
RETURNS = ("ret", "rep ret", "ret 8", "retfq", "retf")     # how a function ends
FUNCTIONS = 3
DEPTH = 3                       # of blocks in blocks in which still loops are written
SHORT = 5                       # statements that a branch of one byte surely reaches over

# What an event needs: the vector, and the code of its handler, with the offset by which
# a fault is stepped over.  Handlers are straight, so that nothing else is seen of them.
HANDLERS = {
    "int":  (48, ("nop",)),
    "int3": (3, ("nop",)),
    "ud":   (6, ("add     qword [rsp], 2",)),              # over ud2
    "de":   (0, ("add     qword [rsp], 2",)),              # over div ebx
    "gp":   (13, ("pop     r15", "add     qword [rsp], 2")),    # over mov ebx, [rbx]
    "pf":   (14, ("mov     rbx, rsp", "pop     r15")),     # to mov ebx, [rbx] again
}
EVENTS = {
    "int":  ("int     48",),
    "int3": ("int3",),
    "ud":   ("ud2",),
    "de":   ("xor     ebx, ebx", "div     ebx", "test    eax, eax"),
    "gp":   ("mov     rbx, 0x8000000000000000", "mov     ebx, [rbx]"),
    "pf":   ("mov     ebx, 16", "mov     ebx, [rbx]"),
}


# --- a random tree -------------------------------------------------------------------------


class Grower:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.function = -1      # the one that is being written; -1: none of them
        self.returns = [self.random.choice(RETURNS) for _ in range(FUNCTIONS)]

    def number(self):
        return self.random.getrandbits(31)

    def plain(self, depth):
        return ["plain", self.random.choice((
            "add     eax, %d" % self.number(),
            "xor     eax, edx",
            "rol     eax, 1",
            "lea     edx, [rdx + rax*4 + %d]" % self.random.getrandbits(16),
            "sub     edx, eax",
            "cmp     eax, edx",
            "test    eax, %d" % self.number(),
            "adc     edx, %d" % self.number(),
            "setl    sil",
            "cmovb   esi, edx",
            # Bytes that look like branches.
            "mov     edi, 0x%x" % self.random.choice((0x75ebe9e8, 0xcfcbc3c2, 0xcd0fe2ff)),
            "neg     edx",
        )), []]

    def repeated(self, depth):
        return ["repeated", self.random.randrange(5), []]

    def distance(self, depth):
        """What a branch goes over; nothing: it goes to the next instruction."""
        statements = self.random.choice((0, 0, 1, 2, SHORT if depth < 2 else 1))
        return self.block(statements, depth + 1)

    def form(self):
        return self.random.choice(("", "near "))

    def conditional(self, depth):
        hint = self.random.choice((None,) * 6 + (0x2e, 0x3e))
        return ["conditional", (hint, self.random.choice(CONDITIONS), self.form()),
                [self.distance(depth)]]

    def direct(self, depth):
        return ["direct", self.form(), [self.distance(depth)]]

    def indirect(self, depth):
        return ["indirect", self.random.choice(("register", "memory")), [self.distance(depth)]]

    def far(self, depth):
        kind = self.random.choice(("retfq", "retf", "jump", "call", "iretq"))
        return ["far", kind, [self.distance(depth)]]

    def zero(self, depth):
        return ["zero", (self.random.choice(("jrcxz", "jecxz")),
                         self.random.choice((0, 1, 0x100000000))),
                [[self.plain(depth) for _ in range(self.random.randrange(3))]]]

    def table(self, depth):
        return ["table", None, [self.block(self.random.randrange(2), depth + 1)
                                for _ in range(4)]]

    def loop(self, depth):
        kind = self.random.choice(("dec", "dec", "loop", "loope", "loopne", "a32 loop"))
        rounds = self.random.randrange(1, 4)
        if kind == "dec":
            inside = self.block(self.random.randrange(4), depth + 1)
        else:                   # its branch reaches back over little
            inside = [self.plain(depth) for _ in range(self.random.randrange(4))]
        return ["loop", (kind, rounds), [inside]]

    def call(self, depth):
        if self.function + 1 >= FUNCTIONS:
            return self.plain(depth)
        return ["call", (self.random.choice(("direct", "register", "memory")),
                         self.random.randrange(self.function + 1, FUNCTIONS)), []]

    def call_next(self, depth):
        return ["call_next", None, []]

    def event(self, depth):
        # Half of the handlers may return to a branch.
        return ["event", (self.random.choice(sorted(EVENTS)), self.random.random() < 0.5), []]

    def block(self, statements, depth):
        kinds = [self.plain] * 5 + [self.conditional] * 5 + [
            self.direct, self.indirect, self.zero, self.call, self.call, self.call_next,
            self.event, self.far, self.repeated]
        if depth < DEPTH:
            kinds += [self.loop, self.loop, self.table]
        return [self.random.choice(kinds)(depth) for _ in range(statements)]


def grow(seed):
    """A program as data: what the registers begin with, how often all is done, the block of
    the program and those of its functions, and how these return."""
    grower = Grower(seed)
    program = {"eax": grower.number(), "edx": grower.number(),
               "rounds": grower.random.choice((1, 2, 3)),
               "main": grower.block(grower.random.choice((2, 4, 8, 12, 16)), 1),
               "returns": grower.returns, "functions": []}
    for grower.function in range(FUNCTIONS):
        program["functions"].append(grower.block(grower.random.randrange(1, 4), 2))
    return program


# --- its assembly --------------------------------------------------------------------------


class Writer:
    """Every instruction has a label of its own, so that the truth can name any."""

    def __init__(self, program):
        self.program = program
        self.lines, self.tables = [], []
        self.labels = 0
        self.called, self.events = set(), set()

    def label(self):
        self.labels += 1
        return ".n%d" % self.labels

    def put(self, text, label=None):
        self.lines.append("%-8s%s" % ((label or self.label()) + ":", text))

    def block(self, statements):
        for kind, facts, blocks in statements:
            getattr(self, kind)(facts, *blocks)

    def plain(self, text):
        self.put(text)

    def repeated(self, count):
        self.put("push    rcx")
        self.put("lea     rsp, [rsp - 64]")
        self.put("mov     rdi, rsp")
        self.put("mov     ecx, %d" % count)
        self.put("rep stosb")
        self.put("lea     rsp, [rsp + 64]")
        self.put("pop     rcx")

    def conditional(self, facts, inside):
        hint, condition, form = facts
        end = self.label()
        branch = "j%-7s%s%s" % (condition, form, end)
        if hint:                # a prefix, which nasm has no word for
            self.put("db      0x%x" % hint)
            self.lines.append("        " + branch)
        else:
            self.put(branch)
        self.block(inside)
        self.put("nop", end)

    def direct(self, form, inside):
        end = self.label()
        self.put("jmp     %s%s" % (form, end))
        self.block(inside)
        self.put("nop", end)

    def indirect(self, through, inside):
        end = self.label()
        self.put("lea     r11, [%s]" % end)
        if through == "register":
            self.put("jmp     r11")
            self.block(inside)
            self.put("nop", end)
        else:
            self.put("push    r11")
            self.put("jmp     [rsp]")
            self.block(inside)
            self.put("pop     r11", end)

    def far_pointer(self, target):
        """16:32 on the stack: the code lies below 4 GiB."""
        self.put("lea     rbx, [%s]" % target)
        self.put("push    rbx")
        self.put("mov     ebx, cs")
        self.put("mov     [rsp + 4], bx")

    def far(self, kind, inside):
        end = self.label()
        if kind == "retfq":
            self.put("mov     ebx, cs")
            self.put("push    rbx")
            self.put("lea     rbx, [%s]" % end)
            self.put("push    rbx")
            self.put("o64 retf")
            self.block(inside)
            self.put("nop", end)
        elif kind == "retf":    # takes four bytes for each of the two
            self.far_pointer(end)
            self.put("retf")
            self.block(inside)
            self.put("nop", end)
        elif kind == "iretq":
            self.put("mov     rdi, rsp")
            self.put("mov     ebx, ss")
            self.put("push    rbx")
            self.put("push    rdi")
            self.put("pushfq")
            self.put("mov     ebx, cs")
            self.put("push    rbx")
            self.put("lea     rbx, [%s]" % end)
            self.put("push    rbx")
            self.put("iretq")
            self.block(inside)
            self.put("nop", end)
        else:
            self.far_pointer(end)
            # FF /5, FF /3 with [rsp]: which of m16:32 and m16:64 nasm takes is its own.
            self.put("db      0xff, %s, 0x24" % ("0x2c" if kind == "jump" else "0x1c"))
            self.block(inside)
            self.put("pop     rbx", end)
            if kind == "call":  # the return address lay above the pointer
                self.put("pop     rbx")

    def zero(self, facts, inside):
        branch, count = facts
        end = self.label()
        self.put("push    rcx")
        self.put("mov     rcx, 0x%x" % count)
        self.put("%-7s %s" % (branch, end))
        self.block(inside)
        self.put("pop     rcx", end)

    def table(self, _, *cases):
        table, end = self.label(), self.label()
        labels = [self.label() for _ in cases]
        self.put("mov     ebx, eax")
        self.put("and     ebx, %d" % (len(cases) - 1))
        self.put("lea     r11, [%s]" % table)
        self.put("movsxd  rbx, dword [r11 + rbx*4]")
        self.put("lea     rbx, [rbx + r11]")
        self.put("jmp     rbx")
        for label, case in zip(labels, cases):
            self.put("nop", label)
            self.block(case)
            self.put("jmp     near " + end)
        self.put("nop", end)
        self.tables.append((table, labels))

    def loop(self, facts, inside):
        kind, rounds = facts
        top = self.label()
        self.put("push    rcx")
        self.put("mov     ecx, %d" % rounds)
        self.put("nop", top)
        self.block(inside)
        if kind == "dec":
            self.put("dec     ecx")
            self.put("jnz     near " + top)
        else:
            self.put("%-7s %s" % (kind, top))
        self.put("pop     rcx")

    def call(self, facts):
        form, function = facts
        self.called.add(function)
        callee = ".f%d" % function
        returns = self.program["returns"][function]
        if form != "direct" and returns != "retf":
            self.put("lea     r9, [%s]" % callee)
        if form == "memory" and returns != "retf":
            self.put("push    r9")
        if returns == "retfq":
            self.put("mov     ebx, cs")
        if returns in ("retfq", "ret 8"):
            self.put("push    rbx")             # beneath the return address
        if returns == "retf":
            self.far_pointer(callee)
            self.put("db      0xff, 0x1c, 0x24")
            self.put("pop     rbx")
        elif form == "direct":
            self.put("call    " + callee)
        elif form == "register":
            self.put("call    r9")
        else:
            self.put("call    [rsp%s]" % (" + 8" if returns in ("retfq", "ret 8") else ""))
            self.put("pop     r9")

    def call_next(self, _):
        end = self.label()
        self.put("call    " + end)
        self.put("pop     r9", end)

    def event(self, facts):
        kind, nop = facts
        self.events.add(kind)
        for line in EVENTS[kind]:
            self.put(line)
        if nop:
            self.put("nop")

    def function(self, number):
        self.put("nop", ".f%d" % number)
        self.block(self.program["functions"][number])
        self.put({"rep ret": "db      0xf3, 0xc3", "ret 8": "ret     8", "retfq": "o64 retf"}
                 .get(self.program["returns"][number], self.program["returns"][number]))

    def handlers(self):
        for kind in sorted(self.events):
            first = ".h_" + kind
            for line in HANDLERS[kind][1]:
                self.put(line, first)
                first = None
            self.put("iretq")

    def whole(self):
        program = self.program
        self.put("mov     eax, %d" % program["eax"])
        self.put("mov     edx, %d" % program["edx"])
        self.put("xor     esi, esi")
        if program["rounds"] > 1:
            top = self.label()
            self.put("mov     ecx, %d" % program["rounds"])
            self.put("nop", top)
        self.block(program["main"])
        if program["rounds"] > 1:
            self.put("dec     ecx")
            self.put("jnz     near " + top)
        self.put("ret")
        for number in range(FUNCTIONS):         # one calls only those after it
            if number in self.called:
                self.function(number)
        self.handlers()
        for name, cases in self.tables:
            self.put("dd      " + ", ".join("%s - %s" % (case, name) for case in cases), name)
        return self


def write(program):
    """Its lines of assembly, and its stubs as {vector: label}."""
    writer = Writer(program).whole()
    return writer.lines, {HANDLERS[kind][0]: ".h_" + kind for kind in sorted(writer.events)}
