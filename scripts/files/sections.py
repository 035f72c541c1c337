"""The rows of scripts/bench-files: which files, what was reached before streams were undone, and the bars."""
import gzip
import struct
from dataclasses import dataclass, field
from typing import Callable

from sources import opened


@dataclass
class Row:
    """`files` gives (name, bytes or path) of what goes into one archive; `apart`: into one each."""
    name: str
    files: Callable
    before: int | None = None
    most: dict = field(default_factory=dict)  # bytes of the archive by effort
    apart: bool = False
    contents: float | None = None  # most, times the archive of what the streams hold
    flac: float | None = None      # most, times flac -8, of each file
    flac_options: tuple = ()
    seconds: float | None = None   # most CPU seconds to code, for each MB of file, at normal


def named(paths):
    return [(path.name, path) for path in paths]


def kodak(sources):
    return named(sources.of_data("kodak/kodim*.png"))


def omniglot(sources):
    return named(sources.of_data("omniglot/images_background_small1.zip"))


def data(pattern):
    return lambda sources: named(sources.of_data(pattern))


def opened_data(pattern):
    return lambda sources: [(path.name.removesuffix(".gz"), opened(path)) for path in sources.of_data(pattern)]


def debian(package, pattern, most=None):
    return lambda sources: named(sources.debian(package, pattern)[:most])


def beginning(package, pattern, size):
    return lambda sources: [(path.name, path.read_bytes()[:size]) for path in sources.debian(package, pattern)[:1]]


def wheel(package):
    return lambda sources: named([sources.wheel(package)])


def in_wheel(package, name, begin=0, end=None):
    return lambda sources: [(name.rsplit("/", 1)[-1], sources.in_wheel(package, name)[begin:end])]


PAGES = ["git-man", "coreutils", "util-linux", "alsa-utils"]


def manual_pages(sources):
    found = [path for package in PAGES for path in sources.debian(package, "usr/share/man/man1/*.gz")]
    return named(sorted(found, key=lambda path: path.name)[:305])


def dicom_wave(sources):
    """The first group of waves of a recording, twelve channels of 16 bits."""
    content = sources.in_wheel("pydicom", "pydicom/data/test_files/waveform_ecg.dcm")
    head = struct.pack("<HH2sHI", 0x5400, 0x1010, b"OW", 0, 240000)
    begin = content.index(head) + len(head)
    return [("ecg", content[begin:begin + 240000])]


def images_50000(sources):
    """The last 10,000 training images of MNIST, as IDX."""
    size = 28 * 28
    content = gzip.decompress(sources.of_data("mnist/train-images-idx3-ubyte.gz")[0].read_bytes())
    return [("mnist-50000.idx", struct.pack(">4I", 2051, 10000, 28, 28) + content[16 + 50000 * size:])]


def wav(channels, bits, samples):
    width = bits // 8
    chunk = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, channels, 48000, 48000 * channels * width, channels * width, bits)
    body = struct.pack("<4sI", b"data", len(samples)) + samples
    return struct.pack("<4sI4s", b"RIFF", 4 + len(chunk) + len(body), b"WAVE") + chunk + body


def sounds(sources):
    return sources.debian("alsa-utils", "usr/share/sounds/alsa/*.wav")


def other_widths(sources):
    """Sound of 8 and of 24 bits, made of two of 16."""
    left, right = (path.read_bytes()[44:] for path in sounds(sources)[:2])
    count = min(len(left), len(right)) // 2
    left, right = struct.unpack(f"<{count}h", left[:2 * count]), struct.unpack(f"<{count}h", right[:2 * count])
    narrow = bytes((value >> 8) + 128 for value in left)
    wide = b"".join((171 * a + 83 * b).to_bytes(3, "little", signed=True) for a, b in zip(left, right))
    return [("8bit.wav", wav(1, 8, narrow)), ("24bit.wav", wav(1, 24, wide))]


def pack(sources):
    return [("objects.pack", sources.git_pack())]


BITS = 28 * 28 * 10000 / 8  # bytes of a bit a pixel


SECTIONS = {
    "photographs": [
        Row("Kodak, 18 PNGs", kodak, 11550702, {"normal": 5900000}, contents=1.02, seconds=2.5)],
    "drawings": [Row("omniglot, zip of 2,720 PNGs", omniglot, 506708, {"normal": 165000}, contents=1.02)],
    "clipart": [Row("openclipart, 40 PNGs", debian("openclipart-png", "usr/share/openclipart/png/animals/*.png", 40),
                    seconds=6)],
    "gzip": [
        Row("world192.txt.gz", data("large/world192.txt.gz"), 721400, {"normal": 340000}, contents=1.02, seconds=4),
        Row("text27.valid.txt.gz", data("text/text27.valid.txt.gz"), 185511, {"normal": 124500}, contents=1.02,
            seconds=4),
        Row("305 manual pages .gz", manual_pages, contents=1.02, seconds=4)],
    "zip": [
        Row("regex, wheel", wheel("regex"), contents=1.02, seconds=4),
        Row("pydicom, wheel", wheel("pydicom"), contents=1.02, seconds=4),
        Row("xerces, jar", debian("libxerces2-java", "usr/share/java/xercesImpl-*.jar"), contents=1.02, seconds=4),
        Row("ant, jar", debian("ant", "usr/share/java/ant-1*.jar"), contents=1.02, seconds=4)],
    "pdf": [Row("gnuplot.pdf, first 500 kB", beginning("gnuplot-doc", "usr/share/doc/gnuplot/gnuplot.pdf", 500000),
                483516, {"normal": 198000}, contents=1.02, seconds=5)],
    "packs": [Row("git pack", pack, contents=1.02)],
    "sound": [
        Row("alsa-utils, 9 WAVs", lambda sources: named(sounds(sources)), 580295, {"normal": 445000}, apart=True,
            flac=0.90),
        Row("8 and 24 bits", other_widths, apart=True, flac=1)],
    "medical": [
        Row("ECG, 12 leads", dicom_wave, 41762, {"normal": 29500}),
        Row("CT, 16 bits", in_wheel("pydicom", "pydicom/data/test_files/CT_small.dcm", -32768), 14738, {"normal": 13200}),
        Row("CT_small.dcm", in_wheel("pydicom", "pydicom/data/test_files/CT_small.dcm")),
        Row("waveform_ecg.dcm", in_wheel("pydicom", "pydicom/data/test_files/waveform_ecg.dcm")),
        Row("anatomical.nii", in_wheel("nibabel", "nibabel/tests/data/anatomical.nii")),
        Row("0.dcm, a mosaic", in_wheel("nibabel", "nibabel/tests/data/0.dcm")),
        Row("scaled+tlrc.BRIK", in_wheel("nibabel", "nibabel/tests/data/scaled+tlrc.BRIK")),
        Row("example4d.nii.gz", in_wheel("nibabel", "nibabel/tests/data/example4d.nii.gz"), contents=1.02)],
    "grey": [
        Row("MNIST 50,000..59,999", images_50000, most={"normal": round(0.992 * BITS), "best": round(0.978 * BITS)}),
        Row("Fashion-MNIST t10k", opened_data("fashion-mnist/t10k-images-idx3-ubyte.gz"),
            most={"normal": round(3.165 * BITS), "best": round(3.130 * BITS)})],
    "programs": [Row("bash, first 320 kB", beginning("bash", "bin/bash", 320000), 135575, {"normal": 126500})],
    "calgary": [Row("Calgary corpus", data("calgary/*"), apart=True)],
}
