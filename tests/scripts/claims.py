"""Each function of a test file whose name is a claim runs once; its outcome is a line."""
import atexit
import concurrent.futures
import os
import shutil
import sys
import tempfile
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPTS = os.path.join(ROOT, "scripts")
BUILD = os.path.join(ROOT, os.environ.get("BUILD") or "build")

MACHINES = int(os.environ.get("JOBS") or 2)     # that run at a time
HANG = 600                      # seconds after which a program hangs, however busy the machine
SHOWN = 400                     # characters of a value in a message

sys.path.insert(0, SCRIPTS)
sys.dont_write_bytecode = True


def folder(files):
    """A fresh folder with these files in it: {path: text or bytes}; None: a folder."""
    root = tempfile.mkdtemp(prefix="everybranch-test-")
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    for path, content in files.items():
        path = os.path.join(root, path)
        if content is None:
            os.makedirs(path, exist_ok=True)
            continue
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    return root


def program(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o755)


def refused(error, call, *arguments):
    """What the call says when it refuses."""
    try:
        call(*arguments)
    except error as said:
        return str(said)
    raise AssertionError("was not refused")


def shown(value):
    text = repr(value)
    return text if len(text) < SHOWN else text[:SHOWN] + "..."


def same(got, want):
    assert got == want, "got %s, want %s" % (shown(got), shown(want))


def holds(text, part):
    assert part in text, "got %s, want %r in it" % (shown(text), part)


class Skip(Exception):
    """Why a claim cannot be looked at here."""


class Wrong(Exception):
    """Where and why a claim does not hold."""


def outcome(name, claim, *arguments):
    """The line of a claim; one that returns a note has it shown."""
    try:
        note = claim(*arguments)
        return "ok %s%s" % (name, ": " + note if note else "")
    except Wrong as wrong:
        return "not ok %s - %s" % (name, str(wrong).replace("\n", "\n    "))
    except Exception as error:              # any other exception is a failed claim as well
        return "not ok %s - %s: %s" % (name, type(error).__name__,
                                       str(error).replace("\n", "\n    "))


def run_machines(claims, wanted=()):
    """Runs (name, function, arguments...) some at a time, all or those that a word of
    `wanted` is part of.  Returns whether one failed, or there was none."""
    chosen = [claim for claim in claims
              if not wanted or any(word in claim[0] for word in wanted)]
    failed = not chosen
    with concurrent.futures.ThreadPoolExecutor(MACHINES) as pool:
        for line in pool.map(lambda claim: outcome(*claim), chosen):
            print(line, flush=True)
            failed |= line.startswith("not ok")
    return failed


def run_claims(names):
    failed = False
    for name, claim in names.items():
        if name.startswith("_") or getattr(claim, "__module__", "") != "__main__" \
                or not callable(claim):
            continue
        try:
            claim()
            print("ok %s" % name)
        except Skip as why:
            print("ok %s # SKIP %s" % (name, why))
        except Exception as error:          # any other exception is a failed claim
            frame = [f for f in traceback.extract_tb(error.__traceback__)
                     if not f.filename.endswith("claims.py")][-1]
            print("not ok %s - %s:%d: %s" % (name, os.path.relpath(frame.filename, ROOT),
                                             frame.lineno, error or type(error).__name__))
            failed = True
    sys.exit(failed)
