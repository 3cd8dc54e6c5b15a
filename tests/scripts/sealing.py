"""The trailers of a log's lines, as docs/log.md has them: a forger has no less."""
import zlib


def sealed(bodies):
    crc, lines = "00000000", []
    for sequence, body in enumerate(bodies, 1):
        line = "%s ~%d" % (body, sequence)
        crc = "%08x" % zlib.crc32((crc + line).encode())
        lines.append("%s %s\n" % (line, crc))
    return "".join(lines)


def unsealed(path):
    with open(path) as file:
        return [line.rsplit(" ~", 1)[0] for line in file]
