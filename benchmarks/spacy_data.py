"""Made-up annotated sentences as JSON Lines, gold and system, the same for the same seed."""

import argparse
import json
import random
import string
import sys
from pathlib import Path
from typing import Any

N_WORDS = 20_000
WORDS = (8, 32)  # in a sentence, inclusive; 20 in the mean
TAGS = [f"T{number}" for number in range(9)]
LABELS = ["nsubj", "obj", "det", "amod", "obl", "punct", "advmod"]
TYPES = ["PER", "ORG", "LOC", "MISC"]
CATEGORIES = [f"C{number}" for number in range(6)]

Sentence = dict[str, Any]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="receives gold.jsonl and system.jsonl")
    parser.add_argument("--sentences", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=2026)
    arguments = parser.parse_args(argv)
    write_sides(arguments.folder, arguments.sentences, arguments.seed)
    return 0


def write_sides(folder: Path, sentences: int, seed: int = 2026) -> tuple[Path, Path]:
    """Writes both files and gives their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)
    words = ["".join(rng.choices(string.ascii_lowercase, k=rng.randint(2, 10))) for _ in range(N_WORDS)]
    paths = folder / "gold.jsonl", folder / "system.jsonl"
    with paths[0].open("w", encoding="utf-8") as gold, paths[1].open("w", encoding="utf-8") as system:
        for number in range(sentences):
            sentence = _gold(f"s{number}", words, rng)
            gold.write(json.dumps(sentence) + "\n")
            system.write(json.dumps(_system(sentence, rng)) + "\n")
    return paths


def _gold(identifier: str, words: list[str], rng: random.Random) -> Sentence:
    n = rng.randint(*WORDS)
    chosen = rng.choice(CATEGORIES)
    return {
        "id": identifier,
        "words": rng.choices(words, k=n),
        "spaces": [True] * n,
        "tags": rng.choices(TAGS, k=n),
        "heads": [rng.randrange(i) if i else 0 for i in range(n)],
        "deps": [rng.choice(LABELS) if i else "ROOT" for i in range(n)],
        "ents": _entities(n, rng),
        "cats": {label: float(label == chosen) for label in CATEGORIES},
    }


def _entities(n: int, rng: random.Random) -> list[list[Any]]:
    found, i = [], 0
    while i < n:
        if rng.random() < 0.12:
            end = min(n, i + rng.randint(1, 3))
            found.append([i, end, rng.choice(TYPES)])
            i = end
        else:
            i += 1
    return found


def _system(gold: Sentence, rng: random.Random) -> Sentence:
    return gold | {
        "tags": [rng.choice(TAGS) if rng.random() < 0.05 else tag for tag in gold["tags"]],
        "heads": [rng.randrange(i) if i and rng.random() < 0.1 else head for i, head in enumerate(gold["heads"])],
        "deps": [rng.choice(LABELS) if i and rng.random() < 0.1 else dep for i, dep in enumerate(gold["deps"])],
        "ents": [
            [start, end, rng.choice(TYPES) if rng.random() < 0.1 else label]
            for start, end, label in gold["ents"]
            if rng.random() >= 0.1
        ],
        "cats": {
            label: round(min(1.0, max(0.0, value * 0.5 + rng.random() * 0.6)), 4)
            for label, value in gold["cats"].items()
        },
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
