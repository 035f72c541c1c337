"""Reads what the tools of logpx write, and makes datasets for them, with h5py and numpy alone.

    import logpx
    table = logpx.read_dataset("table.h5")     # x, labels, splits, names of columns ...
    table.split("test").frame()                # with pandas: words are categories, dates are dates
    model = logpx.read_model("model.h5")       # config, tensors by name
    drawn = logpx.read_samples("samples.h5")   # x as in a dataset, and the codes that it was made from
    scores = logpx.read_scores("scores.h5")    # log p of each row in nats
    report = logpx.read_report("report.json")  # also of any artifact: how it was made
    logpx.write_dataset("mine.h5", x, labels=y, splits={"train": 800, "test": 200})

Values that are missing are masked, texts are str. What a later version of a format holds is refused. Files are
described in logpx-dataset(5), logpx-samples(5), logpx-model(5), logpx-scores(5) and logpx-report(5).
"""
from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field, replace
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import h5py
import numpy

__all__ = ["Artifact", "Dataset", "Model", "Samples", "Scores", "LogpxError", "read_dataset", "read_history",
           "read_model", "read_report", "read_samples", "read_scores", "write_dataset"]

Path = Union[str, "os.PathLike[str]"]
VERSION = 1  # of every format that is read here


class LogpxError(ValueError):
    """A file that is not what was asked for, or is damaged: says which file and why."""


@dataclass
class Artifact:
    """What all files of HDF5 have: attributes as Python values, and the report of the tool that made them."""

    path: str
    kind: str
    attributes: Dict[str, Any]
    provenance: Dict[str, Any]

    @property
    def content_hash(self) -> str:
        return self.attributes["content_hash"]


@dataclass
class Dataset(Artifact):
    """Examples and what is known about them; what is not known is None."""

    x: Optional[numpy.ndarray] = None
    axes: Tuple[str, ...] = ()
    labels: Optional[numpy.ndarray] = None
    label_names: Tuple[str, ...] = ()
    lengths: Optional[numpy.ndarray] = None  # of rows that end early
    rows: Optional[numpy.ndarray] = None  # of the source; None: row i is its row i
    true_logp: Optional[numpy.ndarray] = None
    latent: Optional[numpy.ndarray] = None
    splits: Dict[str, slice] = field(default_factory=dict)
    columns: Tuple[str, ...] = ()
    column_words: Tuple[Tuple[str, ...], ...] = ()  # of each column; empty: it holds numbers
    column_forms: Dict[str, Any] = field(default_factory=dict)  # kinds, origin, step, decimals, forms
    symbols: Tuple[str, ...] = ()  # what each value of text stands for

    def __len__(self) -> int:
        return int(self.attributes["n"])

    def split(self, name: str) -> "Dataset":
        """The rows of a split, as a dataset."""
        if name not in self.splits:
            raise LogpxError(f"{self.path}: has no split {name!r}; there are: {', '.join(self.splits) or 'none'}")
        return self[self.splits[name]]

    def __getitem__(self, rows: slice) -> "Dataset":
        numbers = range(len(self))[rows]
        parts = {name: value[rows] for name in ("x", "labels", "lengths", "true_logp", "latent")
                 if (value := getattr(self, name)) is not None}
        source = numpy.arange(len(self)) if self.rows is None else self.rows
        return replace(self, attributes={**self.attributes, "n": len(numbers)}, splits={}, rows=source[rows], **parts)

    def texts(self) -> List[str]:
        """Rows of symbols as text; a value that is missing is U+FFFD."""
        if not self.symbols or self.x is None:
            raise LogpxError(f"{self.path}: holds no text")
        words = list(self.symbols)
        missing = numpy.ma.getmaskarray(self.x)
        ends = [self.x.shape[1]] * len(self.x) if self.lengths is None else self.lengths
        plain = numpy.ma.getdata(self.x)
        return ["".join("\ufffd" if gone else words[value] for value, gone in zip(row[:end], gaps[:end]))
                for row, gaps, end in zip(plain, missing, ends)]

    def table(self) -> Dict[str, Any]:
        """Columns by name, in the units of the source: numbers, words (as objects), dates (as datetime64)."""
        if self.x is None or self.x.ndim != 2 or not self.columns:
            raise LogpxError(f"{self.path}: is no table")
        return {name: self._column(i) for i, name in enumerate(self.columns)}

    def frame(self) -> Any:
        """A pandas.DataFrame: words are categories, which are ordered where the table says so."""
        import pandas

        columns = {}
        for i, (name, values) in enumerate(self.table().items()):
            if self._words(i):
                codes = numpy.where(numpy.ma.getmaskarray(self.x)[:, i], -1, numpy.ma.getdata(self.x)[:, i])
                values = pandas.Categorical.from_codes(codes.astype(int), self._words(i), self._kind(i) == "ordered")
            elif values.dtype.kind == "i" and numpy.ma.getmaskarray(values).any():
                values = pandas.array(values.filled(0), dtype="Int64").copy()
                values[numpy.ma.getmaskarray(self.x)[:, i]] = pandas.NA
            elif values.dtype.kind == "M":
                values = values.filled(numpy.datetime64("NaT"))
            else:
                values = numpy.ma.filled(values, numpy.nan) if values.dtype.kind == "f" else numpy.ma.getdata(values)
            columns[name] = values
        return pandas.DataFrame(columns, index=self.rows)

    def _kind(self, i: int) -> str:
        return self.column_forms["kinds"][i] if "kinds" in self.column_forms else "number"

    def _words(self, i: int) -> Tuple[str, ...]:
        return self.column_words[i] if self.column_words else ()

    def _column(self, i: int) -> numpy.ma.MaskedArray:
        values, missing = numpy.ma.getdata(self.x)[:, i], numpy.ma.getmaskarray(self.x)[:, i]
        if self._words(i):
            words = numpy.array([*self._words(i), None], dtype=object)
            return numpy.ma.array(words[numpy.where(missing, -1, values).astype(int)], mask=missing)
        if "kinds" not in self.column_forms:
            return numpy.ma.array(values, mask=missing)
        forms = self.column_forms
        values = forms["origin"][i] + forms["step"][i] * numpy.where(missing, 0, values).astype(float)
        form, decimals = forms["forms"][i], forms["decimals"][i]
        if self._kind(i) == "date" and ("%Y" in form or "%y" in form):
            unit = "s" if "%H" in form.replace("%-", "%") or "%p" in form.lower() else "D"
            return numpy.ma.array(numpy.rint(values).astype(f"datetime64[{unit}]"), mask=missing)
        if decimals >= 0:
            values = numpy.round(values, int(decimals))
        whole = self._kind(i) == "whole" and numpy.abs(values).max(initial=0) < 2**53
        return numpy.ma.array(values.astype(int) if whole else values, mask=missing)


@dataclass
class Samples(Dataset):
    """Samples of a model, which lie as in a dataset."""

    family: str = ""
    sampler: Dict[str, Any] = field(default_factory=dict)  # its settings
    codes: Dict[str, numpy.ndarray] = field(default_factory=dict)  # latents, orders: a row for each sample


@dataclass
class Model(Artifact):
    """A trained model: tensors by name, in the order of their creation."""

    family: str = ""
    config: Dict[str, Any] = field(default_factory=dict)
    tensors: Dict[str, numpy.ndarray] = field(default_factory=dict)  # as the last step left them
    averages: Dict[str, numpy.ndarray] = field(default_factory=dict)  # running averages, if it has them
    constants: Dict[str, numpy.ndarray] = field(default_factory=dict)

    @property
    def weights(self) -> Dict[str, numpy.ndarray]:
        """What the tools use: the averages where there are any."""
        return self.averages or self.tensors


@dataclass
class Scores(Artifact):
    """log p(x) of each row, in nats; `likelihood_kind` says whether it is exact, a bound or an estimate."""

    likelihood_kind: str = ""
    log_likelihood: numpy.ndarray = field(default_factory=lambda: numpy.empty(0))
    mc_std_error: Optional[numpy.ndarray] = None
    rows: numpy.ndarray = field(default_factory=lambda: numpy.empty(0, int))  # of the source
    labels: Optional[numpy.ndarray] = None
    label_names: Tuple[str, ...] = ()
    dims_observed: Optional[numpy.ndarray] = None
    terms: Dict[str, numpy.ndarray] = field(default_factory=dict)
    facts: Dict[str, numpy.ndarray] = field(default_factory=dict)

    def frame(self) -> Any:
        """A pandas.DataFrame with a line for each row; its index is the row of the source."""
        import pandas

        columns = {"label": self.labels, "dims_observed": self.dims_observed, "log_likelihood": self.log_likelihood,
                   "mc_std_error": self.mc_std_error, **self.terms, **self.facts}
        frame = pandas.DataFrame({name: values for name, values in columns.items() if values is not None},
                                 index=pandas.Index(self.rows, name="row"))
        if self.label_names and self.labels is not None:
            frame["label"] = pandas.Categorical.from_codes(self.labels, self.label_names)
        return frame


def read_dataset(path: Path) -> Dataset:
    with _open(path, "dataset") as file:
        return Dataset(**_common(file), **_examples(file))


def read_samples(path: Path) -> Samples:
    with _open(path, "samples") as file:
        common = _common(file)
        return Samples(**common, **_examples(file), family=common["attributes"]["family"],
                       sampler=json.loads(common["attributes"]["sampler"]), codes=_tensors(file, "codes"))


def read_model(path: Path) -> Model:
    with _open(path, "model") as file:
        common = _common(file)
        names = [_text(name) for name in file["params/names"][()]]
        held = [_tensors(file, f"params/{which}") for which in ("raw", "ema")]
        raw, averages = ({name: tensors[name] for name in names} if tensors else {} for tensors in held)
        return Model(**common, family=common["attributes"]["family"], tensors=raw, averages=averages,
                     config=json.loads(common["attributes"]["config"]), constants=_tensors(file, "constants"))


def read_scores(path: Path) -> Scores:
    with _open(path, "scores") as file:
        common = _common(file)
        first = common["attributes"]["first_row"]
        rows = _find(file, "row")
        return Scores(**common, likelihood_kind=common["attributes"]["likelihood_kind"],
                      log_likelihood=file["log_likelihood"][()], mc_std_error=_find(file, "mc_std_error"),
                      rows=numpy.arange(first, first + common["attributes"]["n"]) if rows is None else rows,
                      labels=_find(file, "label"), label_names=_texts(file, "labels/names"),
                      dims_observed=_find(file, "dims_observed"), terms=_tensors(file, "terms"),
                      facts=_tensors(file, "facts"))


def read_report(path: Path) -> Dict[str, Any]:
    """A report of any tool; of an artifact the report of the tool that made it."""
    if h5py.is_hdf5(path):
        with _open(path) as file:
            return _common(file)["provenance"]
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except ValueError as why:
        raise LogpxError(f"{path}: is no JSON: {why}") from why
    _require_version(path, report.get("schema", "") if isinstance(report, dict) else "", "report")
    return report


def read_history(path: Path) -> List[Dict[str, Any]]:
    """A training history: an object for each line."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def write_dataset(path: Path, x: Any, *, labels: Optional[Sequence[int]] = None,
                  label_names: Sequence[str] = (), splits: Optional[Mapping[str, int]] = None,
                  columns: Sequence[str] = (), levels: Optional[int] = None, name: str = "python",
                  licence: str = "", citation: str = "") -> str:
    """Writes a dataset that every tool reads, and returns its content hash.

    x is pictures, uint8 [n, H, W] or [n, H, W, C]; symbols, whole numbers [n, L] from 0; or vectors, floats [n, D].
    What a mask covers, or NaN, is missing. `levels` is the number of values of a symbol, one more than the largest
    one unless it is given; `splits` are how many rows each has, one after another. Words and dates are read from
    CSV: pack-data(1).
    """
    if hasattr(x, "columns"):  # a pandas.DataFrame of numbers
        columns, x = columns or [str(each) for each in x.columns], x.to_numpy()
    x, facts = _stored(x, levels)
    n = len(x)
    text, real = (lambda value: ("str", value.encode())), (lambda value: ("f64", numpy.float64(value)))
    attributes = {"kind": text("dataset"), "schema": text(f"logpx.dataset/{VERSION}"), "name": text(name),
                  "source_kind": text("packed"), "content": text(facts["content"]), "measure": text(facts["measure"]),
                  "n": ("i64", numpy.int64(n)), "dims": ("i64", numpy.int64(numpy.prod(x.shape[1:]))),
                  "levels": ("i64", numpy.int64(facts["levels"])), "value_min": real(facts["range"][0]),
                  "value_max": real(facts["range"][1]), "licence": text(licence), "citation": text(citation)}
    if facts["missing"]:
        attributes["has_missing"] = ("i64", numpy.int64(1))
    begins = numpy.cumsum([0, *(splits or {}).values()])
    if splits and (min(splits.values()) < 0 or begins[-1] > n):
        raise LogpxError(f"{path}: splits of {begins[-1]} rows, of which there are {n}")
    parts: Dict[str, Any] = {"/data/x": x, "/splits/name": list(splits or {}),
                             "/splits/begin": begins[:-1].astype("<i8"), "/splits/end": begins[1:].astype("<i8")}
    if labels is not None:
        parts["/data/y"] = numpy.asarray(labels).astype("<i4")
        if len(parts["/data/y"]) != n:
            raise LogpxError(f"{path}: {len(parts['/data/y'])} labels for {n} rows")
    if len(label_names):
        parts["/labels/names"] = list(label_names)
    if len(columns):
        if x.ndim != 2 or len(columns) != x.shape[1]:
            raise LogpxError(f"{path}: {len(columns)} names of columns for rows of shape {x.shape[1:]}")
        parts["/columns/names"] = list(columns)
    return _write(path, attributes, parts, facts["axes"])


def _stored(x: Any, levels: Optional[int]) -> Tuple[numpy.ndarray, Dict[str, Any]]:
    """Numbers as a dataset holds them, and what they are."""
    missing = numpy.ma.getmaskarray(x) if numpy.ma.isMaskedArray(x) else numpy.zeros(numpy.shape(x), bool)
    x = numpy.ma.getdata(x)
    if x.dtype.kind == "f" and x.ndim == 2:
        missing = missing | numpy.isnan(x)
        if numpy.isinf(x[~missing]).any():
            raise LogpxError("a vector holds an infinite value")
        limit = float(numpy.finfo("f4").max)
        return numpy.where(missing, numpy.nan, x).astype("<f4"), {
            "content": "vector", "measure": "lebesgue", "levels": 0, "range": (-limit, limit), "axes": "row,column",
            "missing": missing.any()}
    if x.dtype.kind not in "iub" or x.ndim not in (2, 3, 4):
        raise LogpxError(f"x is {x.dtype} {list(x.shape)}, expected uint8 [n, H, W(, C)], whole numbers [n, L] or "
                         "floats [n, D]")
    x = numpy.where(missing, 0, x)
    if x.size and x.min() < 0:
        raise LogpxError("x holds a number below 0")
    if x.ndim > 2:
        if x.max(initial=0) > 255 or missing.any():
            raise LogpxError("pictures hold 0 to 255, and nothing is missing")
        x = x.astype("u1") if x.ndim == 4 else x.astype("u1")[..., None]
        return x, {"content": "image", "measure": "counting", "levels": levels or 256, "missing": False,
                   "range": (0, (levels or 256) - 1), "axes": "row,height,width,channel"}
    levels = levels or int(x.max(initial=0)) + 1
    if levels > (32768 if missing.any() else 65536) or x.max(initial=0) >= levels:
        raise LogpxError(f"symbols up to {x.max(initial=0)}, expected less than {levels}")
    kind = "<i2" if missing.any() else "u1" if levels <= 256 else "<u2"
    return numpy.where(missing, -1, x).astype(kind), {
        "content": "symbols", "measure": "counting", "levels": levels, "range": (0, levels - 1),
        "axes": "row,position", "missing": missing.any()}


def _write(path: Path, attributes: Dict[str, Tuple[str, Any]], parts: Dict[str, Any], axes: str) -> str:
    lines = []
    provenance = json.dumps({"schema": f"logpx.report/{VERSION}", "tool": "logpx.py", "config": {}}).encode()
    unfinished = f"{os.fspath(path)}.tmp.{os.getpid()}"
    try:
        with h5py.File(unfinished, "w", libver=("earliest", "v108")) as file:
            for name, (kind, value) in attributes.items():
                is_text = kind == "str"
                lines.append((f"@{name}", kind, "", value + b"\0" if is_text else value.tobytes()))
                file.attrs.create(name, numpy.array(value or b"\0", _text_type([value])) if is_text else value)
            for name, value in parts.items():
                if isinstance(value, list):
                    texts = [each.encode() for each in value]
                    lines.append((name, "str", str(len(texts)), b"".join(each + b"\0" for each in texts)))
                    file.create_dataset(name, data=numpy.array(texts, _text_type(texts)), track_times=False)
                    continue
                kind = {"f": "f", "i": "i", "u": "u"}[value.dtype.kind] + str(8 * value.dtype.itemsize)
                lines.append((name, kind, "x".join(map(str, value.shape)), value.tobytes()))
                chunked = {"compression": 4, "fletcher32": True} if name == "/data/x" and value.size else {}
                file.create_dataset(name, data=value, track_times=False, **chunked)
            text = "".join(f"{name} {kind} {shape} {hashlib.sha256(content).hexdigest()}\n"
                           for name, kind, shape, content in sorted(lines)).encode()
            content_hash = hashlib.sha256(text).hexdigest()
            file["/data/x"].attrs.create("axes", numpy.array(axes.encode(), _text_type([axes.encode()])))
            file.create_dataset("/provenance", data=numpy.array(provenance, _text_type([provenance])),
                                track_times=False)
            for name, value in (("sha256", hashlib.sha256(provenance + b"\0").hexdigest().encode()), ("content", text)):
                file["/provenance"].attrs.create(name, numpy.array(value, _text_type([value])))
            file.attrs.create("content_hash", numpy.array(content_hash.encode(), _text_type([content_hash])))
        os.replace(unfinished, path)
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)
    return content_hash


def _text_type(texts: Sequence[Any]) -> Any:
    return h5py.string_dtype("utf-8", max([1, *map(len, texts)]))


def _open(path: Path, kind: Optional[str] = None) -> h5py.File:
    try:
        file = h5py.File(path, "r")
    except OSError as why:
        raise LogpxError(f"{path}: {why}") from why
    found = _text(file.attrs.get("kind", b""))
    if kind is not None and found != kind:
        file.close()
        raise LogpxError(f"{path}: is {found or 'no file of logpx'}, expected {kind}")
    _require_version(path, _text(file.attrs.get("schema", b"")), found)
    return file


def _require_version(path: Path, schema: str, kind: str) -> None:
    known = f"logpx.{kind}/{VERSION}"
    if schema == known:
        return
    name, _, version = schema.partition("/")
    if name == f"logpx.{kind}" and version.isdigit() and int(version) > VERSION:
        raise LogpxError(f"{path}: is {schema}, of a later version of logpx; this one reads {known}")
    raise LogpxError(f"{path}: is {schema or 'no file of logpx'}, expected {known}")


def _common(file: h5py.File) -> Dict[str, Any]:
    attributes = {name: _value(value) for name, value in file.attrs.items()}
    provenance = json.loads(_text(file["provenance"][()])) if "provenance" in file else {}
    return {"path": file.filename, "kind": attributes["kind"], "attributes": attributes, "provenance": provenance}


def _examples(file: h5py.File) -> Dict[str, Any]:
    splits = zip(_texts(file, "splits/name"), file["splits/begin"][()], file["splits/end"][()])
    x, lengths = _find(file, "data/x"), _find(file, "data/length")
    axes = _text(file["data/x"].attrs.get("axes", b"")) if x is not None else ""
    return {"x": x if x is None else _masked(x, _text(file.attrs["content"]), file.attrs.get("has_missing", 0)),
            "axes": tuple(axes.split(",")) if axes else (), "labels": _find(file, "data/y"), "lengths": lengths,
            "label_names": _texts(file, "labels/names"), "rows": _find(file, "data/row"),
            "true_logp": _find(file, "data/true_logp"), "latent": _find(file, "data/latent"),
            "splits": {name: slice(int(begin), int(end)) for name, begin, end in splits}, "symbols": _symbols(file),
            **_columns(file, 0 if x is None else x.shape[1])}


def _columns(file: h5py.File, count: int) -> Dict[str, Any]:
    if "columns" not in file:
        return {}
    words, counts = list(_texts(file, "columns/words")), _find(file, "columns/word_count")
    ends = numpy.cumsum([0, *([] if counts is None else counts)])
    forms = {name: _find(file, f"columns/{name}") for name in ("origin", "step", "decimals")}
    forms.update({name: _texts(file, f"columns/{name}") for name in ("kinds", "forms")})
    return {"columns": _texts(file, "columns/names") or tuple(f"column{i + 1}" for i in range(count)),
            "column_words": tuple(tuple(words[begin:end]) for begin, end in zip(ends, ends[1:])),
            "column_forms": forms if "columns/kinds" in file else {}}


def _symbols(file: h5py.File) -> Tuple[str, ...]:
    if "alphabet" in file:
        return tuple(map(chr, file["alphabet"][()]))
    return _texts(file, "tokens/text")


def _masked(x: numpy.ndarray, content: str, has_missing: int) -> numpy.ndarray:
    """Numbers as they are; masked where they are missing, or lie behind the end of a molecule."""
    if content == "molecules":
        return numpy.ma.masked_greater_equal(x, 254)
    if not has_missing:
        return x
    return numpy.ma.masked_invalid(x) if x.dtype.kind == "f" else numpy.ma.masked_less(x, 0)


def _find(file: h5py.File, name: str) -> Optional[numpy.ndarray]:
    return file[name][()] if name in file else None


def _texts(file: h5py.File, name: str) -> Tuple[str, ...]:
    return tuple(map(_text, file[name][()])) if name in file else ()


def _tensors(file: h5py.File, group: str) -> Dict[str, numpy.ndarray]:
    tensors: Dict[str, numpy.ndarray] = {}

    def take(name: str, each: Any) -> None:
        if isinstance(each, h5py.Dataset):
            tensors[name] = each[()]

    if group in file:
        file[group].visititems(take)
    return tensors


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _value(value: Any) -> Any:
    """An attribute as a Python value: str, int, float, or a list of these."""
    if isinstance(value, numpy.ndarray):
        return [_value(each) for each in value]
    return _text(value) if isinstance(value, (bytes, str)) else value.item() if hasattr(value, "item") else value
