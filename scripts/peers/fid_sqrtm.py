"""Frechet distances the usual way: numpy.cov, and scipy.linalg.sqrtm of the product of both covariances.

usage: fid_sqrtm.py THREADS   prints one JSON object: peer, per variant median and least ms, and the distance
       fid_sqrtm.py --facts   prints what it is compared with, for scripts/bench-peers
"""
import json
import os
import statistics
import sys
import time

FACTS = {
    "title": "Frechet distance of 4,000 x 1024 features: ms from rows to the number",
    "needs": ["scipy", "numpy"],
    "section": "fid",
    "ours": {"2": {"logpx": "2 threads fid"}},
    "promised": {"sqrtm": 3},
    # Numbers that must be ours too: a row of the section, and how far off, relatively.
    "same": {"4,000 x 1024, 2 threads fid, value": 1e-6},
}
if sys.argv[1:] == ["--facts"]:
    print(json.dumps(FACTS))
    sys.exit()

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = sys.argv[1]

import numpy as np
import scipy
from scipy import linalg

N, D = 4000, 1024


def features(number):
    """Those of tests/bench/fid_bench.cpp."""
    place = np.arange(N * D, dtype=np.uint32) + np.uint32(number * 0x9E3779B9 & 0xFFFFFFFF)
    place ^= place >> np.uint32(16)
    place *= np.uint32(0x7FEB352D)
    place ^= place >> np.uint32(15)
    place *= np.uint32(0x846CA68B)
    place ^= place >> np.uint32(16)
    return (1 + 0.1 * number) * (place.astype(np.float64) / 2**32 - 0.5).reshape(N, D)


def distance(x, y):
    a, b = np.cov(x, rowvar=False), np.cov(y, rowvar=False)
    root = linalg.sqrtm(a @ b)
    away = x.mean(axis=0) - y.mean(axis=0)
    return float(away @ away + np.trace(a) + np.trace(b) - 2 * np.trace(root).real)


def main():
    x, y = features(1), features(2)
    times = []
    for _ in range(2):
        begin = time.perf_counter()
        value = distance(x, y)
        times.append(1e3 * (time.perf_counter() - begin))
    print(json.dumps({
        "peer": f"SciPy {scipy.__version__}",
        "variants": {"sqrtm": {"median": statistics.median(times), "least": min(times)}},
        "values": {"4,000 x 1024, 2 threads fid, value": value},
    }))


if __name__ == "__main__":
    main()
