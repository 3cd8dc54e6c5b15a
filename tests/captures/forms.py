"""Forms in which services and editors keep a log, made by hand after their documents: a row each.

In a row of _each, {line} is a line that came, without its LF, {text} the same without its CR, and
{json}, {html} and {lava} are that with the escapes of each; {json_line} has CR and LF, too, and
{json_twice} is JSON in a string of JSON.  LAVA's dispatcher puts a backslash before each quote,
and then writes YAML ({lava_json}).  {n} is the line's number, {time} and {clock} are when it came.
"""
import csv
import gzip
import html
import io
import json
import lzma
import subprocess

TERMINAL = 80                   # columns


def _each(row, head="", tail=""):
    def kept(said):
        out = [head]
        for n, line in enumerate(said.decode(errors="replace").removesuffix("\n").split("\n"), 1):
            text = line.removesuffix("\r")
            lava = text.replace('"', '\\"').replace("\x1b", "")
            clock = "09:%02d:%02d" % divmod(n, 60)
            out.append(row.format(line=line, text=text, json=json.dumps(text),
                                  json_line=json.dumps(line + "\n"), html=html.escape(text),
                                  json_twice=json.dumps(json.dumps({"log": line})),
                                  lava=lava, lava_json=json.dumps(lava), n=n, clock=clock,
                                  time="2026-11-23T" + clock))
        return ("".join(out) + tail).encode()
    return kept


_timed = _each("[{clock}] {line}\n")


def _some(row, every, after=0):
    """What stands after the first `after` characters of every such line; 0: after its end."""
    def kept(said):
        lines = said.split(b"\r\n")
        for i in range(every, len(lines), every):
            at = after or len(lines[i])
            lines[i] = lines[i][:at] + row + lines[i][at:]
        return b"\r\n".join(lines)
    return kept


def _wrapped(end, columns=TERMINAL):
    def kept(said):
        return "".join((line[at:at + columns] + end) for line in said.decode().split("\r\n")
                       for at in range(0, len(line) or 1, columns)).encode()
    return kept


def _copied(said):
    """Selected in a terminal with the mouse: full rows, with the blanks at their ends."""
    return b"".join(line[at:at + TERMINAL].ljust(TERMINAL) + b"\n" for line in said.split(b"\r\n")
                    for at in range(0, len(line) or 1, TERMINAL))


def _array(said):
    return json.dumps(said.decode().split("\r\n")).encode()


def _table(said):
    out = io.StringIO()
    csv.writer(out).writerows(enumerate(said.decode().split("\r\n")))
    return out.getvalue().encode()


def _cast(said):
    """asciinema's, in which a line may be cut anywhere."""
    said = said.decode().replace("\n", "\r\n")
    return "".join([json.dumps({"version": 2, "width": 80, "height": 24}) + "\n"] + [
        json.dumps([at / 1000, "o", said[at:at + 1000]]) + "\n"
        for at in range(0, len(said), 1000)]).encode()


def _by(*command):
    return lambda said: subprocess.run(command, input=said, stdout=subprocess.PIPE,
                                       check=True).stdout


_GITHUB = "\ufeff2026-11-23T09:00:00.0000000Z ##[group]Run make run\n" \
    "2026-11-23T09:00:00.0000001Z \x1b[36;1mmake run\x1b[0m\n" \
    "2026-11-23T09:00:00.0000002Z ##[endgroup]\n"
_GITLAB = "\x1b[0KRunning with gitlab-runner 17.5.0\x1b[0;m\n" \
    "section_start:1732352400:step_script\r\x1b[0K\x1b[32;1m$ make run\x1b[0;m\n"
_SECTION_END = "section_end:1732352500:step_script\r\x1b[0K\n"
_LAVA = '- {{"dt": "{time}.000000", "lvl": "%s", "msg": %s}}\n'

FORMS = (
    ("github",              _each("{time}.0123456Z {text}\n", _GITHUB, "{time} ##[error]exit 1\n")),
    ("github_with_cr",      _each("{time}.0123456Z {line}\n", _GITHUB)),
    ("github_archive",      _each("{time}.0123456Z {text}\r\n", _GITHUB)),
    ("gh_run_view",         _each("debian (13)\tRun make run\t{time}.0123456Z {text}\n")),
    ("github_page",         _each("{n}\n{text}\n")),
    ("gitlab",              _each("{text}\n", _GITLAB, _SECTION_END)),
    ("gitlab_with_times",   _each("{time}.012345Z 01O {line}\n", _GITLAB)),
    ("gitlab_in_colour",    _each("\x1b[32;1m{text}\x1b[0;m\n")),
    ("gitlab_in_sections",  _each("\x1b[0Ksection_start:17323524{n:02}:s{n}\r\x1b[0K{line}\n")),
    ("jenkins_with_times",  _each("[{time}.012Z] {text}\n", "Started by admin\n+ make run\n")),
    ("jenkins_short_times", _each("{clock}  {text}\n")),
    ("jenkins_branches",    _each("[core2] {text}\n")),
    ("jenkins_notes",       _each("\x1b[8mha:////4AAA{n:04}AQB=\x1b[0m{text}\n")),
    ("lava_yaml",           _each(_LAVA % ("target", "{lava_json}") +
                                  _LAVA % ("debug", '"a test case"'))),
    ("lava_plain",          _each("{lava}\n<LAVA_SIGNAL_TESTCASE TEST_CASE_ID={n}>\n")),
    ("lavacli",             _each("{time} \x1b[32m{lava}\x1b[0m\n")),
    ("docker_json",         _each('{{"log":{json_line},"stream":"stdout","time":"{time}Z"}}\n')),
    ("json_in_json",        _each('{{"n":{n},"event":{json_twice}}}\n')),
    ("buildkite",           _each("\x1b_bk;t=17323524{n:05}\x07{line}\n")),
    ("kubernetes",          _each("{time}.012345678Z stdout F {text}\n")),
    ("kubectl",             _each("[pod/everybranch-7d4b9/qemu] {text}\n")),
    ("docker_compose",      _each("\x1b[36meverybranch-1  | \x1b[0m{text}\n")),
    ("compose_of_two",      _each("everybranch-1  | {text}\ndb-1           | checkpoint {n}\n")),
    ("journalctl",          _each("Nov 23 {clock} host qemu[812]: {text}\n")),
    ("journalctl_json",     _each('{{"PRIORITY":"6","MESSAGE":{json},"_PID":"812"}}\n')),
    ("printk",              _each("[{n:5}.012345] {text}\r\n")),
    ("putty",               lambda said: b"=~=~=~= PuTTY log 2026.11.23 09:00:00 =~=~\r\n" + said),
    ("tera_term",           _each("[2026-11-23 {clock}.012] {line}\n")),
    ("ipmitool",            lambda said: b"[SOL Session operational.  Use ~? for help]\r\n" + said),
    ("virsh_in_script",     lambda said: b"Connected to domain 'a'\r\nEscape character is ^]\r\n" +
                            said.replace(b"\n", b"\r\n")),
    ("amtterm",             lambda said: b"serial-over-lan redirection ok\n" + said),
    ("labgrid_debug",       _each("DEBUG:SerialDriver:Read 80 bytes: b'{line}', timeout 0.0\n")),
    ("mail",                _each("> {text}\n")),
    ("mail_in_mail",        _each("> > {text}\n")),
    ("html",                _each("{html}\n", "<pre>", "</pre>\n")),
    ("yaml_block",          _each("    {text}\n", "job:\n  log: |\n")),
    ("line_numbers",        _each("{n:6}\t{text}\n")),
    ("grep",                _each("serial.log:{n}:{line}\n")),
    ("strace",              _each('write(1, {json_line}, 80) = 80\n')),
    ("times_without_a_gap", _each("{clock}{text}{clock}\n")),
    ("words_in_colour",     lambda said: said.replace(b"=", b"\x1b[0m=\x1b[1;36m")),
    ("window_titles",       _each("\x1b]0;run {n}\x07{line}\n")),
    ("a_progress_bar",      _each("{text}\r[###   ] {n}%\n")),
    ("a_suffix",            _each("{text} [lab7]\n")),
    ("cat_A",               _each("{text}^M$\n")),
    ("json_array",          _array),
    ("json_string",         lambda said: json.dumps({"serial": said.decode()}).encode()),
    ("csv",                 _table),
    ("asciinema",           _cast),
    ("cr_cr_lf",            lambda said: said.replace(b"\r", b"\r\r")),
    ("lf_cr",               lambda said: said.replace(b"\r\n", b"\n\r")),
    ("cr_alone",            lambda said: said.replace(b"\n", b"")),
    ("empty_lines",         lambda said: said.replace(b"\r", b"\n")),
    ("telnet",              lambda said: said.replace(b"\r", b"\r\0")),
    ("nuls",                _some(b"\r\n" + bytes(64), 9)),
    ("xon_and_xoff",        _some(b"\x13\x11", 5, 10)),
    ("escapes_within",      _some(b"\x1b[0m", 6, 9)),
    ("escapes_before",      _each("\x1b[2K\x1b[1G{line}\n")),
    ("escapes_for_lines",   _each("\x1b[24;1H{text}")),
    ("trailing_blanks",     _each("{text}      \n")),
    ("wrapped",             _wrapped("\n")),
    ("wrapped_cr_lf",       _wrapped("\r\n")),
    ("copied",              _copied),
    ("linux_between",       _some(b"\r\n[   12.345678] usb 1-1: new device number 2", 7)),
    ("linux_within",        _some(b"[   12.345678] random: crng init done\r\n", 9, 12)),
    ("a_bmc_within",        _some(b"<SEL full>", 40, 12)),
    ("lines_doubled",       _each("{line}\n{line}\n")),
    ("utf_16",              lambda said: said.decode().encode("utf-16")),
    ("utf_16_with_times",   lambda said: _timed(said).decode().encode("utf-16")),
    ("utf_16_after_utf_8",  lambda said: b"starting\r\n" + said.decode().encode("utf-16-le")),
    ("utf_8_with_mark",     lambda said: b"\xef\xbb\xbf" + said),
    ("gzip",                gzip.compress),
    ("xz",                  lzma.compress),
    ("zstd",                _by("zstd", "-q")),
    ("gzip_with_times",     lambda said: gzip.compress(_timed(said))),
)
