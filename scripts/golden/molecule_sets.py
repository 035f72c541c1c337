#!/usr/bin/env python3
"""Writes tests/golden/molecule_sets.json: numbers of sets of molecules, by NumPy, SciPy and plain loops.

    pip install numpy scipy; scripts/golden/molecule_sets.py > tests/golden/molecule_sets.json
"""
import json
from collections import Counter, deque

import numpy as np
from scipy import linalg, stats

rng = np.random.default_rng(3)


def similarity(a, b):
    either = (a | b).sum()
    return 1.0 if either == 0 else float((a & b).sum() / either)


def fingerprints(bits, sizes):
    """Two sets; the last row of each is empty, and the second set repeats a row of the first."""
    sets = [rng.random((n, bits)) < 0.25 for n in sizes]
    for rows in sets:
        rows[-1] = False
    sets[1][0] = sets[0][0]
    return sets


def texts(rows):
    return ["".join("1" if bit else "0" for bit in row) for row in rows]


def fingerprint_case(bits, sizes):
    made, reference = fingerprints(bits, sizes)
    s = np.array([[similarity(a, b) for b in made] for a in made])
    to_reference = np.array([[similarity(a, b) for b in reference] for a in made])
    kept = []
    for i in range(len(made)):
        if all(1 - s[i, k] > 0.75 for k in kept):
            kept.append(i)
    others = np.where(np.eye(len(made), dtype=bool), 0, s)
    return {"made": texts(made), "reference": texts(reference), "mean": s.mean(),
            "mean_square": (s**2).mean(), "mean_root": np.sqrt((s**2).mean(axis=1)).mean(),
            "of_pairs": s[np.triu_indices(len(made), 1)].mean(), "nearest": to_reference.max(axis=1).tolist(),
            "nearest_others": others.max(axis=1).tolist(), "circles": len(kept)}


def sample_case(n, m, whole):
    a, b = rng.normal(2, 1, n), rng.normal(1.5, 1.7, m)
    if whole:
        a, b = np.round(a), np.round(b)
    case = {"baseline": a.tolist(), "sampled": b.tolist(), "wasserstein_1": stats.wasserstein_distance(a, b)}
    low, high = min(a.min(), b.min()), max(a.max(), b.max())
    at = np.linspace(low, high, num=1000)
    case["continuous"] = stats.entropy(stats.gaussian_kde(a)(at) + 1e-10, stats.gaussian_kde(b)(at) + 1e-10)
    p, edges = np.histogram(a, bins=10, density=True)
    q, _ = np.histogram(b, bins=edges, density=True)
    case["discrete"] = stats.entropy(p + 1e-10, q + 1e-10)
    return case


def count_case():
    names = [f"fragment {i}" for i in range(8)]
    a = {name: int(rng.integers(1, 9)) for name in names[:6]}
    b = {name: int(rng.integers(1, 9)) for name in names[3:]}
    x, y = (np.array([counts.get(name, 0) for name in names]) for counts in (a, b))
    return {"a": a, "b": b, "cosine": float(x @ y / np.sqrt((x @ x) * (y @ y)))}


def distance(x, y):
    """The Frechet distance by singular values of the centred rows' product."""
    centred = [(z - z.mean(axis=0)) / np.sqrt(len(z) - 1) for z in (x, y)]
    difference = x.mean(axis=0) - y.mean(axis=0)
    return float(difference @ difference + sum(np.sum(c * c) for c in centred)
                 - 2 * np.sum(linalg.svdvals(centred[0] @ centred[1].T)))


def feature_case(n, m, d):
    """Features of very different spread, of which the reference's second is constant."""
    spreads = 10.0 ** rng.integers(-2, 4, d)
    reference = np.round(rng.normal(size=(n, d)) * 64) / 64 * spreads + 5
    made = np.round((rng.normal(size=(m, d)) @ rng.normal(size=(d, d)) + 0.3) * 64) / 64 * spreads
    reference[:, 1] = 5
    mean, spread = reference.mean(axis=0), reference.std(axis=0, ddof=1)
    kept = [j for j in range(d) if spread[j] >= 1e-8]
    scaled = [(rows[:, kept] - mean[kept]) / spread[kept] for rows in (reference, made)]
    return {"reference": reference.tolist(), "made": made.tolist(), "plain": distance(reference, made),
            "scaled": distance(*scaled), "kept": len(kept)}


def drawn_molecule(atoms):
    """A random tree with a few more bonds; every fourth has a piece of its own."""
    types = rng.integers(0, 3, atoms).tolist()
    bonds = {}
    for b in range(1, atoms):
        if b % 7 != 6:
            bonds[int(rng.integers(0, b)), b] = int(rng.integers(1, 4))
    for _ in range(atoms // 4):
        a, b = sorted(rng.choice(atoms, 2, replace=False).tolist())
        bonds[a, b] = int(rng.integers(1, 4))
    return {"atoms": types, "bonds": [[a, b, order] for (a, b), order in sorted(bonds.items())]}


def neighbourhood_pairs(molecule, radius, reach):
    """Features are tuples of all that they stand for, so that none are mistaken for each other."""
    n = len(molecule["atoms"])
    labels = list(molecule["atoms"])
    near = [[] for _ in range(n)]
    for a, b, order in molecule["bonds"]:  # a bond is a node between its atoms
        node = len(labels)
        labels.append(order)
        near.append([a, b])
        near[a].append(node)
        near[b].append(node)
    depths, balls = [], []
    for root in range(n):
        depth = {root: 0}
        queue = deque([root])
        while queue:
            u = queue.popleft()
            for v in near[u]:
                if v not in depth and depth[u] < 2 * max(radius, reach):
                    depth[v] = depth[u] + 1
                    queue.append(v)
        levels = [tuple(sorted((labels[v], len(near[v])) for v in depth if depth[v] == k))
                  for k in range(max(depth.values()) + 1)]
        depths.append(depth)
        balls.append(levels)
    vector = {}
    for r in range(radius + 1):
        for d in range(reach + 1):
            counts = Counter()
            for v in range(n):
                for u in range(n):
                    if depths[v].get(u) != 2 * d or min(len(balls[v]), len(balls[u])) <= 2 * r:
                        continue
                    first, second = (tuple(balls[x][:2 * r + 1]) for x in (v, u))
                    counts[min(first, second), max(first, second), r, d] += 1
                    counts[second, r, d] += 1
            length = np.sqrt(sum(c * c for c in counts.values()))
            vector.update({feature: c / length for feature, c in counts.items()})
    length = np.sqrt(sum(c * c for c in vector.values()))
    return {feature: c / length for feature, c in vector.items()}


def kernel_mean(a, b):
    return np.mean([[sum(value * y.get(feature, 0) for feature, value in x.items()) for y in b] for x in a])


def pair_case(radius, reach, sizes):
    made, reference = ([drawn_molecule(int(n)) for n in rng.integers(*limits, size=count)] for limits, count in sizes)
    x, y = ([neighbourhood_pairs(m, radius, reach) for m in side] for side in (made, reference))
    return {"radius": radius, "distance": reach, "made": made, "reference": reference,
            "features": [len(v) for v in x],
            "mmd": kernel_mean(x, x) + kernel_mean(y, y) - 2 * kernel_mean(x, y)}


print(json.dumps({
    "format": "logpx golden: sets of molecules",
    "fingerprints": [fingerprint_case(70, (9, 7)), fingerprint_case(1024, (5, 6)), fingerprint_case(64, (2, 3))],
    "samples": [sample_case(40, 25, False), sample_case(30, 60, True)],
    "counts": [count_case()],
    "features": [feature_case(30, 25, 5), feature_case(4, 12, 6)],
    "pairs": [pair_case(4, 4, (((1, 12), 6), ((3, 14), 5))), pair_case(1, 2, (((2, 9), 3), ((2, 9), 4)))],
}, separators=(",", ":")).replace('{"made"', '\n{"made"').replace('{"radius"', '\n{"radius"'))
