"""Medians over the rounds of bench-peers, ours beside PyTorch's: a table, and OUT/peers.json.

usage: compare.py OUT ROUNDS   exit 1 when a ratio that the project promises is missed
"""
import json
import statistics
import sys
from pathlib import Path

PROMISED = 1.5  # times the speed of eager PyTorch at equal threads, by medians


# How a user would run it there: the shards of a batch are for threads to share.
WAYS = {1: [("logpx", "1 thread"), ("logpx --shards 1", "1 thread, 1 shard")], 2: [("logpx", "2 threads")]}


def ours(out, round_number, words):
    report = json.loads((out / f"ours.{round_number}.json").read_text())
    rows = {row["name"]: row["value"] for row in report["sections"]["vae"]}
    found = {}
    for key in ("median", "fastest"):
        (found[key],) = [v for name, v in rows.items() if name.endswith(f" {words}, {key}")]
    return found


def main():
    out, rounds = Path(sys.argv[1]), range(1, int(sys.argv[2]) + 1)
    table, met = [], True
    for threads in (1, 2):
        fastest = None
        for what, words in WAYS[threads]:
            mine = [ours(out, r, words) for r in rounds]
            median = statistics.median(run["median"] for run in mine)
            least = min(run["fastest"] for run in mine)
            table.append({"what": what, "threads": threads, "median": median, "least": least})
            fastest = min(median, fastest or median)
        peers = [json.loads((out / f"torch.{r}.{threads}.json").read_text()) for r in rounds]
        for name, first in peers[0]["variants"].items():
            what = f"PyTorch {peers[0]['version']} {name}"
            if "missing" in first:
                table.append({"what": what, "threads": threads, "missing": first["missing"]})
                continue
            runs = [p["variants"][name] for p in peers]
            theirs = statistics.median(run["median"] for run in runs)
            row = {"what": what, "threads": threads, "median": theirs}
            row["least"] = min(run["least"] for run in runs)
            row["ratio"] = theirs / fastest
            if name == "eager":
                row["promised"] = PROMISED
                met = met and row["ratio"] >= PROMISED
            table.append(row)
    print(f"{'VAE 784-500-20, batch 100, ms a step':40} threads  median   least  of our fastest median")
    for row in table:
        if "missing" in row:
            print(f"{row['what']:40} {row['threads']:7}  not here: {row['missing']}")
            continue
        ratio = f"{row['ratio']:6.2f}" if "ratio" in row else ""
        if "promised" in row:
            ratio += f" (promised {row['promised']}: {'met' if row['ratio'] >= PROMISED else 'MISSED'})"
        print(f"{row['what']:40} {row['threads']:7} {row['median']:7.2f} {row['least']:7.2f}  {ratio}")
    (out / "peers.json").write_text(json.dumps(table, indent=2) + "\n")
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
