"""One training step of the graph transformers of tests/bench/graph_net_bench.cpp in PyTorch on the CPU: forward,
backward, AdamW; the same layers, in float32.

usage: graph_step.py THREADS   prints one JSON object: peer, and per variant median and least CPU ms
       graph_step.py --facts   prints what it is compared with, for scripts/bench-peers
"""
import json
import sys
import time

from ways import WAYS, measure, network_of, optimizer_of

# Name: layers, heads, widths of nodes, edges and the whole, their hidden widths, graphs, nodes, steps.
FORMS = {
    "small net, 128 graphs of 9": (3, 4, (48, 24, 24), (48, 24, 24), 128, 9, 60),
    "small net, 32 graphs of 23": (3, 4, (48, 24, 24), (48, 24, 24), 32, 23, 40),
    "qm9 net, 32 graphs of 9": (9, 8, (256, 64, 64), (256, 128, 128), 32, 9, 12),
    "qm9 net, 8 graphs of 23": (9, 8, (256, 64, 64), (256, 128, 128), 8, 23, 8),
}
PROMISED = dict(zip(FORMS, (1.3, 1.0, 1.2, 1.0)))
FACTS = {
    "title": "graph transformer, CPU ms a step",
    "section": "nets of graphs",
    "needs": ["torch", "numpy"],
    "ours": {"1": {f"logpx {form}": f"the {form}" for form in FORMS}},
    "against": {f"{way} {form}": f"logpx {form}" for way in WAYS for form in FORMS},
    # Times our speed, by medians.
    "promised": {f"{way} {form}": ratio for way in ("eager", "fused") for form, ratio in PROMISED.items()},
}
if sys.argv[1:] == ["--facts"]:
    print(json.dumps(FACTS))
    sys.exit()

import torch
import torch.nn.functional as F
from torch import nn

KINDS, MOST_NODES, WARM_UP = 4, 23, 3


def dense(inputs, hidden, outputs, last=False):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs), *([nn.ReLU()] if last else []))


def statistics_of(rows, shown):
    """Mean, least, largest and deviation of the rows that are shown; of graphs that are all there."""
    count = shown.sum(1)
    mean = (rows * shown).sum(1) / count
    least = rows.masked_fill(shown == 0, float("inf")).amin(1)
    most = rows.masked_fill(shown == 0, float("-inf")).amax(1)
    spread = (((rows - mean.unsqueeze(1)) ** 2) * shown).sum(1) / count
    return torch.cat([mean, least, most, torch.sqrt(spread + 1e-5)], -1)


class Tail(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.norm1, self.norm2, self.dense = nn.LayerNorm(width), nn.LayerNorm(width), dense(width, hidden, width)

    def forward(self, x, update):
        x = self.norm1(x + update)
        return self.norm2(x + self.dense(x))


class Layer(nn.Module):
    def __init__(self, heads, widths, hidden, last):
        super().__init__()
        dx, de, dy = widths
        self.scale = (dx // heads) ** -0.5
        self.q, self.k, self.v = nn.Linear(dx, dx), nn.Linear(dx, dx), nn.Linear(dx, dx)
        self.factor, self.bias = nn.Linear(de, dx), nn.Linear(de, dx)
        self.edge_factor, self.edge_shift = nn.Linear(dy, dx), nn.Linear(dy, dx)
        self.node_factor, self.node_shift = nn.Linear(dy, dx), nn.Linear(dy, dx)
        self.edge_out, self.node_out = nn.Linear(dx, de), nn.Linear(dx, dx)
        self.nodes, self.edges = Tail(dx, hidden[0]), Tail(de, hidden[1])
        self.last = last
        if not last:
            self.own, self.from_nodes, self.from_edges = nn.Linear(dy, dy), nn.Linear(4 * dx, dy), nn.Linear(4 * de, dy)
            self.out, self.globals = dense(dy, dy, dy), Tail(dy, hidden[2])

    def forward(self, x, e, y, there, pairs):
        scores = self.q(x).unsqueeze(2) * self.k(x).unsqueeze(1) * self.scale
        scores = scores * (self.factor(e) + 1) + self.bias(e)
        told_edges = scores * (self.edge_factor(y) + 1)[:, None, None] + self.edge_shift(y)[:, None, None]
        attention = torch.softmax(scores.masked_fill(there[:, None, :, None] == 0, float("-inf")), 2)
        told = (attention * self.v(x).unsqueeze(1)).sum(2)
        told = told * (self.node_factor(y) + 1).unsqueeze(1) + self.node_shift(y).unsqueeze(1)
        if not self.last:
            whole = self.own(y) + self.from_nodes(statistics_of(x, there.unsqueeze(-1)))
            whole = whole + self.from_edges(statistics_of(e.flatten(1, 2), pairs))
            y = self.globals(y, self.out(whole))
        return self.nodes(x, self.node_out(told)), self.edges(e, self.edge_out(told_edges)), y


class Net(nn.Module):
    def __init__(self, layers, heads, widths, hidden):
        super().__init__()
        self.nodes_in, self.edges_in, self.globals_in = (
            dense(inputs, h, w, last=True) for inputs, h, w in zip((KINDS, KINDS, 2), hidden, widths)
        )
        self.layers = nn.ModuleList(Layer(heads, widths, hidden, i + 1 == layers) for i in range(layers))
        self.nodes_out, self.edges_out = (dense(w, h, KINDS + 1) for w, h in zip(widths, hidden[:2]))

    def forward(self, x, e, y, there, pairs):
        x, e, y = self.nodes_in(x), self.edges_in(e), self.globals_in(y)
        for layer in self.layers:
            x, e, y = layer(x, e, y, there, pairs)
        e = self.edges_out(e)
        return self.nodes_out(x), (e + e.transpose(1, 2)) / 2


def shard(graphs, nodes):
    """Graphs of which half is shown, as one-hot rows that are zero where it is not."""
    kinds = torch.randint(0, KINDS, (graphs, nodes))
    upper = torch.triu_indices(nodes, nodes, 1)
    pairs = torch.randint(0, KINDS, (graphs, upper.shape[1]))
    square = torch.zeros(graphs, nodes, nodes, KINDS)
    shown = F.one_hot(pairs, KINDS).float() * (torch.arange(pairs.numel()).reshape(pairs.shape) % 2).unsqueeze(-1)
    square[:, upper[0], upper[1]] = shown
    square[:, upper[1], upper[0]] = shown
    x = F.one_hot(kinds, KINDS).float() * (torch.arange(kinds.numel()).reshape(kinds.shape) % 2).unsqueeze(-1)
    y = torch.tensor([nodes / MOST_NODES, 0.5]).repeat(graphs, 1)
    other = (1 - torch.eye(nodes)).flatten().reshape(1, -1, 1).repeat(graphs, 1, 1)
    return (x, square, y, torch.ones(graphs, nodes), other), (kinds, pairs, upper)


def time_steps(way, layers, heads, widths, hidden, graphs, nodes, steps):
    net = Net(layers, heads, widths, hidden)
    optimizer = optimizer_of(way, torch.optim.AdamW, net.parameters(), lr=1e-4)
    computed = network_of(way, net)
    inputs, (kinds, pairs, upper) = shard(graphs, nodes)
    seconds = []
    for _ in range(WARM_UP + steps):
        begin = time.process_time()
        optimizer.zero_grad()
        x, e = computed(*inputs)
        e = e[:, upper[0], upper[1]]
        known = F.cross_entropy(x[..., :KINDS].flatten(0, 1), kinds.flatten(), reduction="sum") + F.cross_entropy(
            e[..., :KINDS].flatten(0, 1), pairs.flatten(), reduction="sum"
        )
        loss = known / graphs + (x[..., KINDS] ** 2).sum() + (e[..., KINDS] ** 2).sum()
        loss.backward()
        optimizer.step()
        seconds.append(time.process_time() - begin)
    return [1e3 * s for s in seconds[WARM_UP:]]


def main():
    torch.set_num_threads(int(sys.argv[1]))
    torch.manual_seed(1)
    cases = {f"{way} {name}": lambda way=way, form=form: time_steps(way, *form) for way in WAYS for name, form in FORMS.items()}
    print(json.dumps({"peer": f"PyTorch {torch.__version__}", "variants": measure(cases)}))


if __name__ == "__main__":
    main()
