"""One boot of the image by scripts/run, in a folder of its own, and what it left there."""
import os
import re
import subprocess
import sys

from claims import BUILD, HANG, ROOT, Wrong, run_machines
from sealing import unsealed
import snapshot

# What a user of `make test` may have set for `make run`.
_CHOICES = ("CPU", "METHOD", "WORKLOAD", "FILTER", "BOOT", "BUNDLE", "SMP", "TIMEOUT", "PROPERTY")

os.environ.setdefault("EMULATOR", os.path.join(BUILD, "emulator/qemu-system-x86_64"))


class Boot:
    """`whole`: from the firmware's first instruction, and not from a snapshot."""

    def __init__(self, name, cpu="", properties=(), words=(), mode="emulator", whole=False,
                 **environment):
        self.out = os.path.relpath(os.path.join(BUILD, name), ROOT)
        self.log = os.path.join(self.out, "everybranch.log")
        words = [word for one in properties for word in ("--property", one)] + list(words)
        if mode == "emulator" and not whole:
            words += ["--extra=" + word for word in snapshot.words(
                os.environ["EMULATOR"], int(environment.get("SMP") or 1))]
        boot = environment.pop("BOOT", "")
        if "timeout=" not in boot:          # the kernel's limit is real time: seconds of a run
            boot = "timeout=%d" % HANG + ("," + boot if boot else "")
        clean = {key: value for key, value in os.environ.items() if key not in _CHOICES}
        done = subprocess.run(
            ["scripts/run", mode, "--out", self.out, *words], cwd=ROOT,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", env={**clean, "CPU": cpu, "BOOT": boot, "TIMEOUT": str(HANG),
                                **environment})
        self.status, self.said = done.returncode, done.stdout.strip()

    def ended(self, status):
        if self.status != status:
            raise Wrong("%s: status %d, want %d:\n%s"
                        % (self.out, self.status, status, self.said))
        return self

    def text(self):
        """The log."""
        if not os.path.exists(self.log):
            raise Wrong("no log: %s" % self.said)
        with open(self.log) as file:
            return file.read()

    def lines(self, *words):
        """The lines of the log that begin with one of these words, or all; without trailers."""
        return [line for line in unsealed(self.log)
                if not words or line.partition(" ")[0] in words]

    def find(self, pattern):
        """What the pattern finds in the log, where $ is the end of a line and ~ its trailer."""
        return re.findall(pattern, self.text(), re.M)


def main(claims):
    """`claims(long)` gives (name, function, arguments...); words of the command line choose
    among the names, and --long has the long ones."""
    os.chdir(ROOT)
    words = [word for word in sys.argv[1:] if word != "--long"]
    sys.exit(run_machines(claims("--long" in sys.argv), words))


def named(*functions):
    """Functions whose names are their claims."""
    return [(function.__name__, function) for function in functions]
