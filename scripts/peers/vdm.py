"""One training step of the diffusion models of tests/bench/vdm_bench.cpp in PyTorch on the CPU: presets
`small8` and `small28` of train-vdm, 64 pictures, times spread over the batch, the diffusion term in continuous time
(ours pays for p(x|z_0), the prior and the schedule's gradient, too), clipped gradients, AdamW and a running average.

usage: vdm.py THREADS   prints one JSON object: peer, parameters, and per variant median and least ms
       vdm.py --facts   prints what it is compared with, for scripts/bench-peers
"""
import copy
import json
import math
import sys
import time

from ways import WAYS, measure, network_of, optimizer_of

PRESETS = {  # side of the picture, channels, blocks at each resolution, factors on channels, steps that are timed
    "small8": (8, 32, 2, (1,), 40),
    "small28": (28, 16, 1, (1, 2, 4), 15),
}
WAYS = (*WAYS, "channels last", "bfloat16")  # both with the optimiser of one kernel
FACTS = {
    "title": "VDM, 64 pictures, ms a step",
    "needs": ["torch", "numpy"],
    "ours": {
        threads: {f"logpx {preset}": f"{preset}, {words}" for preset in PRESETS}
        for threads, words in (("1", "1 thread"), ("2", "2 threads"))
    },
    # What each is set against; times our speed, by medians.
    "against": {f"{way} {preset}": f"logpx {preset}" for way in WAYS for preset in PRESETS},
    "promised": {f"{way} {preset}": 1 for way in ("eager", "fused", "channels last") for preset in PRESETS},
    "same": {f"parameters of {preset}": 0 for preset in PRESETS},
}
if sys.argv[1:] == ["--facts"]:
    print(json.dumps(FACTS))
    sys.exit()

import torch
import torch.nn.functional as F
from torch import nn

BATCH, ROWS, GROUPS, WAVES = 64, 1024, 8, (7, 8)
FIRST_GAMMA, LAST_GAMMA = -13.3, 5.0
WARM_UP, EMA = 3, 0.999


def norm(channels):
    return nn.GroupNorm(math.gcd(GROUPS, channels), channels, eps=1e-6)


def conv3(inputs, outputs, stride=1):
    return nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1)


class Block(nn.Module):
    def __init__(self, inputs, outputs, condition):
        super().__init__()
        self.first_norm, self.first = norm(inputs), conv3(inputs, outputs)
        self.shift = nn.Linear(condition, outputs, bias=False)
        self.second_norm, self.second = norm(outputs), conv3(outputs, outputs)
        self.beside = nn.Conv2d(inputs, outputs, 1) if inputs != outputs else nn.Identity()

    def forward(self, x, condition):
        h = self.first(F.silu(self.first_norm(x))) + self.shift(condition)[:, :, None, None]
        return self.beside(x) + self.second(F.silu(self.second_norm(h)))


class Attention(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = norm(channels)
        self.seen = nn.Conv2d(channels, 3 * channels, 1)
        self.out = nn.Conv2d(channels, channels, 1)

    def forward(self, x, _):
        q, k, v = self.seen(self.norm(x)).flatten(2).transpose(1, 2).chunk(3, dim=-1)
        told = F.scaled_dot_product_attention(q, k, v)
        return x + self.out(told.transpose(1, 2).reshape(x.shape))


class ScoreNet(nn.Module):
    def __init__(self, channels, blocks, factors):
        super().__init__()
        self.width, condition = channels, 4 * channels
        self.condition = nn.Sequential(
            nn.Linear(channels, condition), nn.SiLU(), nn.Linear(condition, condition), nn.SiLU()
        )
        self.enter = conv3(1 + 2 * len(WAVES), channels)
        self.down, self.up = nn.ModuleList(), nn.ModuleList()
        now, kept = channels, [channels]
        for level, factor in enumerate(factors):
            for _ in range(blocks):
                self.down.append(Block(now, factor * channels, condition))
                now = factor * channels
                kept.append(now)
            if level + 1 < len(factors):
                self.down.append(conv3(now, now, stride=2))
                kept.append(now)
        self.middle = nn.ModuleList([Block(now, now, condition), Attention(now), Block(now, now, condition)])
        for level in reversed(range(len(factors))):
            for _ in range(blocks + 1):
                self.up.append(Block(now + kept.pop(), factors[level] * channels, condition))
                now = factors[level] * channels
            if level > 0:
                self.up.append(conv3(now, now))
        self.leave = nn.Sequential(norm(now), nn.SiLU(), conv3(now, 1))

    def embedded(self, gamma):
        half = self.width // 2
        speeds = torch.exp(torch.arange(half) * (-math.log(1e4) / (half - 1)))
        angles = 1000 * ((gamma - FIRST_GAMMA) / (LAST_GAMMA - FIRST_GAMMA))[:, None] * speeds
        return torch.cat([angles.sin(), angles.cos()], dim=1)

    def forward(self, z, gamma):
        condition = self.condition(self.embedded(gamma))
        angles = []
        for n in WAVES:
            turns = z * 2.0 ** (n - 1)
            angles.append(2 * math.pi * (turns - turns.round()))
        h = self.enter(torch.cat([z] + [a.sin() for a in angles] + [a.cos() for a in angles], dim=1))
        kept = [h]
        for module in self.down:
            h = module(h, condition) if isinstance(module, Block) else module(h)
            kept.append(h)
        for module in self.middle:
            h = module(h, condition)
        for module in self.up:
            if isinstance(module, Block):
                h = module(torch.cat([h, kept.pop()], dim=1), condition)
            else:
                h = module(F.interpolate(h, scale_factor=2, mode="nearest"))
        return z + self.leave(h)


def bound_of(net, x):
    """The diffusion term of the bound, nats a picture, under a linear schedule."""
    times = (torch.rand(()) + torch.arange(BATCH) / BATCH) % 1
    gamma = FIRST_GAMMA + (LAST_GAMMA - FIRST_GAMMA) * times
    noise = torch.randn_like(x)
    level = gamma[:, None, None, None]
    z = torch.sigmoid(-level).sqrt() * x + torch.sigmoid(level).sqrt() * noise
    squares = (noise - net(z, gamma)).square().sum()
    return 0.5 * (LAST_GAMMA - FIRST_GAMMA) * squares / BATCH


def step_times(way, net, side, steps):
    kept = torch.channels_last if way == "channels last" else torch.contiguous_format
    net = net.to(memory_format=kept)
    computed = network_of(way, net)
    pictures = torch.randint(0, 256, (ROWS, 1, side, side), dtype=torch.uint8)
    order = torch.randperm(ROWS)
    settings = {"lr": 2e-3, "betas": (0.9, 0.99), "weight_decay": 0.01}
    optimizer = optimizer_of(way, torch.optim.AdamW, net.parameters(), **settings)
    parameters = list(net.parameters())
    average = [p.detach().clone() for p in parameters]
    milliseconds = []
    for step in range(WARM_UP + steps):
        begin = time.perf_counter()
        at = step * BATCH % ROWS
        x = (2 * pictures[order[at : at + BATCH]].float() + 1) / 256 - 1
        optimizer.zero_grad()
        with torch.autocast("cpu", torch.bfloat16, enabled=way == "bfloat16"):
            loss = bound_of(computed, x.to(memory_format=kept))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        torch._foreach_lerp_(average, [p.detach() for p in parameters], 1 - EMA)
        milliseconds.append(1e3 * (time.perf_counter() - begin))
    return milliseconds[WARM_UP:]


def main():
    torch.set_num_threads(int(sys.argv[1]))
    torch.manual_seed(1)
    cases, values = {}, {}
    for preset, (side, channels, blocks, factors, steps) in PRESETS.items():
        made = ScoreNet(channels, blocks, factors)
        values[f"parameters of {preset}"] = sum(p.numel() for p in made.parameters())
        for way in WAYS:
            cases[f"{way} {preset}"] = lambda way=way, net=copy.deepcopy(made), form=(side, steps): step_times(
                way, net, *form
            )
    print(json.dumps({"peer": f"PyTorch {torch.__version__}", "variants": measure(cases), "values": values}))


if __name__ == "__main__":
    main()
