"""Medians over the rounds of bench-peers, ours beside the peers': a table per section, and OUT/peers.json.

usage: compare.py OUT ROUNDS FAMILY...   exit 1 when a ratio that a section promises is missed

Reads OUT/FAMILY.facts.json, OUT/FAMILY.ours.ROUND.json and OUT/FAMILY.ROUND.THREADS.json.
"""
import json
import statistics
import sys
from pathlib import Path


def read(path):
    return json.loads(path.read_text())


class Section:
    def __init__(self, out, rounds, family):
        self.out, self.rounds, self.family = out, rounds, family
        self.facts = read(out / f"{family}.facts.json")

    def our_run(self, round_number, words):
        report = read(self.out / f"{self.family}.ours.{round_number}.json")
        rows = {row["name"]: row["value"] for row in report["sections"][self.facts.get("section", self.family)]}
        found = {}
        for key in ("median", "fastest"):
            (found[key],) = [v for name, v in rows.items() if name.endswith(f" {words}, {key}")]
        found |= {"peak": v for name, v in rows.items() if name.endswith(f" {words}, peak")}
        return found

    def our_rows(self, threads):
        for what, words in self.facts["ours"][threads].items():
            runs = [self.our_run(r, words) for r in self.rounds]
            yield {
                "what": what,
                "threads": int(threads),
                "median": statistics.median(run["median"] for run in runs),
                "least": min(run["fastest"] for run in runs),
            } | most_memory(runs)

    def peer_rows(self, threads, ours):
        medians = {row["what"]: row["median"] for row in ours}
        against = self.facts.get("against", {})
        peers = [read(self.out / f"{self.family}.{r}.{threads}.json") for r in self.rounds]
        for name, first in peers[0]["variants"].items():
            row = {"what": f"{peers[0]['peer']} {name}", "threads": int(threads)}
            if "missing" in first:
                yield row | {"missing": first["missing"]}
                continue
            runs = [peer["variants"][name] for peer in peers]
            row["median"] = statistics.median(run["median"] for run in runs)
            row["least"] = min(run["least"] for run in runs)
            row |= most_memory(runs)
            base = medians[against[name]] if name in against else min(medians.values())
            row["ratio"] = row["median"] / base
            if name in self.facts["promised"]:
                row["promised"] = self.facts["promised"][name]
                row["met"] = row["ratio"] >= row["promised"]
            yield row

    def same_rows(self):
        """Numbers that both must come to."""
        for name, tolerance in self.facts.get("same", {}).items():
            report = read(self.out / f"{self.family}.ours.{self.rounds[0]}.json")
            section = report["sections"][self.facts.get("section", self.family)]
            (ours,) = [row["value"] for row in section if row["name"] == name]
            threads = next(iter(self.facts["ours"]))
            peer = read(self.out / f"{self.family}.{self.rounds[0]}.{threads}.json")["values"][name]
            off = abs(ours - peer) / abs(peer)
            yield {"what": name, "same": [ours, peer], "off": off, "met": off <= tolerance}

    def rows(self):
        for threads in self.facts["ours"]:
            ours = list(self.our_rows(threads))
            yield from ours
            yield from self.peer_rows(threads, ours)
        yield from self.same_rows()


def most_memory(runs):
    """MiB that it took, where that was measured."""
    peaks = [run["peak"] for run in runs if "peak" in run]
    return {"peak": max(peaks)} if peaks else {}


def show(title, rows):
    measured = any("peak" in row for row in rows)
    print(f"{title:40} threads  median   least{'  MiB' if measured else ''}  of our median")
    for row in rows:
        if "same" in row:
            print(f"{row['what']:40} {row['same'][0]:.9g} and {row['same'][1]:.9g}: "
                  f"{row['off']:.1e} off, {'met' if row['met'] else 'MISSED'}")
            continue
        if "missing" in row:
            print(f"{row['what']:40} {row['threads']:7}  not here: {row['missing']}")
            continue
        ratio = f"{row['ratio']:6.2f}" if "ratio" in row else ""
        if "promised" in row:
            ratio += f" (promised {row['promised']}: {'met' if row['met'] else 'MISSED'})"
        peak = f" {row['peak']:6.0f}" if "peak" in row else ""
        print(f"{row['what']:40} {row['threads']:7} {row['median']:7.2f} {row['least']:7.2f}{peak}  {ratio}")


def main():
    out, rounds = Path(sys.argv[1]), range(1, int(sys.argv[2]) + 1)
    tables = {}
    for family in sys.argv[3:]:
        section = Section(out, rounds, family)
        tables[family] = list(section.rows())
        show(section.facts["title"], tables[family])
    (out / "peers.json").write_text(json.dumps(tables, indent=2) + "\n")
    sys.exit(0 if all(row.get("met", True) for rows in tables.values() for row in rows) else 1)


if __name__ == "__main__":
    main()
