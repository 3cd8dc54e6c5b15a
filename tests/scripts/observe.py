"""The observer beside a boot, and the log held against what it saw."""
import os
import re
import subprocess

from claims import BUILD as BUILT, ROOT, Wrong

BUILD = os.path.relpath(BUILT, ROOT)


def distances():
    return subprocess.run(["tests/observer/arguments", os.path.join(BUILD, "everybranch.so")],
                          stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def plugin(written, where="", stock=False):
    """Words for scripts/run.  It empties its folder, so `written` must lie elsewhere."""
    name = "observer-stock.so" if stock else "observer.so"
    return ["--extra=-plugin", "--extra=%s,out=%s,%s"
            % (os.path.abspath(os.path.join(BUILD, "tests", name)),
               os.path.abspath(written), where or distances())]


def compare(log, observed):
    done = subprocess.run([os.path.join(BUILD, "tests", "compare"), log, observed],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout.strip()


def all_compared(log, observed):
    """Every run that the log has was seen by the observer, and none was different."""
    status, text = compare(log, observed)
    with open(log) as file:
        made = re.search(r"^end runs=\d+ ran=(\d+)", file.read(), re.M)
    want = "%s runs, 0 of them different" % (made.group(1) if made else "?")
    if status != 0 or text != want:
        raise Wrong("%s and %s: got %s, want %s" % (log, observed, text, want))
