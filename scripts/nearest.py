#!/usr/bin/env python3
"""The known word that a mistyped one is nearest to, for "did you mean".

    nearest.py WORD NAME...     prints that name, or nothing where none is near

The host program has common/base/nearest.c for this; the scripts also run before it is built.
"""
import difflib
import sys

ALIKE = 0.6     # of difflib's ratio, 1 for the same word


def nearest(word, names):
    """The name, or None."""
    lower = {name.lower(): name for name in names}
    near = difflib.get_close_matches(word.lower(), lower, n=1, cutoff=ALIKE)
    return lower[near[0]] if near else None


def did_you_mean(word, names):
    """"; did you mean loop?", or "" where none is near."""
    near = nearest(word, names)
    return "; did you mean %s?" % near if near else ""


if __name__ == "__main__":
    print(nearest(sys.argv[1], sys.argv[2:]) or "")
