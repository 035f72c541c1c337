#!/usr/bin/env python3
"""Writes tests/golden/chemnet.json: a small network of ChemNet's form on a few SMILES, by NumPy in float64.

    pip install numpy; scripts/golden/chemnet.py > tests/golden/chemnet.json

Written after the description of the package fcd_torch: every position is computed, with the padding of "same".
"""
import json

import numpy as np

rng = np.random.default_rng(5)
LETTERS = ("C N O H F Cl P B Br S I Si # ( ) + - 1 2 3 4 5 6 7 8 = [ ] @ c n o s X .").split()
LENGTH = 350
SIZES = {"first": 3, "second": 4, "lower": 5, "upper": 6}
SMILES = ["C", "CCO", "c1ccccc1", "Clc1ccc(Br)cc1[N+](=O)[O-]", "[Na+].[Cl-]", "C[Si](C)(C)C", "O=C(O)[C@H](N)CS",
          "[Li]CCCl", "C" * 120, "N#C" * 200, "CC%10CC%10", "c1cc[nH]c1"]


def one_hot(smiles):
    text = smiles + "."
    x = np.zeros((LENGTH, len(LETTERS)))
    at = place = 0
    while place < LENGTH - 1 and text[at] != ".":
        size = 2 if text[at + 1] in "ril" else 1
        letter = text[at:at + size]
        x[place, LETTERS.index(letter if letter in LETTERS else "X")] = 1
        at, place = at + size, place + 1
    x[place, LETTERS.index(".")] = 1
    return x / len(LETTERS)


def convolved(x, weight):
    """[positions, in] with weight [out, in, 4], stride 2; the padding that fcd_torch gives it."""
    length = len(x)
    padding = (1, 1) if length % 2 == 0 else (1, 2)
    x = np.pad(x, (padding, (0, 0)))
    windows = [x[t:t + 4] for t in range(0, len(x) - 3, 2)]
    y = np.array([np.einsum("ki,oik->o", window, weight) for window in windows])
    return 1.0507009873554804934193349852946 * np.where(
        y > 0, y, 1.6732632423543772848170429916717 * np.expm1(np.minimum(y, 0)))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm(x, tensors):
    """All states, over the positions from the last to the first."""
    units = tensors["weight_hh"].shape[1]
    h, c, states = np.zeros(units), np.zeros(units), []
    for row in x[::-1]:
        gates = tensors["weight_ih"] @ row + tensors["weight_hh"] @ h + tensors["bias"]
        i, f, g, o = np.split(gates, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        states.append(h)
    return np.array(states)


def drawn(shape, scale):
    return np.round(rng.normal(size=shape) * scale * 256) / 256


def layer(inputs, units):
    return {"weight_ih": drawn((4 * units, inputs), 0.8), "weight_hh": drawn((4 * units, units), 0.5),
            "bias": drawn(4 * units, 0.7)}


net = {"conv1": {"weight": drawn((SIZES["first"], len(LETTERS), 4), 12)},
       "conv2": {"weight": drawn((SIZES["second"], SIZES["first"], 4), 0.6)},
       "lstm1": layer(SIZES["second"], SIZES["lower"]), "lstm2": layer(SIZES["lower"], SIZES["upper"])}


def features(smiles):
    x = convolved(one_hot(smiles), net["conv1"]["weight"])
    x = convolved(x, net["conv2"]["weight"])
    return lstm(lstm(x, net["lstm1"]), net["lstm2"])[-1]


print(json.dumps({
    "format": "logpx golden: a network of ChemNet's form",
    "sizes": SIZES,
    "tensors": [{"name": f"{part}.{name}", "shape": list(values.shape), "values": values.ravel().tolist()}
                for part, tensors in net.items() for name, values in tensors.items()],
    "molecules": [{"smiles": smiles, "features": features(smiles).tolist()} for smiles in SMILES],
}, separators=(",", ":")).replace('{"name"', '\n{"name"').replace('{"smiles"', '\n{"smiles"'))
