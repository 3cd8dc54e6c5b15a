"""The forms in which people's tools keep a log: functions of its lines, each giving bytes.

None loses a byte of the log, so each of FORMS must be read as the log itself.
"""
import base64
import binascii
import gzip
import html
import json
import quopri
import urllib.parse
import zlib

NOISE = "[   12.345678] usb 1-1: new high-speed USB device"


def _each(before="", after="\n"):
    """`before` and `after` may be functions of the number of the line."""
    def text(part, number):
        return part(number) if callable(part) else part
    return lambda lines: "".join(text(before, i) + line + text(after, i) for i, line in enumerate(lines))


def _inside(put, at=11, every=9):
    """Text inside every ninth line."""
    return lambda lines: "".join((line[:at] + put + line[at:] if i % every == 3 else line) + "\n"
                                 for i, line in enumerate(lines))


def _wrapped(width, before="", strip=False):
    def parts(line):
        cut = [line[i:i + width] for i in range(0, len(line), width)]
        return [part.strip() for part in cut] if strip else cut
    return lambda lines: "".join(before + part + "\n" for line in lines for part in parts(line))


def _at_words(width):
    def parts(line):
        rows = [""]
        for word in line.split(" "):
            if rows[-1] and len(rows[-1]) + 1 + len(word) > width:
                rows.append("")
            rows[-1] += (" " if rows[-1] else "") + word
        return rows
    return lambda lines: "".join(row + "\n" for line in lines for row in parts(line))


def _json(make):
    return lambda lines: "".join(json.dumps(make(i, line)) + "\n" for i, line in enumerate(lines))


def _asciinema(size):
    def cast(lines):
        text = "".join(line + "\r\n" for line in lines)
        events = [[round(i * 0.013, 6), "o", text[i:i + size]] for i in range(0, len(text), size)]
        return "\n".join(json.dumps(row) for row in [{"version": 2, "width": 80, "height": 24}] + events) + "\n"
    return cast


def _asciinema_1(lines):
    text = "".join(line + "\r\n" for line in lines)
    return json.dumps({"version": 1, "stdout": [[0.1, text[i:i + 50]] for i in range(0, len(text), 50)]})


def _page(lines):
    return "<html><body><pre>\n%s</pre></body></html>\n" % "".join(
        '<span class="l"><a href="#%d">%d</a> %s</span>\n' % (i, i, html.escape(line))
        for i, line in enumerate(lines))


def _time(i):
    return "2026-11-23T12:%02d:%02d" % (i // 60 % 60, i % 60)


FORMS = {
    "crlf": _each(after="\r\n"),
    "crcrlf": _each(after="\r\r\n"),
    "cr": _each(after="\r"),
    "lfcr": _each(after="\n\r"),
    "an_empty_line_after_each": _each(after="\n\n"),
    "no_ends_of_lines": _each(after=""),
    "zeros": lambda lines: "\n".join(lines).replace(" ", "\0 ") + "\n",
    "byte_order_mark": lambda lines: "\ufeff" + "\n".join(lines) + "\n",
    "times": _each(lambda i: "Nov 23 %s " % _time(i)[11:]),
    "times_with_fractions": _each(lambda i: "%s.%07dZ " % (_time(i), i * 7919)),
    "line_numbers": _each(lambda i: "%d: " % i),
    "aligned_line_numbers": _each(lambda i: "%6d\t" % i),
    "quoted_mail": _each("> "),
    "container": _each("web_1  | "),
    "suffix": _each(after=lambda i: " [ok %d]\n" % i),
    "prefix_and_suffix": _each("| ", " |\n"),
    "trailing_blanks": lambda lines: "".join(line.ljust(132) + "\n" for line in lines),
    "colours": _each("\x1b[32m", "\x1b[0m\x1b[K\r\n"),
    "escapes_inside": _inside("\x1b[1;31m\x1b(B\x1b]0;title\x07", every=4),
    "cursor_moves": _each(lambda i: "\x1b[%d;1H" % i, ""),
    "blanks_that_are_moves": lambda lines: "\r\n".join(lines).replace(" ", "\x1b[C") + "\r\n",
    "repeats_that_are_numbers": lambda lines: "\r\n".join(lines).replace("0000", "0\x1b[3b") + "\r\n",
    "sections": _each(lambda i: "section_start:1:x\r\x1b[0K" if i % 20 == 0 else "\x1b[0;m"),
    "flow_control": _inside("\x13\x11"),
    "backspaces": _each("-\b\\\b|\b"),
    "wrapped_at_80": _wrapped(80),
    "wrapped_at_80_stripped": _wrapped(80, strip=True),
    "wrapped_at_40": _wrapped(40),
    "wrapped_with_times": _wrapped(80, "[12:00:01] "),
    "wrapped_at_words": _at_words(72),
    "foreign_lines": _each(after=lambda i: "\n" + NOISE + "\n" if i % 9 == 3 else "\n"),
    "foreign_to_the_end_of_the_line": _inside(NOISE + "\n"),
    "foreign_on_its_own_line_inside": _inside("\r\n" + NOISE + "\r\n"),
    "foreign_before_the_rest": _inside("\r\n" + NOISE),
    "foreign_in_colour": _inside("\x1b[31mBMC: fan 1 is slow\x1b[0m"),
    "foreign_in_brackets": _inside("<BMC: fan 1 is slow>"),
    "some_lines_doubled": lambda lines: "".join((line + "\n") * (1 + (i % 5 == 0)) for i, line in enumerate(lines)),
    "all_lines_doubled": lambda lines: "".join((line + "\n") * 2 for line in lines),
    "docker": _json(lambda i, line: {"log": line + "\r\n", "stream": "stdout", "time": _time(i) + "Z"}),
    "journal": _json(lambda i, line: {"__CURSOR": "s=%d" % i, "MESSAGE": line, "_PID": "12"}),
    "one_string": lambda lines: json.dumps({"id": 1, "log": "\n".join(lines) + "\n"}),
    "an_array_of_strings": lambda lines: json.dumps(list(lines)),
    "strings_in_strings": lambda lines: json.dumps({"a": json.dumps({"log": "\n".join(lines) + "\n"})}),
    "escaped_by_numbers": lambda lines: "".join(json.dumps(line).replace("=", "\\u003d") + "\n" for line in lines),
    "lava": lambda lines: "".join('- {"dt": "%s", "lvl": "target", "msg": %s}\n' % (_time(i), json.dumps(line))
                                  for i, line in enumerate(lines)),
    "lava_single_quotes": lambda lines: "".join("- {'dt': '%s', 'lvl': 'target', 'msg': '%s'}\n"
                                                % (_time(i), line.replace("'", "''"))
                                                for i, line in enumerate(lines)),
    "yaml_blocks": _each(lambda i: '- dt: "%s"\n  lvl: target\n  msg: ' % _time(i)),
    "quotes_with_backslashes": lambda lines: "\n".join(lines).replace('"', '\\"') + "\n",
    "python": lambda lines: "".join("b%r\n" % (line + "\r\n") for line in lines),
    "asciinema_a_byte_each": _asciinema(1),
    "asciinema": _asciinema(37),
    "asciinema_of_version_1": _asciinema_1,
    "table": lambda lines: "".join('%d,"%s",x\n' % (i, line.replace('"', '""')) for i, line in enumerate(lines)),
    "page": _page,
    "mail": lambda lines: quopri.encodestring(("\n".join(lines) + "\n").encode()).decode(),
    "loki": lambda lines: json.dumps({"values": [[str(17 * 10 ** 17 + i), line] for i, line in enumerate(lines)]}),
    "asciinema_of_version_3": lambda lines: '{"version":3,"term":{"cols":80}}\n' + "".join(
        json.dumps([0.01, "o", line + "\r\n"]) + "\n" for line in lines),
    "tmux_control_mode": lambda lines: "".join("%%output %%1 %s\\015\\012\n" % line for line in lines),
    "syslog": _each(lambda i: "Nov 23 %s host console[12]: " % _time(i)[11:], "#015\n"),
    "terminal_that_wraps": lambda lines: "".join(
        " \r".join(line[i:i + 80] for i in range(0, len(line), 80)) + "\r\n" for line in lines),
    "continued_by_backslashes": lambda lines: "".join(
        "\\\n".join(line[i:i + 70] for i in range(0, len(line), 70)) + "\n" for line in lines),
    "docker_stream": lambda lines: b"".join(b"\1\0\0\0" + (len(line) + 2).to_bytes(4, "big") + line.encode()
                                            + b"\r\n" for line in lines),
    "packed_with_times": lambda lines: gzip.compress(_each(lambda i: _time(i) + " ")(lines).encode()),
}


def _dump(lines):
    text = ("\n".join(lines) + "\n").encode()
    return "".join("%08x: %-40s %s\n" % (at, text[at:at + 16].hex(" ", 2), "".join(
        chr(c) if 32 <= c < 127 else "." for c in text[at:at + 16])) for at in range(0, len(text), 16))


def _with(*pairs):
    """Each text replaced by another."""
    def form(lines):
        text = "\n".join(lines) + "\n"
        for old, new in pairs:
            text = text.replace(old, new)
        return text
    return form


def _uuencoded(lines):
    text = ("\n".join(lines) + "\n").encode()
    return b"begin 644 x.log\n" + b"".join(binascii.b2a_uu(text[i:i + 45]) for i in range(0, len(text), 45)) \
        + b"`\nend\n"


# Nothing is lost, but it is not read: each must be an error that says what to do.
UNREAD = {
    "base64": (lambda lines: base64.encodebytes(("\n".join(lines) + "\n").encode()),
               "has the log in base64: `base64 -d x.log | everybranch check -` reads it"),
    "mail_with_base64": (lambda lines: b"Content-Transfer-Encoding: base64\n\n"
                         + base64.encodebytes(("\n".join(lines) + "\n").encode()),
                         "is mail with the log attached: save the attachment"),
    "uuencode": (_uuencoded, "`uudecode -o - x.log | "),
    "addresses": (lambda lines: "log=" + urllib.parse.quote("\n".join(lines) + "\n"), "in the encoding of addresses"),
    "a_form": (lambda lines: "log=" + urllib.parse.quote_plus("\n".join(lines) + "\n"), "in the encoding of forms"),
    "utf_7": (lambda lines: ("\n".join(lines) + "\n").encode("utf-7"), "is UTF-7: `iconv -f UTF-7 "),
    "ebcdic": (lambda lines: ("\n".join(lines) + "\n").encode("cp037"), "is EBCDIC: `iconv -f CP037 "),
    "zlib": (lambda lines: zlib.compress("\n".join(lines).encode()), "is compressed by zlib: "),
    "sqlite": (lambda lines: "SQLite format 3\0" + "\0\1".join(reversed(lines)), "is a database of SQLite: "),
    "xxd": (_dump, "is a dump of the log: `xxd -r x.log | everybranch check -` reads it"),
    "digits": (lambda lines: "\n".join(lines).encode().hex(), "is a dump of the log: `xxd -r -p x.log | "),
    "od": (lambda lines: "0000000 " + "".join("%4s" % c for c in "\n".join(lines)), "is a dump of the log: get "),
    "parity": (lambda lines: bytes(c | (bin(c).count("1") & 1) << 7 for c in ("\r\n".join(lines) + "\r\n").encode()),
               "its bytes have a parity bit: "),
    "program": (lambda lines: b"\x7fELF\0ZXZlcnlicmFuY2ggbG9n\0Content-Transfer-Encoding: base64\0",
                "no line begins with everybranch log="),
    "upper_case": (lambda lines: "\n".join(lines).upper() + "\n", "no line begins with everybranch log="),
    "backwards": (lambda lines: "\n".join(reversed(lines)) + "\n",
                  "its lines are in reverse order: `tac x.log | everybranch check -` reads them"),
}
FORMS.update({
    "no_break_spaces": _with((" ", "\u00a0")),
    "markdown": _with(("~", "\\~"), ("_", "\\_"), ("[", "\\[")),
    "octal_quotes": _with(('"', "\\042")),
    "hexadecimal_quotes": _with(('"', "\\x22")),
    "named_tildes": _with(("~", "&tilde;")),
    "mail_with_crcrlf": lambda lines: quopri.encodestring(("\n".join(lines) + "\n").encode()).replace(b"\n", b"\r\r\n"),
})


def kept(form, lines):
    text = form(lines)
    return text if isinstance(text, bytes) else text.encode()
