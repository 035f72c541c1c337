"""Questions of scripts/bench-files that are no row of its table: small files, files after others, unlike files, files
beside their best form, streams of other encoders. Each takes the bench, which measures, and adds its bars.
"""
import gzip
import importlib
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import coders
from sections import beginning, in_wheel, sounds
from sources import REPOSITORY, Absent, opened, staged

def small_files(sources):
    """What scripts/files/small lists: lines of a package, or . for this repository, and a path."""
    found, lines = [], REPOSITORY / "scripts/files/small"
    if not lines.exists():
        raise Absent(f"{lines} is not there")
    for line in lines.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        package, path = line.split(maxsplit=1)
        paths = [REPOSITORY / path] if package == "." else sources.debian(package, path)
        if not paths[0].exists():
            raise Absent(f"{path} is not in this repository")
        found.append((f"{len(found)}-{paths[0].name.removesuffix('.gz')}", opened(paths[0])))
    return found


def small(bench):
    """Each file alone, under a name of one letter, beside the smallest of three."""
    above, most, ours, theirs = 0, 0, 0, 0
    files = small_files(bench.sources)
    for _, content in files:
        folder = bench.work / "small"
        names = staged(folder, [("f", content)])
        size = bench.ours.measure(folder, names, "normal")[0]
        least = min(coders.by_filter(name, content) for name in coders.FILTERS if coders.have(name))
        ours, theirs = ours + size, theirs + least
        if size > least:
            above, most = above + 1, max(most, size - least)
    bench.note(f"{len(files)} small files: {ours:,} bytes, the smallest of the others {theirs:,}")
    bench.bar("small files above the smallest of brotli, xz, zstd", above, 3)
    bench.bar("the most by which one is above, bytes", most, 10)


def prime(bench):
    """Manual pages, each by itself, after others."""
    pages = bench.sources.debian("coreutils", "usr/share/man/man1/*.gz")
    pages = [(path.name.removesuffix(".gz"), opened(path)) for path in pages]
    folder, others = bench.work / "pages", bench.work / "others"
    names = staged(folder, pages[:40])
    staged(others, pages[40:80])
    alone = sum(bench.ours.measure(folder, [name], "normal")[0] for name in names)
    after = sum(bench.ours.measure(folder, [name], "normal", ["--prime", others])[0] for name in names)
    bench.note(f"40 manual pages: {alone:,} bytes alone, {after:,} after 40 others")
    bench.bar("40 pages after 40 others, of them alone", after / alone, 0.42, "{:.3f}")


def unlike(bench):
    """Five files of five kinds as one archive and as five."""
    sources = bench.sources
    page = sources.debian("git-man", "usr/share/man/man1/git-log.1.gz")[0]
    files = [*beginning("bash", "bin/bash", 300000)(sources), ("git-log.1", opened(page)),
             ("sound.wav", sounds(sources)[0]),
             *in_wheel("pydicom", "pydicom/data/test_files/CT_small.dcm")(sources),
             *in_wheel("nibabel", "nibabel/tests/data/scaled+tlrc.BRIK")(sources)]
    folder = bench.work / "unlike"
    names = staged(folder, files)
    together = bench.ours.measure(folder, names, "normal")[0]
    alone = sum(bench.ours.measure(folder, [name], "normal")[0] for name in names)
    bench.note(f"five unlike files: {together:,} bytes, alone {alone:,}")
    bench.bar("five unlike files, of themselves alone", together / alone, 1.01, "{:.3f}")


def packaged(sources, package, pattern, most=400000):
    return [(path.name, path.read_bytes()[:most]) for path in sources.debian(package, pattern)[:1]]


def of_many_kinds(sources):
    """The Calgary corpus and files of other kinds, each a part that takes a while to code in every way."""
    found, database = [], "usr/share/RDKit/Projects/DbCLI/testData/bzr"
    for files in (lambda: [(path.name, path.read_bytes()) for path in sources.of_data("calgary/*")],
                  lambda: packaged(sources, "r-cran-readxl", "usr/lib/R/site-library/readxl/extdata/datasets.xls"),
                  lambda: in_wheel("nibabel", "nibabel/tests/data/0.dcm")(sources),
                  lambda: in_wheel("nibabel", "nibabel/tests/data/anatomical.nii")(sources),
                  lambda: in_wheel("nibabel", "nibabel/tests/data/scaled+tlrc.BRIK")(sources),
                  lambda: packaged(sources, "bash", "bin/bash"),
                  lambda: packaged(sources, "gdal-data", "usr/share/gdal/plscenesconf.json"),
                  lambda: packaged(sources, "gdal-data", "usr/share/gdal/s57objectclasses.csv"),
                  lambda: packaged(sources, "rdkit-data", f"{database}/Fingerprints.sqlt"),
                  lambda: packaged(sources, "fonts-dejavu-core", "usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"),
                  lambda: [("sound.pcm", sounds(sources)[0].read_bytes()[44:])],
                  lambda: in_wheel("pydicom", "pydicom/data/test_files/examples_palette.dcm")(sources)):
        try:
            found += files()
        except Absent as absent:
            print(f"bench-files: left out of kinds: {absent}", file=sys.stderr)
    return found


def kinds(bench):
    """Each file alone, beside its bytes in the best of all forms, which `every-form` of the build finds."""
    if not coders.have("every-form"):
        raise Absent("every-form is not built")
    container, longest = 100, "1100"
    folder = bench.work / "kinds"
    for name, content in of_many_kinds(bench.sources):
        names = staged(folder, [(name, content)])
        size = bench.ours.measure(folder, names, "normal")[0]
        told = subprocess.run(["every-form", longest, folder / name], capture_output=True, check=True, text=True).stdout
        *_, best, form, _, _ = told.rstrip("\n").split("\t")
        bench.bar(f"{name}, of its best form ({form})", (size - container) / int(best), 1.01, "{:.3f}")


# Streams of other encoders: what is not foretold, in hundredths of the stream.
ENCODERS = [("zlib, flushed each 128 KiB", None, 0.0), ("libdeflate -6", "deflate", 3.8), ("libdeflate -12", "deflate", 8.7),
            ("zlib-ng -6", "zlib-ng", 4.4), ("zlib-ng -9", "zlib-ng", 0.0), ("ISA-L 1", "isal", 13.8),
            ("ISA-L 3", "isal", 10.6), ("zopfli", "zopfli", 8.6), ("7z -mx5", None, 8.9)]


def finished(stream, content):
    return stream.compress(content) + stream.flush()


def flushed(content):
    stream, size = zlib.compressobj(6, zlib.DEFLATED, -15), 1 << 17
    pieces = [stream.compress(content[at:at + size]) + stream.flush(zlib.Z_SYNC_FLUSH)
              for at in range(0, len(content), size)]
    return b"".join(pieces) + stream.flush()


def by_7z(content):
    if not coders.have("7z"):
        raise Absent("7z is not installed")
    with tempfile.TemporaryDirectory() as work:
        Path(work, "f").write_bytes(content)
        subprocess.run(["7z", "a", "-tgzip", "-mx=5", "f.gz", "f"], cwd=work, check=True, stdout=subprocess.DEVNULL)
        made = Path(work, "f.gz").read_bytes()
    return made[made.index(b"\0", 10) + 1 if made[3] & 8 else 10:-8]


def stream_by(name, module, content):
    """A raw stream of that encoder."""
    if name.startswith("libdeflate"):
        return module("deflate").deflate_compress(content, int(name.split("-")[-1]))
    if name.startswith("zlib-ng"):
        return finished(module("zlib_ng.zlib_ng").compressobj(int(name[-1]), zlib.DEFLATED, -15), content)
    if name.startswith("ISA-L"):
        return finished(module("isal.isal_zlib").compressobj(int(name[-1]), zlib.DEFLATED, -15), content)
    if name == "zopfli":
        return module("zopfli.zlib").compress(content, numiterations=5)[2:-4]
    return by_7z(content) if name.startswith("7z") else flushed(content)


def in_gzip(stream, content):
    tail = struct.pack("<II", zlib.crc32(content), len(content))
    return gzip.compress(b"", mtime=0)[:10] + stream + tail


def encoders(bench):
    """Of each encoder seven files of the Calgary corpus, the first 400 kB."""
    contents = [(name, bench.sources.of_data(f"calgary/{name}")[0].read_bytes()[:400000])
                for name in ("bib", "book1", "geo", "news", "obj2", "progc", "trans")]
    folder = bench.work / "streams"
    plain = bench.ours.bytes_of(folder, staged(folder, contents))

    def module_of(package):
        def load(module):
            place = str(bench.sources.program(package, module.partition(".")[0]))
            if place not in sys.path:
                sys.path.insert(0, place)
            return importlib.import_module(module)
        return load

    for name, package, percent in ENCODERS:
        try:
            streams = [(f"{file}.gz", stream_by(name, module_of(package), content), content) for file, content in contents]
        except (Absent, ImportError) as absent:
            print(f"bench-files: left out: {name}: {absent}", file=sys.stderr)
            continue
        names = staged(folder, [(file, in_gzip(stream, content)) for file, stream, content in streams])
        made = bench.ours.measure(folder, names, "normal")[0]
        share = 100 * (made - plain) / sum(len(stream) for _, stream, _ in streams)
        bench.bar(f"{name}: not foretold, % of the stream", share, max(1.1 * percent, 0.1), "{:.2f}")


QUESTIONS = {"small": small, "prime": prime, "unlike": unlike, "kinds": kinds, "encoders": encoders}
