"""Samples of the density of tests/bench/its_bench.cpp by SciPy's polynomial inversion (PINV, UNU.RAN).

usage: its_pinv.py THREADS   prints one JSON object: peer, and per variant median and least ms
       its_pinv.py --facts   prints what it is compared with, for scripts/bench-peers
"""
import json
import math
import statistics
import sys
import time

FACTS = {
    "title": "Inverse transform: ms a million quantiles, and ms of set-up",
    "needs": ["scipy", "numpy"],
    "section": "its",
    "ours": {"1": {"logpx exact": "exact", "logpx hermite": "hermite", "logpx set-up": "exact set-up"}},
    # What each is set against; times our speed, by medians.
    "against": {"quantiles": "logpx exact", "set-up": "logpx set-up"},
    "promised": {"quantiles": 2, "set-up": 10},
}
if sys.argv[1:] == ["--facts"]:
    print(json.dumps(FACTS))
    sys.exit()

import numpy as np
import scipy
from scipy.stats.sampling import NumericalInversePolynomial

SAMPLES, PARTS, U_ERROR = 10_000, 100, 1e-10  # timed in parts, as ours are


class Component:
    def pdf(self, z):
        return math.exp(0.8 * math.sin(5 * z) + 0.3 * math.cos(11 * z) - z * z / 2)

    def support(self):
        return -1.5, 1.5


def made():
    return NumericalInversePolynomial(Component(), u_resolution=U_ERROR, center=0)


def times(rounds, parts, call):
    seconds = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        seconds.append(parts * (time.perf_counter() - begin))
    return {"median": 1e3 * statistics.median(seconds), "least": 1e3 * min(seconds)}


def main():
    inverse, u = made(), np.random.default_rng(1).random(SAMPLES)
    variants = {"quantiles": times(500, PARTS, lambda: inverse.ppf(u)), "set-up": times(50, 1, made)}
    print(json.dumps({"peer": f"SciPy {scipy.__version__} PINV", "variants": variants}))


if __name__ == "__main__":
    main()
