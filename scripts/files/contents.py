"""What files with DEFLATE streams hold, as files: what an archive of them is measured by."""
import gzip
import io
import re
import subprocess
import zipfile
import zlib

from sources import Absent

MOST = 64 << 20  # bytes of a stream's content


def of_gzip(name, content):
    return [(name.removesuffix(".gz"), gzip.decompress(content))]


def of_zip(name, content):
    """Its members, and what those hold."""
    found = []
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for entry in archive.infolist():
            if not entry.is_dir():
                found += of_file(f"{name}.d/{entry.filename.lstrip('/')}", archive.read(entry))
    return found


def of_png(name, content):
    """Its pixels as PNM, by whichever program there is."""
    for program in (["pngtopnm"], ["convert", "png:-", "pnm:-"]):
        try:
            made = subprocess.run(program, input=content, capture_output=True, check=True).stdout
            return [(name.removesuffix(".png") + ".pnm", made)]
        except (OSError, subprocess.CalledProcessError):
            continue
    raise Absent("pixels need netpbm or ImageMagick")


def of_streams(name, content):
    """The file itself with what each zlib stream holds in its place."""
    parts, begin = [], 0
    for match in re.finditer(rb"[\x08\x18\x28\x38\x48\x58\x68\x78][\x01\x5e\x9c\xda]", content):
        at = match.start()
        if at < begin:
            continue
        stream = zlib.decompressobj()
        try:
            held = stream.decompress(content[at:], MOST)
        except zlib.error:
            continue
        if stream.eof and held:
            parts += [content[begin:at], held]
            begin = len(content) - len(stream.unused_data)
    return [(name, b"".join(parts) + content[begin:])]


def of_file(name, content):
    """By its first bytes."""
    if content[:2] == b"\x1f\x8b":
        return of_gzip(name, content)
    if content[:4] == b"PK\3\4":
        return of_zip(name, content)
    if content[:8] == b"\x89PNG\r\n\x1a\n":
        return of_png(name, content)
    if content[:4] in (b"%PDF", b"PACK"):
        return of_streams(name, content)
    return [(name, content)]
