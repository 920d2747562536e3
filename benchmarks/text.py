"""Measures the evaluation of texts beside references against sacreBLEU and rouge-score on the same segments."""

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.processes import Cost, Target, measure, status_of  # noqa: E402

# All print the CPU seconds of their work alone, without Python's start, the imports and the reading of files.
PEER = """
import json, sys, time, sacrebleu
folder, names, n = sys.argv[1:]
system, reference = (open(f"{folder}/{name}.txt", encoding="utf-8").read().splitlines() for name in ("run", "gold"))
made = {"bleu": lambda: sacrebleu.BLEU(), "chrf": lambda: sacrebleu.CHRF(), "ter": lambda: sacrebleu.TER(),
        "chrf_pp": lambda: sacrebleu.CHRF(word_order=2)}
began = time.process_time()
scores = [made[name]().corpus_score(system, [reference], n_bootstrap=int(n)).score for name in names.split(",")]
print(json.dumps({"seconds": time.process_time() - began, "scores": scores}))
"""
ROUGE = """
import json, sys, time
from rouge_score.rouge_scorer import RougeScorer
folder = sys.argv[1]
system, reference = (open(f"{folder}/{name}.txt", encoding="utf-8").read().splitlines() for name in ("run", "gold"))
scorer = RougeScorer(["rouge1", "rouge2", "rougeL"])
began = time.process_time()
found = [scorer.score(*pair)["rougeL"].fmeasure for pair in zip(reference, system)]
print(json.dumps({"seconds": time.process_time() - began, "scores": [sum(found) / len(found)]}))
"""
EVALUATE = """
import json, sys, time, scoring
folder, names, n = sys.argv[1:]
family = scoring.FAMILIES["text"]
import sacrebleu, rapidfuzz.distance.LCSseq
began = time.process_time()
result = scoring.evaluate("text", gold=f"{folder}/gold.txt", system=f"{folder}/run.txt", options={"metrics": names},
                          n_resamples=int(n))
took = time.process_time() - began
wanted = ["rouge_l" if name == "rouge" else name for name in names.split(",")]
print(json.dumps({"seconds": took, "scores": [result.scores[name] for name in wanted]}))
"""


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=3_000)
    parser.add_argument("--runs", type=int, default=3, help="of each process; the least counts")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as name:
        folder, few = Path(name, "all"), Path(name, "few")
        write(folder, arguments.segments)
        write(few, arguments.segments // 10)  # TER alone takes milliseconds for each
        print(f"{arguments.segments:,} segments of 8 to 40 words; for TER a tenth of them")
        programs: dict[str, tuple[str, ...]] = {}
        for metrics, path in (("bleu", folder), ("chrf_pp", folder), ("ter", few)):
            programs[f"sacreBLEU, {metrics}"] = ("-c", PEER, str(path), metrics, "1")
            programs[f"evaluate, {metrics}"] = ("-c", EVALUATE, str(path), metrics, "0")
        programs["evaluate, chrf and chrf_pp"] = ("-c", EVALUATE, str(folder), "chrf,chrf_pp", "0")
        programs["rouge-score, 1, 2 and L"] = ("-c", ROUGE, str(folder))
        programs["evaluate, rouge"] = ("-c", EVALUATE, str(folder), "rouge", "0")
        programs["sacreBLEU, bleu, 1,000 resamples"] = ("-c", PEER, str(folder), "bleu", "1000")
        programs["evaluate, three"] = ("-c", EVALUATE, str(folder), "bleu,chrf,chrf_pp", "0")
        programs["evaluate, three, 10,000 resamples"] = ("-c", EVALUATE, str(folder), "bleu,chrf,chrf_pp", "10000")
        costs = dict(zip(programs, measure(programs, arguments.runs), strict=True))
    work = {title: min(json.loads(each.output)["seconds"] for each in own) for title, own in costs.items()}
    _check_scores(costs)
    resampling = work["evaluate, three, 10,000 resamples"] - work["evaluate, three"]
    theirs = work["sacreBLEU, bleu, 1,000 resamples"] - work["sacreBLEU, bleu"]
    return status_of(
        [
            *(
                Target(
                    f"{name}: evaluate / sacreBLEU",
                    work[f"evaluate, {name}"] / work[f"sacreBLEU, {name}"],
                    "at most",
                    1.15,
                )
                for name in ("bleu", "chrf_pp", "ter")
            ),
            Target(
                "chrf and chrf_pp together / sacreBLEU's chrf_pp",
                work["evaluate, chrf and chrf_pp"] / work["sacreBLEU, chrf_pp"],
                "at most",
                1.15,
            ),
            Target("rouge / rouge-score", work["evaluate, rouge"] / work["rouge-score, 1, 2 and L"], "at most", 0.7),
            Target("10,000 resamples of three / 1,000 of BLEU", resampling / theirs, "at most", 1.5),
        ]
    )


def write(folder: Path, n_segments: int) -> None:
    """Segments of random words, of which an eighth is changed, and every fifth is turned round."""
    rng = random.Random(8)
    words = [f"w{number}" for number in range(8_000)]
    gold, run = [], []
    for number in range(n_segments):
        reference = rng.choices(words, k=rng.randrange(8, 41))
        text = [rng.choice(words) if rng.random() < 0.12 else word for word in reference]
        gold.append(" ".join(reference))
        run.append(" ".join(text[len(text) // 3 :] + text[: len(text) // 3] if number % 5 == 0 else text))
    folder.mkdir()
    (folder / "gold.txt").write_text("".join(f"{line}\n" for line in gold))
    (folder / "run.txt").write_text("".join(f"{line}\n" for line in run))


def _check_scores(costs: dict[str, list[Cost]]) -> None:
    """Both have to give the same numbers."""
    for name in ("bleu", "chrf_pp", "ter"):
        ours, theirs = (json.loads(costs[f"{who}, {name}"][0].output)["scores"] for who in ("evaluate", "sacreBLEU"))
        if abs(ours[0] - theirs[0]) > 1e-9 * max(1, abs(theirs[0])):
            raise SystemExit(f"{name}: {ours[0]} instead of {theirs[0]}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
