"""One training step of the VAE of tests/bench/vae_bench.cpp in PyTorch on the CPU.

usage: vae.py THREADS   prints one JSON object: peer, and per variant median and least ms
       vae.py --facts   prints what it is compared with, for scripts/bench-peers
"""
import json
import sys

FACTS = {
    "title": "VAE 784-500-20, batch 100, ms a step",
    "needs": ["torch", "numpy"],
    # Our rows by number of threads, as a user would run it there: the shards of a batch are for threads to share.
    "ours": {
        "1": {"logpx": "1 thread", "logpx --shards 1": "1 thread, 1 shard"},
        "2": {"logpx": "2 threads"},
    },
    # Times our speed, by medians.
    "promised": {"eager": 1.5, "fused": 1.3, "compiled": 1.3},
}
if sys.argv[1:] == ["--facts"]:
    print(json.dumps(FACTS))
    sys.exit()

import torch
import torch.nn.functional as F
from torch import nn
from ways import WAYS, measure, times_of_steps

INPUTS, HIDDEN, LATENT, BATCH, ROWS = 784, 500, 20, 100, 10_000


class Vae(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(INPUTS, HIDDEN)
        self.mean = nn.Linear(HIDDEN, LATENT)
        self.log_var = nn.Linear(HIDDEN, LATENT)
        self.up = nn.Linear(LATENT, HIDDEN)
        self.logits = nn.Linear(HIDDEN, INPUTS)

    def forward(self, x):
        h = torch.tanh(self.hidden(x))
        mean, log_var = self.mean(h), self.log_var(h)
        z = mean + torch.exp(0.5 * log_var) * torch.randn_like(mean)
        logits = self.logits(torch.tanh(self.up(z)))
        recon = F.binary_cross_entropy_with_logits(logits, x, reduction="sum")
        kl = 0.5 * torch.sum(mean**2 + log_var.exp() - log_var - 1)
        return (recon + kl) / x.shape[0]


def main():
    torch.set_num_threads(int(sys.argv[1]))
    torch.manual_seed(1)
    data = (torch.rand(ROWS, INPUTS) < 0.2).float()
    variants = measure({way: lambda way=way: times_of_steps(way, Vae(), data, BATCH) for way in WAYS})
    print(json.dumps({"peer": f"PyTorch {torch.__version__}", "variants": variants}))


if __name__ == "__main__":
    main()
