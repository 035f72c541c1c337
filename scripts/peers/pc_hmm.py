"""One pass of Baum-Welch over 128 windows of 256 symbols, as tests/bench/circuit_pass_bench.cpp does it: by
hmmlearn, and in eager PyTorch with scaled messages and autograd, on the CPU. Data and parameters come from formulas
of whole numbers that both follow, so the log-likelihood is the same.

usage: pc_hmm.py THREADS   prints one JSON object: peer, per variant median and least ms, values to compare
       pc_hmm.py --facts   prints what it is compared with, for scripts/bench-peers
"""
import json
import statistics
import sys
import time

FORMS = {"hmm 16": (16,), "hmm 64": (64,), "hmm 256": (256,), "monarch 32.32": (32, 32)}
FACTS = {
    "title": "Baum-Welch, 128 windows of 256 symbols, ms a pass",
    "section": "windows of symbols",
    "needs": ["torch", "hmmlearn", "numpy"],
    "ours": {"1": {f"logpx {form}": form for form in FORMS}},
    # Times our speed, by medians.
    "against": {f"{peer} {form}": f"logpx {form}" for peer in ("hmmlearn", "eager") for form in FORMS},
    "promised": {"hmmlearn hmm 16": 5, "hmmlearn hmm 64": 10, "hmmlearn hmm 256": 25}
    | {f"eager {form}": 3 for form in FORMS},
    "same": {f"log p, pass {form}": 1e-5 for form in FORMS},
}
if sys.argv[1:] == ["--facts"]:
    print(json.dumps(FACTS))
    sys.exit()

import numpy as np

WINDOWS, STEPS, SYMBOLS, PATIENCE = 128, 256, 27, 4.0


def weights(rows, columns):
    j, i = np.arange(rows)[:, None], np.arange(columns)[None, :]
    w = (1 + (31 * j + 17 * i + 7 * i * j) % 97).astype(float)
    return w / w.sum(1, keepdims=True)


def symbols():
    w, t = np.arange(WINDOWS)[:, None], np.arange(STEPS)[None, :]
    return (131 * w + 7 * t * t + 3 * t * w + t // 5 * 11) % 8191 % SYMBOLS


def times_of(one_pass):
    """Milliseconds of a few passes, fewer where they take long, and what the last one came to."""
    value, milliseconds = one_pass(), []
    while len(milliseconds) < 7 and (not milliseconds or sum(milliseconds) < 1e3 * PATIENCE):
        begin = time.perf_counter()
        value = one_pass()
        milliseconds.append(1e3 * (time.perf_counter() - begin))
    return {"median": statistics.median(milliseconds), "least": min(milliseconds)}, value


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


def main():
    import hmmlearn
    import torch

    torch.set_num_threads(int(sys.argv[1]))
    variants, values = {}, {}
    for form, factors in FORMS.items():
        if len(factors) == 1:
            variants[f"hmmlearn {form}"], _ = times_of(by_hmmlearn(*factors))
        variants[f"eager {form}"], values[f"log p, pass {form}"] = times_of(by_torch(factors))
    peer = f"PyTorch {torch.__version__}, hmmlearn {hmmlearn.__version__}:"
    print(json.dumps({"peer": peer, "variants": variants, "values": values}))


if __name__ == "__main__":
    main()
