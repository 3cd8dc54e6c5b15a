"""What comes over the serial line of a running machine."""
import re

OPENING = b"everybranch log="


class Wire:
    """The serial line as it grows: the firmware's text, then our log, then firmware."""

    def __init__(self, path):
        self.path = path
        self.text = b""

    def grow(self):
        """Takes in what is new; whether there was anything."""
        with open(self.path, "rb") as file:
            file.seek(len(self.text))
            new = file.read()
        self.text += new
        return bool(new)

    def started(self):
        return OPENING in self.text

    def lines(self):
        """Of our log only, without line ends."""
        begin = re.search(rb"^" + OPENING, self.text, re.M)
        for line in self.text[begin.start():].split(b"\n") if begin else ():
            line = line.rstrip(b"\r")
            yield line
            if line.startswith(b"end "):
                return

    def last_line(self):
        lines = [line for line in self.lines() if line]
        return lines[-1].decode(errors="replace") if lines else ""

    def ended(self):
        return self.last_line().startswith("end ")

    def gave_up(self):
        """The kernel said that it broke; it stops the processor then."""
        return self.last_line().startswith("panic ") and self.text.endswith(b"\n")

    def refusal(self):
        """What the image said when it would not take the machine, or None."""
        said = re.search(rb"everybranch: (?!taking the machine)([^\r\n]+)[\r\n]", self.text)
        return said.group(1).decode(errors="replace") if said and not self.started() else None

    def progress(self):
        """How far the plan is, in words."""
        planned = re.search(rb"^plan .*runs=(\d+)", self.text, re.M)
        done = len(re.findall(rb"^(?:ran|skip) n=", self.text, re.M))
        newest = re.findall(rb"^run n=\d+ method=(\S+) workload=(\S+)", self.text, re.M)[-1:]
        if not planned:
            return "booting"
        now = ": %s %s" % tuple(word.decode() for word in newest[0]) if newest else ""
        return "%d of %d runs%s" % (done, int(planned.group(1)), now)

    def log(self):
        return b"".join(line + b"\n" for line in self.lines())
