"""The fenced blocks of a Markdown file, and whether a program printed what a block promises."""
import re
from collections import namedtuple

# The pages whose commands boot machines, or write files that later commands read:
# tests/scripts/walks runs these from top to bottom, tests/scripts/documents all others.
WALKED = ("README.md", "docs/adding.md", "docs/audit.md", "docs/capture.md", "docs/fail.md",
          "docs/hardware.md", "docs/here.md", "docs/hypervisors.md", "docs/lesson.md",
          "docs/processors.md", "docs/show.md")

# line: of the fence, from 1; before: the paragraph above the block, on one line.
Block = namedtuple("Block", "line language text before")
Command = namedtuple("Command", "line words output")


def blocks(text):
    """All of them, in order.  A block in a list is indented like its fence."""
    found, paragraph, fence = [], [], None
    for number, line in enumerate(text.split("\n"), 1):
        opening = re.fullmatch(r"( *)```(\S*)", line)
        if fence is None and opening:
            fence, language, inside = opening[1], opening[2], []
            began = number
        elif fence is None:
            paragraph = paragraph + [line.strip()] if line.strip() else paragraph
            if re.match(r" *(\d+\.|-|#+|\|) ", line):
                paragraph = [line.strip()]
        elif line == fence + "```":
            found.append(Block(began, language, "\n".join(inside) + "\n", " ".join(paragraph)))
            fence, paragraph = None, []
        else:
            assert not line or line.startswith(fence), "line %d: want %r before it" \
                % (number, fence)
            inside.append(line[len(fence):])
    assert fence is None, "line %d: a block without an end" % began
    return found


def commands(block):
    """The lines of a console block that begin with `$ `, each with the output below it.  A
    command that ends in a backslash goes on in the next line."""
    found = []
    for number, line in enumerate(block.text.rstrip("\n").split("\n"), block.line + 1):
        if found and found[-1].words.endswith("\\"):
            found[-1] = found[-1]._replace(words=found[-1].words[:-1] + line.strip())
        elif line.startswith("$ "):
            found.append(Command(number, line[2:], []))
        else:
            assert found, "line %d: output before a command" % number
            found[-1].output.append(line)
    return found


def _pattern(lines):
    """`...` stands for any lines where it is a line, and within a line for any text."""
    return "".join(r"(?:.*\n)*?" if line.strip() == "..." else
                   re.escape(line.rstrip()).replace(r"\.\.\.", ".*") + r" *\n" for line in lines)


def mismatch(got, want):
    """The first line of `want` that `got` does not have in its place, or None."""
    if re.fullmatch(_pattern(want), got):
        return None
    for count in range(1, len(want) + 1):
        if not re.match(_pattern(want[:count]), got):
            return want[count - 1]
    return "(nothing more)"
