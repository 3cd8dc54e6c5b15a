"""Which files of a folder call which others, as nm finds in their objects."""
import os
import re
import subprocess

from claims import BUILD, ROOT


def objects(folder):
    """{source: its object} of a folder, such as tools/log; none may be there of an old source."""
    where = os.path.join(BUILD, "host" if folder.split("/")[0] == "tools" else "", folder)
    found = {}
    for name in sorted(os.listdir(os.path.join(ROOT, folder))):
        stem, kind = os.path.splitext(name)
        path = os.path.join(where, {".c": stem, ".asm": name}.get(kind, "") + ".o")
        if kind in (".c", ".asm") and os.path.exists(path):
            found[name] = path
    return found


def symbols(paths):
    """{path: (those that the object defines, those that it uses)}.  One nm reads all objects:
    starting it, with LLVM's plugin where clang is installed, takes longer than reading one."""
    found = {path: (set(), set()) for path in paths}
    said = subprocess.run(["nm", "-A", *paths], check=True, capture_output=True,
                          text=True).stdout if found else ""
    for path, kind, symbol in re.findall(r"^(.+):[0-9a-f ]{16} ([TDBRCU]) (\S+)$", said, re.M):
        defined, used = found[path]
        (used if kind == "U" else defined).add(symbol)
    return found


def _calls(folder):
    """{source: the others whose functions or data it uses}"""
    names = {path: name for name, path in objects(folder).items()}
    both = symbols(names)
    used = {names[path]: used for path, (_, used) in both.items()}
    defined = {symbol: names[path] for path, (own, _) in both.items() for symbol in own}
    return {name: {defined[symbol] for symbol in wanted if symbol in defined} - {name}
            for name, wanted in used.items()}


def _reached(calls, name):
    found, new = set(), set(calls[name])
    while new:
        found |= new
        new = set().union(*(calls[one] for one in new)) - found
    return found


def circles(folder):
    """Each set of files that reach each other, as a sorted list."""
    calls = _calls(folder)
    assert calls, "%s has no objects in %s" % (folder, BUILD)
    reached = {name: _reached(calls, name) for name in calls}
    return sorted(map(sorted, {frozenset(other for other in reached[name]
                                         if name in reached[other])
                               for name in calls if name in reached[name]}))
