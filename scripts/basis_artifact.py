"""What scripts that convert the weights of others share: files of logpx that extractors read (logpx-basis(5)).

    converter = Converter("convert-inception", __doc__, "checkpoint", "a file of PyTorch with the weights")
    converter.write("inception-v3", tensors)
"""
import argparse
import hashlib
import json
import os
import sys


class Converter:
    """One run of such a script: its name, its options, its end."""

    def __init__(self, name, story, source, source_help):
        parser = argparse.ArgumentParser(description=story, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument(source, help=source_help)
        parser.add_argument("-o", "--output", required=True, help="where to write them (logpx-basis(5))")
        parser.add_argument("-f", "--force", action="store_true", help="replace the output")
        options = parser.parse_args()
        self.name, self.role, self.source = name, source, getattr(options, source)
        self.output = options.output
        try:
            import h5py, numpy  # noqa: F401
        except ImportError as error:
            self.finish(f"needs Python with {error.name}", 1)
        if os.path.exists(self.output) and not options.force:
            self.finish(f"{self.output}: exists already; --force replaces it", 5)

    def finish(self, message, code):
        print(f"{self.name}: error: {message}", file=sys.stderr)
        sys.exit(code)

    def write(self, extractor, tensors):
        """A basis of float32 arrays by name; whole or not at all."""
        with open(self.source, "rb") as source:
            sha256 = hashlib.sha256(source.read()).hexdigest()
        unfinished = f"{self.output}.{os.getpid()}.tmp"
        try:
            artifact = Artifact(unfinished)
            for name, text in (("kind", "basis"), ("schema", "logpx.basis/1"), ("extractor", extractor)):
                artifact.root(name, text)
            for name, values in tensors.items():
                artifact.tensor(f"/basis/{name}", values)
            source = {"role": self.role, "path": os.path.basename(self.source), "content_hash": sha256}
            artifact.close(json.dumps({"tool": self.name, "inputs": [source]}))
            os.replace(unfinished, self.output)
        except OSError as error:
            self.finish(f"{self.output}: {error.strerror or error}", 1)
        finally:
            if os.path.exists(unfinished):
                os.remove(unfinished)


class Artifact:
    """A file of logpx: what is written is hashed as logpx-dataset(5) says."""

    def __init__(self, path):
        import h5py

        self.file = h5py.File(path, "w", libver=("earliest", "v108"))
        self.string = lambda length: h5py.string_dtype("utf-8", max(1, length))
        self.lines = []

    def attribute(self, where, name, text):
        data = text.encode()
        where.attrs.create(name, data, dtype=self.string(len(data)))

    def note(self, path, kind, shape, data):
        size = "x".join(map(str, shape))
        self.lines.append((path.encode(), f"{path} {kind} {size} {hashlib.sha256(data).hexdigest()}\n"))

    def root(self, name, text):
        self.attribute(self.file, name, text)
        self.note("@" + name, "str", (), text.encode() + b"\0")

    def tensor(self, path, values):
        self.file.create_dataset(path, data=values, track_times=False)
        self.note(path, "f32", values.shape, values.astype("<f4").tobytes())

    def close(self, story):
        content = "".join(line for _, line in sorted(self.lines))
        data = story.encode()
        dataset = self.file.create_dataset("provenance", data=data, dtype=self.string(len(data)), track_times=False)
        self.attribute(dataset, "sha256", hashlib.sha256(data + b"\0").hexdigest())
        self.attribute(dataset, "content", content)
        self.attribute(self.file, "content_hash", hashlib.sha256(content.encode()).hexdigest())
        self.file.close()
