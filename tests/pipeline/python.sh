# logpx.py reads what the tools write, with what is missing masked and words as words, and writes what they read; what a
# later version made is refused. Where Python has matplotlib, the example draws.
root=$PWD
for python in python3 /usr/bin/python3 ''; do
  [ -n "$python" ] || { echo "skipped: no Python has h5py (Debian: python3-h5py)"; exit 0; }
  "$python" -c 'import h5py' 2> /dev/null && break
done
export PYTHONPATH=$root/formats/python PYTHONDONTWRITEBYTECODE=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OPENBLAS_NUM_THREADS=1
make-data digits --size 8 -n 120 -o digits.h5 -q
make-data markov-text -n 20 -o text.h5 -q
make-data molecules -n 30 -o molecules.h5 -q
cat > table.csv << 'END'
name,size,colour,when,grade,seen
a,1234.5,red,2024-02-29,3,2/29/2024 9:05
b,0.25,,2024-03-01,1,3/1/2024 0:00
c,,blue,2024-03-02,2,3/2/2024 23:59
d,7,red,2024-03-03,3,3/3/2024 10:30
END
pack-data csv table.csv --type name=id --split train:3,test:1 -o table.h5 -q
train-vae digits.h5 --preset tiny -o model.h5 -q
train-vae digits.h5 --preset tiny --ema 0.9 -o averaged.h5 -q
sample-model model.h5 -n 7 -o samples.h5 -q
elbo-eval model.h5 digits.h5:test --per-example scores.h5 --report report.json -q > /dev/null

STORED=$root/tests/fuzz/artifacts "$python" << 'END'
import h5py, json, logpx, numpy, os, pathlib, shutil, subprocess
from datetime import date, datetime

digits = logpx.read_dataset("digits.h5")
assert digits.x.shape == (120, 8, 8, 1) and digits.axes == ("row", "height", "width", "channel")
assert digits.attributes["name"] == "digits" and digits.provenance["tool"] == "make-data"
test = digits.split("test")
assert len(test) == len(test.x) == 10 and list(test.rows) == list(range(110, 120))
assert digits.label_names[digits.labels[5]] == str(digits.labels[5])

text = logpx.read_dataset("text.h5").texts()
assert len(text) == 20 and set("".join(text)) <= set(logpx.read_dataset("text.h5").symbols)
assert numpy.ma.getmaskarray(logpx.read_dataset("molecules.h5").x).any()

table = logpx.read_dataset("table.h5")
columns = table.table()
assert columns["size"].tolist() == [1234.5, 0.25, None, 7]
assert columns["colour"].tolist() == ["red", None, "blue", "red"]
assert columns["when"].tolist() == [date(2024, 2, 29), date(2024, 3, 1), date(2024, 3, 2), date(2024, 3, 3)]
assert columns["seen"].tolist()[::2] == [datetime(2024, 2, 29, 9, 5), datetime(2024, 3, 2, 23, 59)]
assert columns["grade"].dtype.kind == "i" and table.split("test").table()["size"].tolist() == [7]
try:
    import pandas
    frame = table.split("train").frame()
    assert frame["colour"].dtype == "category" and frame["colour"].isna().tolist() == [False, True, False]
    assert frame["when"].dt.year.eq(2024).all() and frame["size"].isna().tolist() == [False, False, True]
except ImportError:
    print("without pandas")

model, averaged = logpx.read_model("model.h5"), logpx.read_model("averaged.h5")
assert model.family == "vae" and model.config["latent"] == 2 and not model.averages and model.weights is model.tensors
assert list(averaged.averages) == list(averaged.tensors) and averaged.weights is averaged.averages
assert model.tensors["encoder/mean/w"].shape[1] == 2 and "data_mean" in model.constants

samples = logpx.read_samples("samples.h5")
assert samples.x.shape == (7, 8, 8, 1) and samples.codes["latent"].shape == (7, 2) and samples.sampler["num"] == 7
scores, report = logpx.read_scores("scores.h5"), logpx.read_report("report.json")
assert list(scores.rows) == list(range(110, 120)) and list(scores.labels) == list(test.labels)
assert abs(scores.log_likelihood.mean() - report["result"]["log_likelihood"]["value"]) < 1e-6
assert numpy.allclose(scores.terms["recon"] - scores.terms["kl"], scores.log_likelihood)
assert logpx.read_report("model.h5")["tool"] == "train-vae"
assert logpx.read_history("model.history.jsonl")[-1]["step"] > 0

# There and back: the tools read what is written, and find the same hash.
def written(name, x, **facts):
    hash = logpx.write_dataset(name, x, **facts)
    assert hash == logpx.read_dataset(name).content_hash
    subprocess.run(["inspect", "--check", "-q", name], check=True, stdout=subprocess.DEVNULL)
    return logpx.read_dataset(name)

again = written("again.h5", digits.x, labels=digits.labels, label_names=digits.label_names,
                splits={"train": 100, "test": 20})
assert (again.x == digits.x).all() and list(again.labels) == list(digits.labels) and len(again.split("test")) == 20
vectors = numpy.arange(12.0).reshape(4, 3)
vectors[1, 2] = numpy.nan
assert written("vectors.h5", vectors, columns=["a", "b", "\u00e9"]).columns == ("a", "b", "\u00e9")
assert written("symbols.h5", numpy.ma.masked_equal([[3, 0], [1, 2]], 0)).x.tolist() == [[3, None], [1, 2]]
assert written("wide.h5", numpy.array([[700, 3]])).attributes["levels"] == 701
assert written("none.h5", numpy.zeros((0, 4))).x.shape == (0, 4)

def refused(read, path, says):
    try:
        read(path)
    except logpx.LogpxError as error:
        assert path in str(error) and says in str(error), error
    else:
        raise AssertionError(f"{path}: was read")

# What was stored once is read for ever.
readers = {"dataset": logpx.read_dataset, "samples": logpx.read_samples, "model": logpx.read_model,
           "scores": logpx.read_scores}
for path in sorted(pathlib.Path(os.environ["STORED"]).glob("*.h5")):
    kind = h5py.File(path).attrs["kind"].decode()
    assert logpx.read_report(path)["schema"] == "logpx.report/1"
    if kind in readers:
        assert readers[kind](path).content_hash

shutil.copy("scores.h5", "later.h5")
with h5py.File("later.h5", "r+") as file:
    file.attrs["schema"] = numpy.bytes_("logpx.scores/2")
refused(logpx.read_scores, "later.h5", "logpx.scores/2, of a later version of logpx")
with open("later.json", "w") as file:
    json.dump({**report, "schema": "logpx.report/2"}, file)
refused(logpx.read_report, "later.json", "logpx.report/2, of a later version of logpx")
refused(logpx.read_dataset, "model.h5", "is model, expected dataset")
refused(logpx.read_dataset, "table.csv", "")
refused(lambda path: logpx.write_dataset(path, vectors, splits={"all": 5}), "bad.h5", "splits of 5 rows")
END
train-vae again.h5 --preset tiny --max-seconds 1 -o from-python.h5 -q
elbo-eval from-python.h5 again.h5 -q > /dev/null
[ ! -e bad.h5 ]
if "$python" -c 'import matplotlib' 2> /dev/null; then
  "$python" "$root/formats/python/example.py" .
  [ "$(head -c 4 example.png | tail -c 3)" = PNG ]
fi
