"""Made-up QAC tasks of any size: an answer set and a run, the same for the same seed."""

import argparse
import json
import random
import string
import sys
from pathlib import Path

STRINGS = 500
LINES = 3
OUTPUTS = 5


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="receives gold.tsv, run.txt and both.json")
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=2002)
    arguments = parser.parse_args(argv)
    write_task(arguments.folder, arguments.questions, seed=arguments.seed)
    return 0


def write_task(folder: Path, questions: int, seed: int = 2002) -> None:
    """Writes `gold.tsv` and `run.txt`, and the same content in nested lists as `both.json`."""
    rng = random.Random(seed)
    strings = ["".join(rng.choices(string.ascii_lowercase, k=rng.randint(3, 12))) for _ in range(STRINGS)]
    gold, run = [], []
    for number in range(1, questions + 1):
        question = f"QAC1-{number}-01"
        gold.append([question, [[k, *_answer(rng, strings)] for k in range(1, LINES + 1)]])
        run.append([question, [_answer(rng, strings) for _ in range(OUTPUTS)]])
    folder.mkdir(parents=True)
    (folder / "both.json").write_text(json.dumps([gold, run]), encoding="utf-8")
    with (folder / "gold.tsv").open("w", encoding="utf-8", newline="") as file:
        file.writelines(
            f"{question}\t{number}\t{answer}\t{article}\n"
            for question, lines in gold
            for number, answer, article in lines
        )
    with (folder / "run.txt").open("w", encoding="utf-8", newline="") as file:
        for question, outputs in run:
            items = ", ".join(f'"{answer}", {article}' for answer, article in outputs)
            file.write(f"{question}: {items}\n")


def _answer(rng: random.Random, strings: list[str]) -> list[str]:
    return [rng.choice(strings), str(rng.randint(980_000_000, 999_999_999))]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
