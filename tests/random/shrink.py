"""A program that shows a disagreement, made as small as it gets while it still shows it.

In each round all programs that are one step smaller go into one image and are booted on the
CPU and by the methods concerned.  Of those that disagree in the same way the smallest goes on
that shows it alone, as a workload file: what depends on the programs before it helps nobody.
"""
import copy
import os

import program
from batch import BUILD, STOCK, Batch, Boot, make

ROUNDS = 40
ALONE = 8               # programs of a round, of all sizes, that are tried alone
NAME = "random_%d"


def blocks_of(tree):
    """All blocks: lists of statements that can be changed in place."""
    todo = [tree["main"], *tree["functions"]]
    while todo:
        block = todo.pop()
        yield block
        for _, _, inner in block:
            todo += inner


def smaller(tree):
    """Programs that lack something of this one."""
    for changes in (without_many, without_one, unwrapped, with_fewer_rounds):
        yield from changes(tree)


def altered(tree, number, change):
    """A copy in which the block of this number is changed."""
    other = copy.deepcopy(tree)
    change(list(blocks_of(other))[number])
    return other


def without_many(tree):
    for number, block in enumerate(blocks_of(tree)):
        half = len(block) // 2
        for part in (slice(0, None), slice(0, half), slice(half, None)) if half else ():
            yield altered(tree, number, lambda block, part=part: block.__delitem__(part))


def without_one(tree):
    for number, block in enumerate(blocks_of(tree)):
        for at in range(len(block)):
            yield altered(tree, number, lambda block, at=at: block.__delitem__(at))


def unwrapped(tree):
    """What is inside of a statement, without it."""
    for number, block in enumerate(blocks_of(tree)):
        for at, (_, _, inner) in enumerate(block):
            for one in range(len(inner)):
                if inner[one]:
                    yield altered(tree, number, lambda block, at=at, one=one:
                                  block.__setitem__(slice(at, at + 1), block[at][2][one]))


def with_fewer_rounds(tree):
    if tree["rounds"] > 1:
        yield {**copy.deepcopy(tree), "rounds": 1}
    for number, block in enumerate(blocks_of(tree)):
        for at, (kind, facts, _) in enumerate(block):
            if kind == "loop" and facts[1] > 1:
                yield altered(tree, number, lambda block, at=at, facts=facts:
                              block[at].__setitem__(1, (facts[0], facts[1] - 1)))


def size(tree):
    """Lines, and then rounds."""
    rounds = sum(facts[1] for block in blocks_of(tree) for kind, facts, _ in block
                 if kind == "loop")
    return len(program.write(tree)[0]), rounds + tree["rounds"]


def disagreeing(trees, found, properties):
    """Those of the trees that disagree in the same way, smallest first."""
    programs = {NAME % i: tree for i, tree in enumerate(trees)}
    batch = Batch(os.path.join(BUILD, "shrinking"), programs,
                  {name: "a part of another" for name in programs})
    batch.build()
    boot = Boot(found.cpu, len(trees), ",".join(found.methods), properties).run()
    names = {one.name for one in boot.disagreements if one.way == found.way}
    return sorted((programs[name] for name in names), key=size)


def shrink(tree, found, properties, progress, holds):
    """The smallest program for which `holds` is true, that is, which shows it alone; or None."""
    tried = set()
    if not holds(tree):
        return None
    for number in range(ROUNDS):
        parts = []
        for one in smaller(tree):
            if repr(one) not in tried and size(one) < size(tree):
                tried.add(repr(one))
                parts.append(one)
        if not parts:
            break
        still = disagreeing(parts, found, properties)
        progress("  round %d: of %d smaller programs %d disagree as well"
                 % (number + 1, len(parts), len(still)))
        alone = next(filter(holds, still[::-(-len(still) // ALONE) or 1]), None)
        if not alone:
            break
        tree = alone
        progress("  down to %d lines" % size(tree)[0])
    return tree


# --- what is left, as a workload like any other --------------------------------------------

FILE = """; A disagreement that random programs found, made small: {about}.
;
; {said}
; The rows are what this machine's processor did, one instruction at a time.
%include "workload.inc"

WORKLOAD {name}, "{about}", RING0 | LOW
{code}

{stubs}
EXPECT
{rows}
END
"""


def write_workload(tree, name, about, said):
    """Returns the path of the file, in a folder of its own, for EXTRA=."""
    folder = os.path.join(BUILD, name)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name + ".asm")
    lines, stubs = program.write(tree)
    batch = Batch(os.path.join(folder, "truth"), {NAME % 0: tree}, {NAME % 0: about})
    batch.step()
    with open(path, "w") as file:
        file.write(FILE.format(
            name=name, about=about, said=said, code="\n".join(lines),
            stubs="".join("STUB %d, %s\n" % pair for pair in stubs.items()),
            rows="\n".join(batch.expectation(NAME % 0))))
    return path


def holds_as_a_file(path, found, properties):
    """Whether the file, built in as any workload is, shows it; the lines of the report."""
    name = os.path.splitext(os.path.basename(path))[0]
    make("EXTRA=" + os.path.dirname(path), "WORKLOAD_OBJECTS=%s/workloads/%s.o" % (BUILD, name),
         BUILD + "/everybranch.img", BUILD + "/everybranch", BUILD + "/tests/compare",
         BUILD + "/tests/trail")
    boot = Boot(found.cpu, 1, ",".join(found.methods), properties).run()
    return [one for one in boot.disagreements if one.way == found.way]


def how_to_see(path, found, properties, seed):
    """`make run` asks the truth, and the methods about each other, but no other judge."""
    if found.judge != "truth":
        number = int(seed.split(".")[1])
        return "only make fuzz asks this judge (%s): make fuzz SEED=%s N=%d CPU=%s METHOD=%s%s" \
            % (found.judge, seed.split(".")[0], number + 1, found.cpu,
               ",".join(found.methods), property_words(properties))
    name = os.path.splitext(os.path.basename(path))[0]
    return "make %s EXTRA=%s METHOD=%s WORKLOAD=%s%s" % (
        "run-tcg" if found.cpu == STOCK else "run CPU=" + found.cpu, os.path.dirname(path),
        ",".join(found.methods), name, property_words(properties))


def property_words(properties):
    return ' PROPERTY="%s"' % " ".join(properties) if properties else ""
