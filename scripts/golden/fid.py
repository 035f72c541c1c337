#!/usr/bin/env python3
"""Writes tests/golden/fid.json: Frechet distances by scipy.linalg.sqrtm, 20 random cases.

    pip install numpy scipy; scripts/golden/fid.py > tests/golden/fid.json
"""
import json

import numpy as np
from scipy import linalg

rng = np.random.default_rng(1)


def features(n, d, rank, scale):
    """Numbers of the grid of 1/64, so that the file holds them exactly and briefly."""
    rows = rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d)) * scale + rng.normal(size=d)
    grid = np.round(rows * 64) / 64
    if rank < d:  # singular, rounding or not: the last columns repeat the first
        grid[:, rank:] = grid[:, : d - rank]
    return grid


def sqrtm_distance(x, y):
    covariances = [np.cov(z, rowvar=False) for z in (x, y)]
    product = covariances[0] @ covariances[1]
    root = linalg.sqrtm(product)
    difference = x.mean(axis=0) - y.mean(axis=0)
    return float(difference @ difference + np.trace(covariances[0]) + np.trace(covariances[1])
                 - 2 * np.trace(root).real)


def nuclear_distance(x, y):
    """The same by singular values of the centred rows' product: no square roots of rounding."""
    centred = [(z - z.mean(axis=0)) / np.sqrt(len(z) - 1) for z in (x, y)]
    difference = x.mean(axis=0) - y.mean(axis=0)
    return float(difference @ difference + sum(np.sum(c * c) for c in centred)
                 - 2 * np.sum(linalg.svdvals(centred[0] @ centred[1].T)))


cases = []
for number in range(20):
    d = int(rng.integers(2, 9))
    n, m = int(rng.integers(d + 2, 30)), int(rng.integers(d + 2, 30))
    rank = d
    if number % 4 == 1:  # fewer rows than features on one side or both
        m = max(2, d - 1 - int(rng.integers(0, 2)))
    if number % 8 == 5:
        n = max(2, d - 1)
    if number % 4 == 3:
        rank = (d + 1) // 2
    x, y = features(n, d, rank, 1.0), features(m, d, rank, 0.5 + rng.random())
    cases.append({"real": x.tolist(), "fake": y.tolist(), "sqrtm": sqrtm_distance(x, y),
                  "nuclear": nuclear_distance(x, y)})

print(json.dumps({"format": "logpx golden: Frechet distances", "frechet": cases},
                 separators=(",", ":")).replace('{"real"', '\n{"real"'))
