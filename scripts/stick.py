"""A disk that the image is to be written on: what it is, what it holds, why it may not be."""
import errno
import fcntl
import json
import mmap
import os
import stat
import subprocess

from qemu import Trouble

CHUNK = 4 << 20
TAIL = 1 << 20                  # at the disk's end: an old backup table, a RAID's label
SECTOR = 512                    # the unit of the image's partition table
VOLUME_NAME = "EVERYBRANCH"     # as scripts/image calls it
BLKRRPART = 0x125F              # Linux, include/uapi/linux/fs.h: read the table anew

# Where a running system lies, be it mounted from a disk, a RAID on it or a volume in that.
SYSTEM = ("/", "/boot", "/boot/efi", "/efi", "/etc", "/home", "/usr", "/var", "[SWAP]")

# These distinguish a disk from another that gets its name later; the last is stored on it.
IDENTITY = ("size", "vendor", "model", "serial", "ptuuid")


class Host:
    """The files and the program that tell; `root` is elsewhere in tests."""

    def __init__(self, root="/"):
        self.root = root

    def path(self, name):
        return os.path.join(self.root, name.lstrip("/"))

    def real(self, device):
        """/dev/disk/by-id/usb-... is a link."""
        path = os.path.realpath(device)
        if not os.path.exists(self.path(path)):
            raise Trouble("%s does not exist; %s" % (device, self.choice()))
        return path

    def is_block_device(self, device):
        return stat.S_ISBLK(os.stat(self.path(device)).st_mode)

    def may_write(self, device):
        return os.access(self.path(device), os.W_OK)

    def lsblk(self, *words):
        """What `lsblk --json` knows of these devices, or of all."""
        command = ["lsblk", "--json", "--bytes", "--output-all", *words]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        except FileNotFoundError:
            raise Trouble("lsblk is not installed (Debian's package is util-linux)")
        except subprocess.CalledProcessError as error:
            raise Trouble("lsblk %s fails%s" % (" ".join(words), ": " + error.stderr.strip()
                          if error.stderr.strip() else ", and says nothing: it does not know that "
                          "device, such as a loop device that no file is bound to"))
        return done.stdout

    def disks(self, *words):
        try:
            return json.loads(self.lsblk(*words))["blockdevices"]
        except (ValueError, KeyError, TypeError):
            raise Trouble("lsblk --json gives no list of devices")

    def is_card(self, name):
        """An SD card in a slot of its own: soldered memory has the same driver and is no
        card."""
        try:
            with open(self.path("sys/block/%s/device/type" % name)) as file:
                return file.read().strip() == "SD"
        except OSError:
            return False

    def choice(self):
        """The disks that could be meant, in words."""
        fit = [disk["path"] for disk in self.disks("--nodeps")
               if is_disk(disk) and self.can_be_taken_out(disk)]
        return "there is %s" % ", ".join(fit) if fit else "no removable or USB disk is there"

    def can_be_taken_out(self, disk):
        return yes(disk.get("rm")) or disk.get("tran") == "usb" or self.is_card(disk["name"])


def yes(value):
    return value in (True, 1, "1")      # older lsblk writes "1"


def is_disk(entry):
    return entry.get("type") == "disk"


def below(entry):
    """A device and all that is made of it: partitions, volumes, RAIDs."""
    yield entry
    for child in entry.get("children") or ():
        yield from below(child)


def mounted_at(entry):
    places = entry.get("mountpoints") or [entry.get("mountpoint")]
    return [place for place in places if place]


def size_in_words(count):
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if count < 1024:
            break
        count /= 1024
    else:
        unit = "TiB"
    return "%.4g %s" % (count, unit)


class Stick:
    """One device as lsblk has it."""

    def __init__(self, host, device):
        self.host = host
        self.path = host.real(device)
        if not host.is_block_device(self.path):
            raise Trouble("%s is not a block device; %s" % (device, host.choice()))
        found = host.disks(self.path)
        if len(found) != 1 or not found[0].get("name"):
            raise Trouble("lsblk does not know %s" % self.path)
        self.disk = found[0]
        self.name = self.disk["name"]
        self.size = int(self.disk.get("size") or 0)

    def check(self, room):
        """Trouble where `room` bytes must not or cannot be written here."""
        if self.disk.get("type") == "part":
            whole = self.disk.get("pkname")
            raise Trouble("%s is a partition, and the image is a whole disk: DEV=%s"
                          % (self.path, "/dev/" + whole if whole else "the disk it is on"))
        if self.disk.get("type") == "loop":
            raise Trouble("%s is a loop device and no stick; `make usb` alone makes the image, "
                          "which is a file that you can copy" % self.path)
        if not is_disk(self.disk):
            raise Trouble("%s is no disk but of the type %r"
                          % (self.path, self.disk.get("type") or "unknown"))
        self.check_use()
        if not self.host.can_be_taken_out(self.disk):
            raise Trouble("%s is built in: it is neither removable nor on USB (it is on %s)"
                          % (self.path, self.disk.get("tran") or "an unknown bus"))
        if yes(self.disk.get("ro")):
            raise Trouble("%s is read-only: an SD card or its adapter can have a switch"
                          % self.path)
        if self.size == 0:
            raise Trouble("%s has no medium in it" % self.path)
        if self.size < room:
            raise Trouble("%s has %s (%d bytes), the image %s (%d)"
                          % (self.path, size_in_words(self.size), self.size,
                             size_in_words(room), room))
        sector = int(self.disk.get("log-sec") or SECTOR)
        if sector != SECTOR:
            raise Trouble("%s has sectors of %d bytes; the image's partition table is for %d"
                          % (self.path, sector, SECTOR))

    def check_use(self):
        everything = list(below(self.disk))
        for entry in everything:
            system = [place for place in mounted_at(entry) if place in SYSTEM]
            if system:
                raise Trouble("%s is the disk that this system runs from: %s on it is %s"
                              % (self.path, entry["name"], " and ".join(system)))
        for entry in everything:
            if mounted_at(entry):
                raise Trouble("%s on %s is mounted at %s: sudo umount /dev/%s"
                              % (entry["name"], self.path, " and ".join(mounted_at(entry)),
                                 entry["name"]))
        for entry in everything[1:]:
            if entry.get("type") != "part":
                raise Trouble("%s is in use by %s, which is of the type %r: stop that first"
                              % (self.path, entry["name"], entry.get("type")))

    def check_same(self, room):
        """Trouble where this is not what was looked at any more: a person takes a while to
        answer, and a stick put in meanwhile can get the name of one that was taken out."""
        now = Stick(self.host, self.path)
        if any(now.disk.get(fact) != self.disk.get(fact) for fact in IDENTITY):
            raise Trouble("%s is another disk now than the one that was shown: nothing was "
                          "written" % self.path)
        now.check(room)

    def check_right(self, command):
        if not self.host.may_write(self.path):
            raise Trouble("writing to %s needs root.  Type:\n  sudo %s" % (self.path, command))

    def about(self):
        """What would be erased, in lines."""
        disk = self.disk
        name = " ".join(word.strip() for word in (disk.get("vendor"), disk.get("model"))
                        if word and word.strip())
        yield "%s: %s, %s, %s%s" % (
            self.path, name or "a disk without a name", size_in_words(self.size),
            "on USB" if disk.get("tran") == "usb" else "on %s" % (disk.get("tran") or
                                                                  "an unnamed bus"),
            ", serial number %s" % disk["serial"] if disk.get("serial") else "")
        parts = list(below(disk))[1:]
        if not parts:
            what = disk.get("fstype")
            yield "  it has no partitions" + (", but all of it is %s%s" % (what, label(disk))
                                              if what else "")
        for part in parts:
            yield "  %s: %s, %s%s" % (part["name"], size_in_words(int(part.get("size") or 0)),
                                      part.get("fstype") or "no known file system", label(part))
            if part.get("label") == VOLUME_NAME:
                yield "  that is a stick of this project: the logs on it go too"


def label(entry):
    name = entry.get("label") or entry.get("partlabel")
    return ", named \"%s\"" % name if name else ""


def take(path):
    """Opens the disk for nobody else: this fails where anything on it is in use, also what
    lsblk does not see, such as a mount in a container."""
    try:
        return os.open(path, os.O_RDWR | os.O_EXCL | os.O_DIRECT)
    except OSError as error:
        if error.errno == errno.EBUSY:
            raise Trouble("%s is in use: the system gives it to nobody else now" % path)
        raise Trouble("%s cannot be opened for writing: %s" % (path, error.strerror))


def pieces(image, size):
    """(where, bytes) of all that shall be on the disk: the image, and nothing at its end.
    The bytes lie at a page's begin, as O_DIRECT wants them."""
    room = mmap.mmap(-1, CHUNK)
    with open(image, "rb", buffering=0) as file:
        at = 0
        while True:
            count = file.readinto(room)
            if not count:
                break
            yield at, memoryview(room)[:count]
            at += count
    room[:TAIL] = bytes(TAIL)
    begin = max(at, (size - TAIL) // SECTOR * SECTOR)
    if begin < size:
        yield begin, memoryview(room)[:size - begin]


def write(image, disk, size, show):
    """Writes the image and waits until the disk has it."""
    for at, piece in pieces(image, size):
        done = 0
        while done < len(piece):
            done += os.pwritev(disk, [piece[done:]], at + done)
        show("writing", at + len(piece))
    os.fsync(disk)


def compare(image, disk, size, show):
    """Trouble where the disk gives back other bytes than were written."""
    room = mmap.mmap(-1, CHUNK)
    for at, piece in pieces(image, size):
        got = memoryview(room)[:len(piece)]
        done = 0
        while done < len(piece):
            count = os.preadv(disk, [got[done:]], at + done)
            if not count:
                raise Trouble("the disk ends at byte %d, though it says %d" % (at + done, size))
            done += count
        if got != piece:
            wrong = next(i for i in range(len(piece)) if got[i] != piece[i])
            raise Trouble("byte %d reads back as 0x%02x, written was 0x%02x: this disk is not "
                          "fit for use" % (at + wrong, got[wrong], piece[wrong]))
        show("reading back", at + len(piece))


def read_table_anew(disk):
    """Whether the kernel has looked at the new partition table."""
    try:
        fcntl.ioctl(disk, BLKRRPART)
        return True
    except OSError:
        return False
