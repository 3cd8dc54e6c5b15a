"""The stick of a machine that is no longer running."""
import os
import shutil
import subprocess

from claims import Wrong

PARTITION = slice(1 << 20, 63 << 20)    # of the image, as scripts/image makes it
VOLUME_AT = "@@1M"                      # the same, for mtools


def mtool(verb, image, *words):
    """One of mtools' programs; what it says."""
    done = subprocess.run([verb, "-i", image + VOLUME_AT, *words], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace")
    if done.returncode:
        raise Wrong("%s %s: %s" % (verb, " ".join(words), done.stderr.strip()))
    return done.stdout


def read(image, path):
    return mtool("mtype", image, path)


def write(image, path, text):
    """Puts a text there, by way of a file beside the image."""
    beside = image + ".put"
    with open(beside, "w") as file:
        file.write(text)
    mtool("mcopy", image, "-o", beside, path)
    os.remove(beside)


def check_file_system(image, folder):
    """fsck wants the partition in a file of its own."""
    part = os.path.join(folder, "partition")
    with open(image, "rb") as file:
        file.seek(PARTITION.start)
        with open(part, "wb") as out:
            out.write(file.read(PARTITION.stop - PARTITION.start))
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    done = subprocess.run([shutil.which("fsck.vfat", path=path) or "fsck.vfat", "-n", part],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    os.remove(part)
    if done.returncode or "Dirty bit is set" in done.stdout:
        raise Wrong("%s: fsck.vfat is not content:\n%s" % (image, done.stdout.strip()))
