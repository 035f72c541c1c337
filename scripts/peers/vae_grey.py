"""One training step of the VAE of grey levels of tests/bench/vae_bench.cpp in PyTorch on the CPU: a beta-binomial for
each pixel, in float32, where a term near 1000 has an error of 1e-4; ours is in float64.

usage: vae_grey.py THREADS   prints one JSON object: peer, and per variant median and least ms
       vae_grey.py --facts   prints what it is compared with, for scripts/bench-peers
"""
import json
import sys

FACTS = {
    "title": "VAE 784-500-20 of grey levels, batch 100, ms a step",
    "needs": ["torch", "numpy"],
    "section": "vae",
    "ours": {"1": {"logpx": "grey levels, 1 thread"}, "2": {"logpx": "grey levels, 2 threads"}},
    # Times our speed, by medians.
    "promised": {"eager": 1.5},
}
if sys.argv[1:] == ["--facts"]:
    print(json.dumps(FACTS))
    sys.exit()

import torch
from torch import lgamma, nn
from ways import WAYS, measure, times_of_steps

INPUTS, HIDDEN, LATENT, BATCH, ROWS, TOP = 784, 500, 20, 100, 10_000, 255


def log_prob(x, a, b):
    """ln B(x + a, TOP - x + b) - ln B(a, b), without what does not depend on a and b."""
    above = lgamma(x + a) + lgamma(TOP - x + b) - lgamma(a + b + TOP)
    return above - lgamma(a) - lgamma(b) + lgamma(a + b)


class Vae(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(INPUTS, HIDDEN)
        self.mean = nn.Linear(HIDDEN, LATENT)
        self.log_var = nn.Linear(HIDDEN, LATENT)
        self.up = nn.Linear(LATENT, HIDDEN)
        self.shapes = nn.Linear(HIDDEN, 2 * INPUTS)

    def forward(self, x):
        h = torch.tanh(self.hidden(x / TOP))
        mean, log_var = self.mean(h), self.log_var(h)
        z = mean + torch.exp(0.5 * log_var) * torch.randn_like(mean)
        shapes = self.shapes(torch.tanh(self.up(z))).clamp(-6.9, 8.3).exp()
        recon = -log_prob(x, shapes[:, :INPUTS], shapes[:, INPUTS:]).sum()
        kl = 0.5 * torch.sum(mean**2 + log_var.exp() - log_var - 1)
        return (recon + kl) / x.shape[0]


def main():
    torch.set_num_threads(int(sys.argv[1]))
    torch.manual_seed(1)
    data = torch.randint(1, TOP + 1, (ROWS, INPUTS)) * (torch.rand(ROWS, INPUTS) < 0.2)
    data = data.float()
    variants = measure({way: lambda way=way: times_of_steps(way, Vae(), data, BATCH) for way in WAYS})
    print(json.dumps({"peer": f"PyTorch {torch.__version__}", "variants": variants}))


if __name__ == "__main__":
    main()
