"""Frechet distances from numpy.cov: by scipy.linalg.sqrtm of the product of both covariances, as is usual, and by the
eigenvalues of one covariance between Cholesky factors of the other, which is fastest.

usage: fid_numpy.py THREADS   prints one JSON object: peer, per variant median and least ms, and the distance
       fid_numpy.py --facts   prints what it is compared with, for scripts/bench-peers
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
    "promised": {"sqrtm": 5, "cholesky": 1},
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


def trace_by_sqrtm(a, b):
    return np.trace(linalg.sqrtm(a @ b)).real


def trace_by_cholesky(a, b):
    factor = np.linalg.cholesky(a)
    return np.sqrt(np.linalg.eigvalsh(factor.T @ b @ factor)).sum()


def distance(x, y, trace_of_root):
    a, b = np.cov(x, rowvar=False), np.cov(y, rowvar=False)
    away = x.mean(axis=0) - y.mean(axis=0)
    return float(away @ away + np.trace(a) + np.trace(b) - 2 * trace_of_root(a, b))


def main():
    x, y = features(1), features(2)
    variants = {}
    for name, trace_of_root in (("sqrtm", trace_by_sqrtm), ("cholesky", trace_by_cholesky)):
        times = []
        for _ in range(3):
            begin = time.perf_counter()
            value = distance(x, y, trace_of_root)
            times.append(1e3 * (time.perf_counter() - begin))
        variants[name] = {"median": statistics.median(times), "least": min(times)}
    print(json.dumps({
        "peer": f"SciPy {scipy.__version__}",
        "variants": variants,
        "values": {"4,000 x 1024, 2 threads fid, value": value},
    }))


if __name__ == "__main__":
    main()
