"""Measures the evaluation of rankings against pytrec-eval with its own readers, as whole processes."""

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

CUTOFFS = "1,5,10,20,100,1000"
PEER = f"""
import json, sys, pytrec_eval
folder = sys.argv[1]
with open(folder + "/qrels.txt") as file:
    gold = pytrec_eval.parse_qrel(file)
with open(folder + "/run.txt") as file:
    run = pytrec_eval.parse_run(file)
by_cutoff = [name + ".{CUTOFFS}" for name in ("ndcg_cut", "map_cut", "P", "recall", "success")]
evaluator = pytrec_eval.RelevanceEvaluator(gold, {{"ndcg", "map", "recip_rank", "bpref", "Rprec", *by_cutoff}})
found = list(evaluator.evaluate(run).values())
means = {{name: sum(values[name] for values in found) / len(found) for name in found[0]}}
print(json.dumps([means[name] for name in ("ndcg_cut_10", "map", "recip_rank", "P_10", "recall_100", "bpref")]))
"""
OURS = """
import json, sys, scoring
folder, n_resamples = sys.argv[1:]
result = scoring.evaluate(
    "ranking", gold=folder + "/qrels.txt", system=folder + "/run.txt", n_resamples=int(n_resamples)
)
print(json.dumps([result.scores[name] for name in ("ndcg_10", "map", "mrr", "p_10", "r_100", "bpref")]))
"""
DOCUMENTS, JUDGED = 1_000, 100


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=1_000, help="of the large set; others have half and four times")
    parser.add_argument("--runs", type=int, default=5, help="of each process; the least counts")
    arguments = parser.parse_args(argv)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as name:
        folders = {factor: Path(name, str(factor)) for factor in (0.5, 1, 4)}
        for factor, folder in folders.items():
            write_task(folder, round(arguments.queries * factor))
        large = str(folders[1])
        print(f"{arguments.queries:,} queries, {DOCUMENTS:,} documents and {JUDGED} judgements each")
        programs = {
            "pytrec-eval": ("-c", PEER, large),
            "evaluate": ("-c", OURS, large, "0"),
            "evaluate, half of the queries": ("-c", OURS, str(folders[0.5]), "0"),
            "evaluate, four times the queries": ("-c", OURS, str(folders[4]), "0"),
            "evaluate, 10,000 resamples": ("-c", OURS, large, "10000"),
        }
        peer, ours, half, four, resampled = measure(programs, arguments.runs)
        bytes_of = {factor: _mebibytes(folder) for factor, folder in folders.items()}
    if any(abs(a - b) > 1e-9 for a, b in zip(_printed(peer[0]), _printed(ours[0]), strict=True)):
        raise SystemExit("pytrec-eval and evaluate give different scores")
    beyond = {1: _memory(ours) - bytes_of[1], 4: _memory(four) - bytes_of[4]}
    return status_of(
        [
            Target("evaluate / pytrec-eval, CPU", _seconds(ours) / _seconds(peer), "at most", 1.0),
            Target("evaluate / pytrec-eval, memory", _memory(ours) / _memory(peer), "at most", 0.7),
            Target("memory beyond the files, MiB", beyond[1], "at most", 90),
            Target("the same, four times the queries, MiB", beyond[4], "at most", 90),
            Target("twice the queries, growth of CPU", _seconds(ours) / _seconds(half), "at most", 2.2),
            Target("10,000 resamples of all scores, CPU seconds", _seconds(resampled) - _seconds(ours), "at most", 1.0),
        ]
    )


def write_task(folder: Path, n_queries: int) -> None:
    """Judgements and a run by rank, with names of eight digits and scores of six decimals."""
    folder.mkdir()
    chance = random.Random(n_queries)
    with open(folder / "run.txt", "w") as run, open(folder / "qrels.txt", "w") as gold:
        for query in range(1, n_queries + 1):
            documents = chance.sample(range(10**7, 10**8), DOCUMENTS)
            scores = sorted((chance.gauss(10, 4) for _ in documents), reverse=True)
            pairs = enumerate(zip(documents, scores, strict=True), start=1)
            run.writelines(f"{query} Q0 {name} {rank} {score:.6f} system\n" for rank, (name, score) in pairs)
            others = chance.sample(range(10**7), JUDGED // 2)
            judged = [*chance.sample(documents, JUDGED - len(others)), *others]
            gold.writelines(f"{query} 0 {name:08} {chance.choice((0, 0, 0, 1, 1, 2, 3))}\n" for name in judged)


def _mebibytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.iterdir()) / 2**20


def _seconds(costs: Iterable[Cost]) -> float:
    """The least of the runs: what else goes on in the machine only adds."""
    return min(cost.seconds for cost in costs)


def _memory(costs: Iterable[Cost]) -> float:
    return min(cost.mebibytes for cost in costs)


def _printed(cost: Cost) -> list[float]:
    return json.loads(cost.output)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
