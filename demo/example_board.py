"""Makes the invented board that the page "How to read a board" explains itself with: evalsite/comparisons/example.json.

Sentences are of different difficulty, and what is hard for one system is hard for the others; so two systems
differ by less than each of them varies, as on real boards.
"""

import json
from pathlib import Path

import numpy as np

SEED = 9  # one of the first forty whose groups show that being inseparable is not transitive
N_UNITS = 150
SYSTEMS = {"Alder": 0.8, "Birch": 0.6, "Cedar": 0.45, "Dogwood": 0.25, "Elm": -0.35}
REFERENCE = {"Word list": -1.1}
PATH = Path(__file__).resolve().parent.parent / "evalsite/comparisons/example.json"


def main():
    rng = np.random.default_rng(SEED)
    gold = 1 + rng.poisson(rng.gamma(3, 5 / 3, N_UNITS))
    difficulty = rng.normal(0, 0.9, N_UNITS)
    items = [rng.logistic(size=number) for number in gold]
    rows = {}
    for name, skill in (SYSTEMS | REFERENCE).items():
        own = [0.75 * shared + 0.45 * rng.logistic(size=len(shared)) for shared in items]
        correct = [int((noise < skill - hard).sum()) for noise, hard in zip(own, difficulty, strict=True)]
        spurious = rng.poisson(0.22 * gold * np.exp(0.25 * difficulty - 0.3 * skill))
        rows[name] = [
            [found, int(number), found + int(wrong)]
            for found, number, wrong in zip(correct, gold, spurious, strict=True)
        ]
    facts = {"seed": SEED, "reference": next(iter(REFERENCE)), "rows": rows}
    PATH.write_text(json.dumps(facts, separators=(",", ":")) + "\n")
    print(f"{PATH.name}: {len(rows)} systems, {N_UNITS} sentences")


if __name__ == "__main__":
    main()
