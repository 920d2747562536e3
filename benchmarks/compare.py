"""Measures comparisons: many systems at once, and a baseline with ten systems against sacreBLEU's paired bootstrap.

Time and memory of the many are those of processes of their own. The plain test is the single-step maximum
over blocks of pairs; sacreBLEU gets its own n-gram counts, which are our rows.
"""

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import scoring  # noqa: E402
from scoring.significance import Block, points, resampled  # noqa: E402

N_RESAMPLES = 10_000
PAIR_BLOCK = 200
LIMITS = {200: (2, 500), 1000: (60, 800)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, nargs="+", default=[12, 200, 1000])
    parser.add_argument("--alone", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.alone:
        return print_alone(arguments.alone)
    print(f"All pairs, {N_RESAMPLES} resamples\nsystems  seconds   peak MB  limit s  limit MB")
    for n_systems in arguments.systems:
        command = [sys.executable, __file__, "--alone", str(n_systems)]
        sys.stdout.write(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    print_plain(200)
    print_sacrebleu()


def board(n_systems: int) -> tuple[list[str], list[float], np.ndarray]:
    """Systems of falling skill whose scores move together on each resample."""
    rng = np.random.default_rng(n_systems)
    scores = np.sort(rng.normal(0.6, 0.03, n_systems))[::-1]
    draws = rng.normal(0, 0.01, (n_systems, N_RESAMPLES))
    draws += rng.normal(0, 0.02, N_RESAMPLES)
    draws += scores[:, np.newaxis]
    return [f"system {number}" for number in range(n_systems)], scores.tolist(), draws


def print_alone(n_systems: int) -> None:
    names, scores, draws = board(n_systems)
    scoring.compare_draws(names[:2], scores[:2], draws[:2], 300)  # imports what it needs
    began = time.perf_counter()
    scoring.compare_draws(names, scores, draws, 300)
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    limits = "".join(f"{limit:9}" for limit in LIMITS.get(n_systems, ("", "")))
    print(f"{n_systems:7} {seconds:8.2f} {peak:9.0f} {limits}")


def print_plain(n_systems: int) -> None:
    names, scores, draws = board(n_systems)
    ours = [seconds(lambda: scoring.compare_draws(names, scores, draws, 300)) for _ in range(3)]
    plain = [seconds(lambda: single_step(np.array(scores), draws)) for _ in range(3)]
    print(f"\n{n_systems} systems, ours / single step in NumPy: {min(ours) / min(plain):.2f} (at most 1)")


def single_step(scores: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """Adjusted p-values of all pairs from the maximum over all of them, in blocks of pairs."""
    rows, columns = np.triu_indices(len(scores), 1)
    largest, observed = np.zeros(draws.shape[1]), np.empty(len(rows))
    for start in range(0, len(rows), PAIR_BLOCK):
        some = slice(start, start + PAIR_BLOCK)
        moved = draws[rows[some]] - draws[columns[some]]
        difference = scores[rows[some]] - scores[columns[some]]
        se = moved.std(axis=1, ddof=1)
        observed[some] = np.abs(difference) / se
        np.maximum(largest, (np.abs(moved - difference[:, np.newaxis]) / se[:, np.newaxis]).max(axis=0), out=largest)
    return (1 + np.count_nonzero(largest >= observed[:, np.newaxis], axis=1)) / (draws.shape[1] + 1)


def print_sacrebleu(n_systems: int = 10, n_segments: int = 500, n_resamples: int = 1_000) -> None:
    named, references = translations(n_systems + 1, n_segments)
    metric = BLEU()
    test = PairedTest(named, {"BLEU": metric}, [references], test_type="bs", n_samples=n_resamples)
    began = time.perf_counter()
    _, theirs = test()
    their_seconds = time.perf_counter() - began
    counts = {name: np.array(metric._extract_corpus_statistics(lines, [references])) for name, lines in named}
    began = time.perf_counter()
    ours = bleu_against_baseline(counts, n_resamples)
    our_seconds = time.perf_counter() - began
    apart = max(abs(own - result.score) for own, result in zip(ours[0], theirs["BLEU"], strict=True))
    p_apart = max(abs(own - result.p_value) for own, result in zip(ours[1][1:], theirs["BLEU"][1:], strict=True))
    print(f"\nOne baseline and {n_systems} systems, {n_segments} segments, {n_resamples} resamples")
    ratio = our_seconds / their_seconds
    print(f"ours {our_seconds:.3f} s, sacreBLEU {their_seconds:.3f} s, ratio {ratio:.3f} (at most 0.1)")
    print(f"scores differ by at most {apart:.1e}, p-values by its formula by at most {p_apart:.3f}")


def bleu_against_baseline(counts: dict[str, np.ndarray], n_resamples: int) -> tuple[list[float], list[float]]:
    """Scores, and p-values by sacreBLEU's formula on our resamples; then our own comparison."""
    blocks = [Block(rows, bleu) for rows in counts.values()]
    scores = [float(points(block)["bleu"]) for block in blocks]
    draws = np.array([resampled(block, 1, n_resamples)["bleu"][0] for block in blocks])
    scoring.compare_draws(
        list(counts), scores, draws, len(next(iter(counts.values()))), references=[next(iter(counts))]
    )
    moved = np.abs(draws - draws[0])
    reach = np.abs(np.array(scores) - scores[0])
    beyond = (moved - moved.mean(axis=1, keepdims=True)) > reach[:, np.newaxis]
    return scores, ((1 + beyond.sum(axis=1)) / (n_resamples + 1)).tolist()


def bleu(sums: np.ndarray) -> dict[str, np.ndarray]:
    """BLEU (Papineni et al. 2002) from lengths of system and reference, then correct and total n-grams, n = 1 to 4."""
    system, reference = sums[..., 0], sums[..., 1]
    correct, total = sums[..., 2:6], sums[..., 6:10]
    brevity = np.minimum(0, 1 - reference / system)
    return {"bleu": 100 * np.exp(brevity + np.log(correct / total).mean(axis=-1))}


def translations(n_systems: int, n_segments: int) -> tuple[list[tuple[str, list[str]]], list[str]]:
    """Sentences of made-up words, and systems that get more and more of them wrong."""
    rng = np.random.default_rng(5)
    references = [rng.integers(0, 800, rng.integers(8, 30)) for _ in range(n_segments)]

    def spoiled(share: float) -> list[str]:
        lines = []
        for words in references:
            wrong = rng.random(len(words)) < share
            lines.append(" ".join(f"w{word}" for word in np.where(wrong, rng.integers(0, 800, len(words)), words)))
        return lines

    named = [(f"system {number}", spoiled(0.3 + 0.004 * number)) for number in range(n_systems)]
    return named, [" ".join(f"w{word}" for word in words) for words in references]


def seconds(run) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
