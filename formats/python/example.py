"""Trains a VAE by the tools, and draws what came out: how training went, samples, and log p of each test row.

    PATH=build/bin:$PATH PYTHONPATH=formats/python python3 formats/python/example.py [FOLDER]

Installed, both files are in share/logpx. Needs matplotlib.
"""
import subprocess
import sys
from pathlib import Path

import matplotlib

import logpx

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")


def run(*command):
    subprocess.run(["logpx", *command, "--quiet", "--force"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)


run("make-data", "digits", "-n", "600", "-o", "digits.h5")
run("train-vae", "digits.h5", "--preset", "tiny", "--epochs", "10", "-o", "model.h5")
run("sample-model", "model.h5", "-n", "25", "--mean", "-o", "samples.h5")
run("elbo-eval", "model.h5", "digits.h5", "--per-example", "scores.h5", "--report", "report.json")

figure, (training, drawn, scored) = pyplot.subplots(1, 3, figsize=(14, 4))
history = logpx.read_history(folder / "model.history.jsonl")
training.plot([line["epoch"] for line in history], [line["elbo_valid"] for line in history])
training.set(title="training", xlabel="epoch", ylabel="nats, bound on log p")

samples = logpx.read_samples(folder / "samples.h5")
_, height, width, _ = samples.x.shape
sheet = samples.x.reshape(5, 5, height, width).swapaxes(1, 2).reshape(5 * height, 5 * width)
drawn.imshow(sheet, cmap="gray")
drawn.set(title=f"means of a {samples.family}")
drawn.axis("off")

scores = logpx.read_scores(folder / "scores.h5")
per_class = [scores.log_likelihood[scores.labels == label] for label in range(len(scores.label_names))]
scored.boxplot(per_class, labels=scores.label_names)
bits = logpx.read_report(folder / "report.json")["result"]["bits_per_dim"]
scored.set(title=f"{bits['value']:.3f} bits/dim, {bits['kind'].replace('_', ' ')}", xlabel="digit", ylabel="nats")

figure.tight_layout()
figure.savefig(folder / "example.png", dpi=80)
