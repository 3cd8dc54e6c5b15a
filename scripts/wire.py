"""What comes over the serial line of a running machine."""
import re

OPENING = b"everybranch log="
TAKING = b"everybranch: taking the machine"
PROMPTS = b"everybranch monitor: `help` lists its commands"
OPENS = re.compile(rb"^" + OPENING, re.M)


class Wire:
    """The serial line as it grows: the firmware's text, then our log, then firmware.

    Each line is looked at once, however often there is more: a log can have megabytes."""

    def __init__(self, path):
        self.path = path
        self.text = bytearray()
        self.opened = False     # our first words are there, in the middle of a line or not
        self.begin = None       # where our log begins
        self.at = None          # where the first line begins that is not looked at yet
        self.over = False       # the log's last line is there
        self.newest = b""       # the last whole line that is not empty
        self.planned, self.done, self.running = None, 0, ""

    def grow(self):
        """Takes in what is new; whether there was anything."""
        with open(self.path, "rb") as file:
            file.seek(len(self.text))
            new = file.read()
        seen = max(len(self.text) - len(OPENING), 0)
        self.text += new
        if not self.opened:
            self.opened = self.text.find(OPENING, seen) >= 0
        if self.begin is None:
            begins = OPENS.search(self.text, seen)
            self.begin = self.at = begins.start() if begins else None
        if self.begin is not None:
            self.look()
        return bool(new)

    def look(self):
        while not self.over:
            end = self.text.find(b"\n", self.at)
            if end < 0:
                return
            line = bytes(self.text[self.at:end]).rstrip(b"\r")
            self.at = end + 1
            if line:
                self.newest = line
                self.note(line)

    def note(self, line):
        if line.startswith((b"ran n=", b"skip n=")):
            self.done += 1
        elif line.startswith(b"run n="):
            found = re.match(rb"run n=\d+ method=(\S+) workload=(\S+)", line)
            self.running = ": %s %s" % tuple(
                word.decode(errors="replace") for word in found.groups()) if found else ""
        elif line.startswith(b"plan "):
            runs = re.search(rb" runs=(\d+)", line)
            self.planned = int(runs.group(1)) if runs else self.planned
        self.over = line.startswith(b"end ")

    def started(self):
        return self.opened

    def taken(self):
        """Whether the image said that it starts, which is all where its log comes last."""
        return TAKING in self.text

    def prompts(self):
        """Whether the monitor waits for its first command."""
        return PROMPTS in self.text

    def last_line(self):
        """The newest of our lines that is not empty, be it whole or not."""
        if self.at is None:         # a panic may come before the opening line
            lines = bytes(self.text).replace(b"\r", b"\n").split(b"\n")
            return next((line for line in lines[::-1] if line), b"").decode(errors="replace")
        piece = b"" if self.over else bytes(self.text[self.at:])
        return (piece.rstrip(b"\r") or self.newest).decode(errors="replace")

    def ended(self):
        return self.last_line().startswith("end ")

    def gave_up(self):
        """The kernel said that it broke; it stops the processor then."""
        return self.last_line().startswith("panic ") and self.text.endswith(b"\n")

    def refusal(self):
        """What the image said when it would not take the machine, or None."""
        if self.opened:
            return None
        said = re.search(rb"everybranch: (?!taking the machine)([^\r\n]+)[\r\n]", self.text)
        return said.group(1).decode(errors="replace") if said else None

    def lost(self):
        """Whether the log names a processor that did not come back."""
        return re.search(rb"\nlost processor=", self.text) is not None

    def unsaved(self):
        """Why the log is not on the stick, in the image's words, or None."""
        said = re.search(rb"everybranch: (the log is NOT saved: [^\r\n]+)[\r\n]", self.text)
        return said.group(1).decode(errors="replace") if said else None

    def asks_for_a_key(self):
        """Whether the image, after its log, waits for a person."""
        asks = rb"everybranch: the firmware goes on in a minute"
        return self.ended() and re.search(asks, self.text) is not None

    def denied(self):
        """What the firmware said when Secure Boot kept it from starting the image, or None
        (EDK2's words, MdeModulePkg/Library/UefiBootManagerLib)."""
        if self.opened:
            return None
        said = re.search(rb"BdsDxe: failed to load ([^\r\n]*): Access Denied[^\r\n]*[\r\n]",
                         self.text)
        return said.group(0).strip().decode(errors="replace") if said else None

    def progress(self):
        """How far the plan is, in words."""
        if self.planned is None:
            return "booting"
        return "%d of %d runs%s" % (self.done, self.planned, self.running)

    def log(self):
        """Our log only, with the line ends of a file."""
        if self.begin is None:
            return b""
        return bytes(self.text[self.begin:self.at]).replace(b"\r\n", b"\n")
