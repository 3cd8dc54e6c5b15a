"""Boots a machine of the lab, takes the log off its serial line and has it judged.

labs/labgrid/run calls pytest with what this needs.  The verdict is that of `everybranch check`;
the log stays in build/lab.
"""
import os
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, os.environ.get("BUILD") or "build")


@pytest.fixture
def log(strategy):
    """The file that everything from the serial line lies in."""
    said = strategy.run()
    os.makedirs(os.path.join(BUILD, "lab"), exist_ok=True)
    path = os.path.join(BUILD, "lab", "everybranch.log")
    with open(path, "wb") as file:
        file.write(said)
    return path


def test_every_record_is_as_it_must_be(log):
    done = subprocess.run([os.path.join(BUILD, "everybranch"), "check", log],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    assert done.returncode == 0, "status %d:\n%s" % (done.returncode, done.stdout)
