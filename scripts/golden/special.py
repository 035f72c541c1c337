#!/usr/bin/env python3
"""Writes tests/golden/special.json: special functions by mpmath with 60 digits.

    pip install mpmath; scripts/golden/special.py > tests/golden/special.json
"""
import json
import random

from mpmath import mp, mpf, digamma, erfc, erfinv, log, log1p, loggamma, ncdf, sqrt, exp

mp.dps = 60
random.seed(1)


def table(function, points):
    return [[x, float(function(mpf(x)))] for x in points]


def log_ndtr(x):
    return log(erfc(-x / sqrt(mpf(2))) / 2) if x < 0 else log1p(-erfc(x / sqrt(mpf(2))) / 2)


def log_beta(a, b):
    a, b = mpf(a), mpf(b)
    return float(loggamma(a) + loggamma(b) - loggamma(a + b))


spread = sorted(random.uniform(-6, 6) for _ in range(20))
positive = [10.0 ** e * m for e in (-8, -3, -1, 0, 1, 2, 5, 9) for m in (1.0, 1.7, 4.3)]
lists = [[random.uniform(-5, 5) for _ in range(n)] for n in (1, 2, 7, 40)]
lists += [[1000.0, 1000.5], [-1000.0, -1001.0, -900.0], [700.0, -700.0]]
golden = {
    "format": "logpx golden: special functions",
    "log_ndtr": table(log_ndtr, spread + [-1e5, -300.0, -38.5, -37.0, -20.5, -20.0, -19.5, -1.0, -0.5,
                                          -1e-9, 0.0, 1e-9, 1.0, 5.0, 8.2, 12.0, 30.0]),
    "erfinv": table(erfinv, [1e-300, 1e-20, 1e-8, 0.01, 0.1, 0.3, 0.4999, 0.5, 0.5001, 0.7, 0.9, 0.99,
                             0.999999, 1 - 2.0 ** -40, 1 - 2.0 ** -53, -0.2, -0.8, -0.9999]),
    "digamma": table(digamma, positive + [1.4616321449683623, 5.999, 6.0, -0.5, -1.5, -7.3, -0.001]),
    "log_gamma": table(lambda x: loggamma(x).real, positive + [2.0000001, 0.5, 171.0]),
    "log_beta": [[a, b, log_beta(a, b)] for a in (1e-5, 0.3, 1.0, 9.5, 30.0, 1e4, 1e9)
                 for b in (1e-5, 2.0, 11.0, 1e3, 1e8)],
    "log_sum_exp": [[x, float(log(sum(exp(mpf(v)) for v in x)))] for x in lists],
}
print(json.dumps(golden, indent=1))
