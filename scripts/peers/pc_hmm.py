"""One pass of Baum-Welch over 128 windows of 256 symbols, as tests/bench/circuit_pass_bench.cpp does it: by
hmmlearn, by pomegranate, in eager PyTorch with scaled messages and autograd, and with the reverse pass by hand, on the CPU. Data and parameters come
from formulas of whole numbers that all follow, so the log-likelihood is the same.

usage: pc_hmm.py THREADS   prints one JSON object: peer, per variant median and least ms and the MiB that the process
                           grew by at most, values to compare
       pc_hmm.py --facts   prints what it is compared with, for scripts/bench-peers
"""
import importlib.metadata
import json
import os
import re
import statistics
import subprocess
import sys
import time

FORMS = {"hmm 16": (16,), "hmm 64": (64,), "hmm 256": (256,), "monarch 32.32": (32, 32)}
PEERS = ("hmmlearn", "pomegranate", "eager", "by hand")
FACTS = {
    "title": "Baum-Welch, 128 windows of 256 symbols, CPU ms a pass",
    "section": "windows of symbols",
    "needs": ["torch", "hmmlearn", "pomegranate", "numpy"],
    "ours": {"1": {f"logpx {form}": form for form in FORMS}},
    # Times our speed, by medians.
    "against": {f"{peer} {form}": f"logpx {form}" for peer in PEERS for form in FORMS},
    "promised": {"hmmlearn hmm 16": 5, "hmmlearn hmm 64": 10, "hmmlearn hmm 256": 25}
    | {"pomegranate hmm 16": 5, "pomegranate hmm 64": 5}
    | {f"eager {form}": 3 for form in FORMS}
    | {"by hand hmm 16": 3.5, "by hand hmm 64": 2, "by hand hmm 256": 1.2, "by hand monarch 32.32": 2.5},
    "same": {f"log p, pass {form}": 1e-5 for form in FORMS},
}
if sys.argv[1:] == ["--facts"]:
    print(json.dumps(FACTS))
    sys.exit()

import numpy as np

WINDOWS, STEPS, SYMBOLS, PATIENCE = 128, 256, 27, 4.0
MOST_OF_POMEGRANATE = 64  # states; with 256 a pass takes minutes


def weights(rows, columns):
    j, i = np.arange(rows)[:, None], np.arange(columns)[None, :]
    w = (1 + (31 * j + 17 * i + 7 * i * j) % 97).astype(float)
    return w / w.sum(1, keepdims=True)


def symbols():
    w, t = np.arange(WINDOWS)[:, None], np.arange(STEPS)[None, :]
    return (131 * w + 7 * t * t + 3 * t * w + t // 5 * 11) % 8191 % SYMBOLS


def resident(what):
    """MiB of this process: VmRSS, or VmHWM, the most since `forget_peak`."""
    with open("/proc/self/status") as status:
        return int(re.search(what + r":\s+(\d+)", status.read()).group(1)) / 1024


def forget_peak():
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")


def times_of(one_pass):
    """CPU milliseconds of a few passes, fewer where they take long, their memory, and what the last one came to."""
    before = resident("VmRSS")
    forget_peak()
    value, milliseconds = one_pass(), []
    while len(milliseconds) < 7 and (not milliseconds or sum(milliseconds) < 1e3 * PATIENCE):
        begin = time.process_time()
        value = one_pass()
        milliseconds.append(1e3 * (time.process_time() - begin))
    peak = resident("VmHWM") - before
    return {"median": statistics.median(milliseconds), "least": min(milliseconds), "peak": peak}, value


def by_hmmlearn(hidden):
    from hmmlearn.hmm import CategoricalHMM

    x, lengths = symbols().reshape(-1, 1), [STEPS] * WINDOWS

    def one_pass():
        model = CategoricalHMM(hidden, n_features=SYMBOLS, n_iter=1, init_params="", implementation="scaling")
        model.startprob_, model.transmat_ = weights(1, hidden)[0], weights(hidden, hidden)
        model.emissionprob_ = weights(hidden, SYMBOLS)
        model.fit(x, lengths)
        return model.monitor_.history[0]

    return one_pass


def by_pomegranate(hidden):
    """Its table of transitions has a number for each pair of states and symbols, so few windows go at a time."""
    import torch
    from pomegranate.distributions import Categorical
    from pomegranate.hmm import DenseHMM

    tensor = lambda rows, columns: torch.tensor(weights(rows, columns), dtype=torch.float32)
    parts = torch.from_numpy(symbols()[:, :, None].copy()).split(max(1, min(WINDOWS, 2048 // hidden)))

    def one_pass():
        leaves = [Categorical(row[None]) for row in tensor(hidden, SYMBOLS)]
        ends = torch.ones(hidden)  # what follows the last symbol costs nothing
        model = DenseHMM(leaves, edges=tensor(hidden, hidden), starts=tensor(1, hidden)[0], ends=ends)
        log_p = sum(model.summarize(part).double().sum().item() for part in parts)
        model.from_summaries()
        return log_p

    return one_pass


def by_torch(factors):
    import torch

    hidden = int(np.prod(factors))
    x = torch.from_numpy(symbols().T.copy())
    tensor = lambda *shape: torch.tensor(weights(int(np.prod(shape[:-1])), shape[-1]).reshape(shape), dtype=torch.float32)
    # Layer t: out[r, j] = sum_i A[r, j, i] in[i, r], the contracted index in front, the other behind.
    layers = [tensor(hidden // f, f, f).requires_grad_() for f in factors]
    start, emission = tensor(1, hidden).requires_grad_(), tensor(hidden, SYMBOLS).requires_grad_()

    def transition(y):
        for a in layers:
            y = torch.bmm(a, y.view(a.shape[2], a.shape[0], WINDOWS).transpose(0, 1)).reshape(hidden, WINDOWS)
        return y

    def one_pass():
        for parameter in (*layers, start, emission):
            parameter.grad = None
        total, y = 0.0, None
        for t in reversed(range(STEPS)):
            v = emission[:, x[t]]
            if y is not None:
                v = v * transition(y)
            scale = v.detach().max(0).values
            total += scale.double().log().sum().item()
            y = v / scale
        log_p = torch.log(start @ y).sum()
        log_p.backward()
        return total + log_p.item()

    return one_pass


def by_hand(factors):
    """Without a graph: messages of all steps are kept, and counts are products over all of them at once."""
    import torch

    hidden = int(np.prod(factors))
    x = torch.from_numpy(symbols().T.copy())
    tensor = lambda *shape: torch.tensor(weights(int(np.prod(shape[:-1])), shape[-1]).reshape(shape), dtype=torch.float32)
    layers = [tensor(hidden // f, f, f) for f in factors]
    back = [a.transpose(1, 2).contiguous() for a in layers]
    start, emission = tensor(1, hidden), tensor(hidden, SYMBOLS)
    which = torch.nn.functional.one_hot(x.flatten(), SYMBOLS).float()
    columns, scaled = STEPS * WINDOWS, 4  # in so many steps nothing gets too small
    room = lambda: [torch.empty(a.shape[0], a.shape[1], STEPS, WINDOWS) for a in layers]
    ups, downs, moved, carried = room(), room(), torch.empty(hidden, STEPS, WINDOWS), torch.empty(hidden, STEPS, WINDOWS)

    def transition(y, t):
        for a, kept in zip(layers, ups):
            y = y.view(a.shape[2], a.shape[0], WINDOWS).transpose(0, 1)
            kept[:, :, t] = y
            y = torch.bmm(a, y).view(hidden, WINDOWS)
        return y

    def transposed(g, t):
        for a, kept in zip(reversed(back), reversed(downs)):
            g = g.view(a.shape[0], a.shape[2], WINDOWS)
            kept[:, :, t] = g
            g = torch.bmm(a, g).transpose(0, 1).reshape(hidden, WINDOWS)
        return g

    @torch.no_grad()
    def one_pass():
        emitted, total, scales = emission[:, x.flatten()].view(hidden, STEPS, WINDOWS), 0.0, {}
        y = emitted[:, STEPS - 1]
        for t in reversed(range(STEPS - 1)):
            moved[:, t] = transition(y, t)
            y = emitted[:, t] * moved[:, t]
            if t % scaled == 0:
                scales[t] = y.max(0).values
                y = y / scales[t]
                total += scales[t].double().log().sum().item()
        p = start @ y
        g = start.T / p
        for t in range(STEPS - 1):
            if t in scales:
                g = g / scales[t]
            carried[:, t] = g
            g = transposed(g * emitted[:, t], t)
        moved[:, STEPS - 1], carried[:, STEPS - 1] = 1, g
        told = (carried * moved).view(hidden, columns)
        of_symbols = emission * (told @ which)
        used = columns - WINDOWS
        of_layers = [
            a * torch.bmm(d.view(*d.shape[:2], columns)[..., :used], u.view(*u.shape[:2], columns)[..., :used].mT)
            for a, u, d in zip(layers, ups, downs)
        ]
        for counts, expected in [(of_symbols, columns)] + [(counts, used) for counts in of_layers]:
            if abs(counts.double().sum().item() / expected - 1) > 1e-3:
                raise RuntimeError("the counts are not those of all symbols")
        return total + torch.log(p).sum().item()

    return one_pass


MAKERS = {"hmmlearn": by_hmmlearn, "pomegranate": by_pomegranate, "eager": lambda *factors: by_torch(factors),
          "by hand": lambda *factors: by_hand(factors)}


def cases():
    for form, factors in FORMS.items():
        if len(factors) == 1:
            yield f"hmmlearn {form}", factors
            if factors[0] <= MOST_OF_POMEGRANATE:
                yield f"pomegranate {form}", factors
        yield f"eager {form}", factors
        yield f"by hand {form}", factors


def main():
    if len(sys.argv) > 2:  # one of them, in a process of its own, whose memory is told apart
        import torch

        torch.set_num_threads(int(sys.argv[1]))
        torch.set_num_interop_threads(1)
        peer = next(peer for peer in PEERS if sys.argv[2].startswith(peer))
        print(json.dumps(times_of(MAKERS[peer](*dict(cases())[sys.argv[2]]))))
        return
    variants, values = {}, {}
    alone = os.environ | {"OPENBLAS_NUM_THREADS": sys.argv[1], "OMP_NUM_THREADS": sys.argv[1]}
    for name, _ in cases():
        run = subprocess.run(
            [sys.executable, __file__, sys.argv[1], name], check=True, stdout=subprocess.PIPE, env=alone
        )
        variants[name], log_p = json.loads(run.stdout)
        form = next(form for form in FORMS if name.endswith(form))
        same = values.setdefault(f"log p, pass {form}", log_p)
        if abs(log_p - same) > 1e-5 * abs(same):
            raise SystemExit(f"{name} has log p {log_p}, not {same}")
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("torch", "hmmlearn", "pomegranate")]
    print(json.dumps({"peer": ", ".join(versions) + ":", "variants": variants, "values": values}))


if __name__ == "__main__":
    main()
