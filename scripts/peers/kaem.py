"""One update of the KAEM of tests/bench/kaem_bench.cpp in PyTorch on the CPU: prior of P = n_z, Q = 2 n_z + 1
curves with a Gaussian base and shared uniforms, generator Q-(4 n_z + 2)-784, 100 samples weighed for 100 rows,
residual resampling, the gradient of the prior through its samples, Adam.

usage: kaem.py THREADS   prints one JSON object: peer, and per variant median and least ms
       kaem.py --facts   prints what it is compared with, for scripts/bench-peers
"""
import json
import math
import sys
import time

from ways import WAYS, measure, network_of, optimizer_of

LATENTS = (40, 20, 10)
FACTS = {
    "title": "KAEM by importance sampling, n_z latents, 28x28, batch 100, ms an update",
    "needs": ["torch", "numpy"],
    "ours": {
        threads: {f"logpx n_z {n}": f"n_z {n}, {words}" for n in LATENTS}
        for threads, words in (("1", "1 thread"), ("2", "2 threads"))
    },
    # What each is set against; times our speed, by medians.
    "against": {f"{way} n_z {n}": f"logpx n_z {n}" for way in WAYS for n in LATENTS},
    "promised": {f"{way} n_z {n}": ratio for way, ratio in zip(WAYS, (2, 2, 1.5)) for n in LATENTS},
}
if sys.argv[1:] == ["--facts"]:
    print(json.dumps(FACTS))
    sys.exit()

import torch
from torch import nn

PIXELS, BATCH, ROWS, SAMPLES, INTERVALS, CELLS = 784, 100, 1000, 100, 20, 100
LOW, HIGH, SD, NOISE, ESS = -1.5, 1.5, 0.1, 0.1, 0.5
WARM_UP, STEPS = 3, 30


class Curves(nn.Module):
    """Layer of curves: w_base relu(x) + w_spline sum_g coef_g exp(-((x - grid_g) / (h tau))^2 / 2)."""

    def __init__(self, inputs, outputs, low, high):
        super().__init__()
        self.register_buffer("grid", torch.linspace(low, high, INTERVALS + 1))
        self.step = (high - low) / INTERVALS
        self.log_tau = nn.Parameter(torch.zeros(()))
        self.coef = nn.Parameter(0.1 * torch.randn(inputs, outputs, INTERVALS + 1) / INTERVALS)
        self.w_base = nn.Parameter(torch.randn(inputs, outputs) / inputs)
        self.w_spline = nn.Parameter(torch.randn(inputs, outputs) / inputs**0.5)

    def basis(self, x):
        return torch.exp(-0.5 * ((x.unsqueeze(-1) - self.grid) / (self.step * self.log_tau.exp())) ** 2)

    def forward(self, x):  # one product over basis and activation
        count, inputs = x.shape
        columns = torch.cat([self.basis(x), torch.relu(x).unsqueeze(-1)], -1).reshape(count, -1)
        weights = torch.cat([self.coef * self.w_spline.unsqueeze(-1), self.w_base.unsqueeze(-1)], -1)
        return columns @ weights.permute(0, 2, 1).reshape(columns.shape[1], -1)


class Prior(nn.Module):
    """p(z_qp) ~ exp(f_qp(z)) N(z; 0, 1): f of every p is a layer of Q curves. Samples by cubic pieces of F."""

    def __init__(self, parts, latents):
        super().__init__()
        self.curves = nn.ModuleList(Curves(1, latents, LOW, HIGH) for _ in range(parts))
        # relu has a kink at 0: cells on either side, three points each.
        edges = torch.cat([torch.linspace(LOW, 0, CELLS + 1)[:-1], torch.linspace(0, HIGH, CELLS + 1)])
        self.register_buffer("edges", edges)
        self.register_buffer("points", torch.cat([edges, (edges[1:] + edges[:-1]) / 2]))

    def density(self):  # [P,Q,points], not normalised
        f = torch.stack([curves(self.points[:, None]).t() for curves in self.curves])
        return torch.exp(f - 0.5 * self.points**2)

    def forward(self, u):  # [S,P] -> [S,Q], with the gradient by the parameters at fixed u
        g, cells = self.density(), len(self.edges) - 1
        width = self.edges[1:] - self.edges[:-1]
        start, end, middle = g[..., :cells], g[..., 1 : cells + 1], g[..., cells + 1 :]
        mass = width * (start + 4 * middle + end) / 6
        total = mass.sum(-1, keepdim=True)
        below = (mass.cumsum(-1) - mass) / total
        wanted = u.t()[:, None, :].expand(-1, g.shape[1], -1).contiguous()
        with torch.no_grad():
            k = (torch.searchsorted(below.contiguous(), wanted) - 1).clamp(0, cells - 1)
        at = lambda all: all.expand_as(mass).gather(-1, k)
        first = at(start / total) * at(width)
        last = at(end / total) * at(width)
        share = at(mass / total)

        def passed(t):
            return t * (first + t * ((3 * share - 2 * first - last) + t * (first + last - 2 * share)))

        with torch.no_grad():
            rest = wanted - at(below)
            t = (rest / share).clamp(0, 1)
            for _ in range(3):
                rise = first + t * (2 * (3 * share - 2 * first - last) + 3 * t * (first + last - 2 * share))
                t = (t - (passed(t) - rest) / rise).clamp(0, 1)
            rise = first + t * (2 * (3 * share - 2 * first - last) + 3 * t * (first + last - 2 * share))
        # One implicit step, whose value is 0 and whose gradient is that of the quantile.
        moved = t - (at(below) + passed(t) - wanted) / rise
        return (self.edges[k] + at(width) * moved).sum(0).t()


class Kaem(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.prior = Prior(n, 2 * n + 1)
        self.first = Curves(2 * n + 1, 4 * n + 2, -8.0, 8.0)
        self.second = Curves(4 * n + 2, PIXELS, -3.0, 3.0)

    def forward(self, x, u):
        s = self.prior(u)
        logits = self.second(self.first(s))
        mean = torch.sigmoid(logits + NOISE * torch.randn_like(logits))
        squares = (x * x).sum(1)[:, None] + (mean * mean).sum(1)[None] - 2 * x @ mean.t()
        log_likelihood = -squares / (2 * SD * SD)
        with torch.no_grad():
            weights = resampled(torch.softmax(log_likelihood.double(), 1)).float()
        return -(weights * log_likelihood).sum() / len(x)


def resampled(weights):
    """Residual resampling of the rows whose effective samples are below ESS of all."""
    count = weights.shape[1]
    poor = 1 / (weights**2).sum(1) < ESS * count
    kept = torch.floor(count * weights[poor] + 1e-9)
    rest = (count * weights[poor] - kept).clamp(min=0)
    missing = (count - kept.sum(1)).long()
    draws = torch.multinomial(rest + 1e-300, count, replacement=True)
    chosen = (torch.arange(count)[None] < missing[:, None]).double()
    weights[poor] = (kept + torch.zeros_like(kept).scatter_add(1, draws, chosen)) / count
    return weights


def time_updates(way, n, data):
    model = Kaem(n)
    optimizer = optimizer_of(way, torch.optim.Adam, model.parameters(), lr=1e-3)
    loss_of = network_of(way, model)
    order, seconds = torch.randperm(ROWS), []
    for step in range(WARM_UP + STEPS):
        begin = time.perf_counter()
        at = step * BATCH % ROWS
        optimizer.zero_grad()
        loss = loss_of(data[order[at : at + BATCH]], torch.rand(SAMPLES, n))
        loss.backward()
        optimizer.step()
        seconds.append(time.perf_counter() - begin)
    if not math.isfinite(loss.item()):
        raise RuntimeError("the loss is not finite")
    return [1e3 * s for s in seconds[WARM_UP:]]


def main():
    torch.set_num_threads(int(sys.argv[1]))
    torch.manual_seed(1)
    data = torch.rand(ROWS, PIXELS) ** 2
    cases = {f"{way} n_z {n}": lambda way=way, n=n: time_updates(way, n, data) for way in WAYS for n in LATENTS}
    print(json.dumps({"peer": f"PyTorch {torch.__version__}", "variants": measure(cases)}))


if __name__ == "__main__":
    main()
