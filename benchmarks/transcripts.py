"""Measures the evaluation of transcripts against jiwer, with resamples, twice the utterances, and one very long one."""

import argparse
import json
import os
import random
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.processes import Cost, Target, measure, status_of  # noqa: E402

# All print the CPU seconds of their work alone, without Python's start and the imports; the files are read before.
EVALUATE = """
import json, sys, time, rapidfuzz.distance, scoring
from scoring.readers.archive import Made
folder, n_resamples = sys.argv[1:]
files = [Made({name: open(f"{folder}/{name}", "rb").read()}) for name in ("ref.txt", "hyp.txt")]
scoring.FAMILIES["transcripts"]
began = time.process_time()
result = scoring.evaluate("transcripts", gold=files[0], system=files[1], n_resamples=int(n_resamples))
result.tables
took = time.process_time() - began
print(json.dumps({"seconds": took, "scores": [result.scores["wer"], result.scores["cer"]]}))
"""
JIWER = """
import json, sys, time, jiwer
sides = [open(f"{sys.argv[1]}/{name}", encoding="utf-8").read().splitlines() for name in ("ref.txt", "hyp.txt")]
began = time.process_time()
words, characters = jiwer.process_words(*sides), jiwer.process_characters(*sides)
took = time.process_time() - began
print(json.dumps({"seconds": took, "scores": [words.wer, characters.cer]}))
"""
# Words against other words, by the alignment that the family uses.
ALIGN = """
import json, random, time, rapidfuzz.distance
from scoring.families.transcripts.aligning import align_words
rng = random.Random(7)
said, heard = ([str(rng.randrange(8_000)) for _ in range(20_000)] for _ in range(2))
began = time.process_time()
align_words([said], [heard])
print(json.dumps({"seconds": time.process_time() - began}))
"""


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--utterances", type=int, default=10_000, help="of the small set; the large one has twice as many"
    )
    parser.add_argument("--runs", type=int, default=5, help="of each process; the least counts")
    arguments = parser.parse_args(argv)
    # As in the worker: one process, one core. Threads that wait for a busy core count as CPU time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as name:
        small, large = Path(name, "small"), Path(name, "large")
        write_task(small, arguments.utterances)
        write_task(large, 2 * arguments.utterances)
        print(f"{arguments.utterances:,} utterances of 3 to 35 words")
        programs = {
            "jiwer, words and characters": ("-c", JIWER, str(small)),
            "evaluate": ("-c", EVALUATE, str(small), "0"),
            "evaluate, 10,000 resamples": ("-c", EVALUATE, str(small), "10000"),
            "evaluate, twice the utterances": ("-c", EVALUATE, str(large), "0"),
            "one utterance of 20,000 words": ("-c", ALIGN),
        }
        jiwer, evaluate, resampled, double, long = measure(programs, arguments.runs)
    if _printed(jiwer[0])["scores"] != _printed(evaluate[0])["scores"]:
        raise SystemExit("jiwer and the engine give different rates")
    return status_of(
        [
            Target("evaluate / jiwer, CPU of the work", _work(evaluate) / _work(jiwer), "at most", 0.4),
            Target("10,000 resamples, seconds more", _work(resampled) - _work(evaluate), "at most", 1.5),
            Target("twice the utterances, growth of CPU", _work(double) / _work(evaluate), "at most", 2.2),
            Target("one utterance of 20,000 words, seconds", _work(long), "at most", 1),
            Target("… and memory of the process, MiB", max(cost.mebibytes for cost in long), "at most", 200),
        ]
    )


def write_task(folder: Path, n_utterances: int) -> None:
    """References, and a run in which 12 % of the words are changed and every fifth utterance is turned."""
    rng = random.Random(11)
    words = ["".join(rng.choices("abcdefghijklmnoprstu", k=rng.randint(2, 9))) for _ in range(8_000)]
    said = [rng.choices(words, k=rng.randint(3, 35)) for _ in range(n_utterances)]
    heard = [[other for word in own for other in _heard(word, words, rng)] for own in said]
    heard = [own[1:] + own[:1] if number % 5 == 0 else own for number, own in enumerate(heard)]
    folder.mkdir()
    for name, side in (("ref.txt", said), ("hyp.txt", heard)):
        (folder / name).write_text("".join(" ".join(own) + "\n" for own in side), encoding="utf-8")


def _heard(word: str, words: Sequence[str], rng: random.Random) -> list[str]:
    if rng.random() > 0.12:
        return [word]
    return [[rng.choice(words)], [], [word, rng.choice(words)]][rng.randrange(3)]


def _work(costs: Iterable[Cost]) -> float:
    """The least of the runs: what else goes on in the machine only adds."""
    return min(float(_printed(cost)["seconds"]) for cost in costs)


def _printed(cost: Cost) -> dict[str, float]:
    return json.loads(cost.output)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
