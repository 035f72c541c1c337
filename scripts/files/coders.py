"""Ours and what others make of the same files: bytes, and CPU seconds of ours."""
import filecmp
import resource
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path


def seconds_of(command, folder):
    """CPU seconds of a command, which must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


class Ours:
    """The archive of a folder's files, which is decoded and compared."""

    def __init__(self, work):
        self.work = Path(work)

    def archive(self, folder, names, options):
        made = self.work / "made.lpx"
        took = seconds_of(["bits-back-encode", "-q", "--fallback-only", "--no-times", "--no-verify", "--force", "-o", made,
                           *options, *names], folder)
        return made, took

    def bytes_of(self, folder, names, *options):
        made, _ = self.archive(folder, names, options)
        return made.stat().st_size

    def measure(self, folder, names, effort, prime=()):
        """Bytes, seconds to code and to decode."""
        made, coding = self.archive(folder, names, ["--effort", effort, *prime])
        back = self.work / "back"
        shutil.rmtree(back, ignore_errors=True)
        back.mkdir()
        decoding = seconds_of(["bits-back-decode", "-q", *prime, "--output-dir", back, made], folder)
        for name in names:
            if not filecmp.cmp(folder / name, back / name, shallow=False):
                raise RuntimeError(f"{name} does not come back from an archive of {effort}")
        return made.stat().st_size, coding, decoding


FILTERS = {
    "xz": ["xz", "-9e", "-c"],
    "brotli": ["brotli", "-q", "11", "-w", "24", "-c"],
    "zstd": ["zstd", "-q", "-19", "--ultra", "-22", "-c"],
}


def have(program):
    return shutil.which(program) is not None


def by_filter(name, content):
    done = subprocess.run(FILTERS[name], input=content, capture_output=True, check=True)
    return len(done.stdout)


def as_one(folder, names):
    """The file, or a tar of several."""
    if len(names) == 1:
        return (folder / names[0]).read_bytes()
    with tempfile.TemporaryFile() as out:
        with tarfile.open(fileobj=out, mode="w") as tar:
            for name in names:
                tar.add(folder / name, name)
        out.seek(0)
        return out.read()


def by_zpaq(program, folder, names):
    with tempfile.TemporaryDirectory() as work:
        made = Path(work) / "a.zpaq"
        subprocess.run([program, "add", made, *names, "-m5", "-t1"], cwd=folder, check=True, capture_output=True)
        return made.stat().st_size


def by_flac(path, raw=()):
    """`raw`: how the samples of a file without a header lie."""
    done = subprocess.run(["flac", "-8", "-s", "-c", *raw, path], capture_output=True, check=True)
    return len(done.stdout)


def peers_of(folder, names, zpaq):
    """Bytes by each peer that is there."""
    found = {name: by_filter(name, as_one(folder, names)) for name in FILTERS if have(name)}
    if zpaq:
        found["zpaq"] = by_zpaq(zpaq, folder, names)
    return found

