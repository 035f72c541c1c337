# Statistics of other programs stand for real data; what needs rows is refused, by its name.
set -u
. "$CLI_TESTS/fid-extrapolate/inputs"
python3 - << 'END'
import struct, zipfile
rows = [list(map(float, line.split(","))) for line in open("real.csv")]
n, d = len(rows), len(rows[0])
mean = [sum(row[j] for row in rows) / n for j in range(d)]
cov = [sum((row[i] - mean[i]) * (row[j] - mean[j]) for row in rows) / (n - 1) for i in range(d) for j in range(d)]
def npy(shape, values):
    text = "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }" % (shape,)
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + struct.pack("<%dd" % len(values), *values)
def save(name, **arrays):
    with zipfile.ZipFile(name, "w") as archive:
        for key, (shape, values) in arrays.items():
            archive.writestr(key + ".npy", npy(shape, values))
save("real.npz", mu=("(%d,)" % d, mean), sigma=("(%d, %d)" % (d, d), cov))
save("wrong-size.npz", mu=("(%d,)" % d, mean), sigma=("(3, 3)", [1.0] * 9))
save("lopsided.npz", mu=("(2,)", mean[:2]), sigma=("(2, 2)", [1.0, 0.5, 0.1, 1.0]))
save("indefinite.npz", mu=("(4,)", mean), sigma=("(4, 4)", [1, 2, 0, 0, 2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]))
END
fid() { fid-extrapolate "$@" --bootstrap 0 -q | jq '.result.metrics.fid.infinity.value'; }
[ "$(fid real.npz fake.csv | cut -c 1-10)" = "$(fid real.csv fake.csv --metrics fid | cut -c 1-10)" ] && echo "the same number"
fid-extrapolate real.npz fake.csv --bootstrap 0 -q | jq -c '[.result.real.n, (.result.metrics | keys)]'
try() { fid-extrapolate "$@" -q > /dev/null || echo "exit $?"; }
try real.npz fake.csv --metrics kid
try real.npz fake.csv --metrics fid,prdc
try real.npz fake.csv --symmetric
try real.csv real.npz
try wrong-size.npz fake.csv
try lopsided.npz fake.csv
try indefinite.npz fake.csv
