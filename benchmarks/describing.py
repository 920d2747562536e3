"""Measures `scoring.describe`, its own reading included, against `scoring.check` of the same files, in turn."""

import argparse
import gc
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import scoring  # noqa: E402
from benchmarks import coreference_data, ehealthkd_data, mat_data, qac_data, spacy_data  # noqa: E402
from benchmarks.processes import Target, status_of  # noqa: E402

MOST = 2.0
# Of a run so small that a fraction of a second is gone before the first file is opened.
REPEATED = 20


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="of each; the median counts")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        made = [make(Path(folder)) for make in (_ehealthkd, _shifted, _usual, _mat, _spacy, _coreference, _qac)]
        return status_of([_target(arguments.runs, *each) for each in made])


def _target(runs: int, title: str, family: str, given: dict[str, Any], repeated: int = 1) -> Target:
    checked, described = [], []
    for _ in range(runs):
        checked.append(_seconds(scoring.check, family, given, repeated))
        described.append(_seconds(scoring.describe, family, given, repeated))
    print(f"  {title:<52} {median(checked):8.3f} CPU s checked {median(described):8.3f} described", flush=True)
    return Target(f"{title}: describe / check, CPU", median(described) / median(checked), "at most", MOST)


def _seconds(action: Callable[..., object], family: str, given: dict[str, Any], repeated: int) -> float:
    gc.collect()
    start = time.process_time()
    for _ in range(repeated):
        action(family, **given)
    return time.process_time() - start


def _ehealthkd(folder: Path) -> tuple[str, str, dict[str, Any]]:
    ehealthkd_data.write_task(folder / "ehealthkd", 50_000)
    return "ehealthkd, 50,000 sentences", "ehealthkd", _sides(folder / "ehealthkd")


def _shifted(folder: Path) -> tuple[str, str, dict[str, Any]]:
    """Every offset is wrong, so that all ways of counting are tried."""
    ehealthkd_data.write_task(folder / "shifted", 50_000)
    sides = _sides(folder / "shifted")
    path = sides["system"] / "scenario1-main" / "output_a_scenario1.txt"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    # The last phrases would lie behind the text.
    moved = ("\t".join([row[0], _later(row[1]), *row[2:]]) for row in rows[: len(rows) * 9 // 10])
    path.write_text("\n".join(moved), encoding="utf-8")
    path.with_name("output_b_scenario1.txt").write_text("")
    return "ehealthkd, 50,000 sentences, all offsets wrong", "ehealthkd", sides


def _later(spans: str) -> str:
    return ";".join(
        " ".join(str(int(place) + 2 * k + 9) for k, place in enumerate(s.split())) for s in spans.split(";")
    )


def _usual(folder: Path) -> tuple[str, str, dict[str, Any], int]:
    ehealthkd_data.write_task(folder / "usual", 300)
    return "ehealthkd, 300 sentences", "ehealthkd", _sides(folder / "usual"), REPEATED


def _sides(folder: Path) -> dict[str, Any]:
    return {"gold": folder / "gold", "system": folder / "submits" / "team" / "run"}


def _mat(folder: Path) -> tuple[str, str, dict[str, Any]]:
    mat_data.write_documents(folder / "mat", 500, seed=12)
    sides = {"gold": folder / "mat" / "gold", "system": folder / "mat" / "system"}
    return "mat, 500 documents", "mat", sides | {"options": {"content_annotations": ",".join(mat_data.LABELS)}}


def _spacy(folder: Path) -> tuple[str, str, dict[str, Any]]:
    gold, system = spacy_data.write_sides(folder / "spacy", 10_000)
    return "spacy, 10,000 sentences, all layers", "spacy", {"gold": gold, "system": system}


def _coreference(folder: Path) -> tuple[str, str, dict[str, Any]]:
    gold, system = coreference_data.write_set(folder / "coreference", 350, 1_000)
    return "coreference, 350 documents of 1,000 mentions", "coreference", {"gold": Path(gold), "system": Path(system)}


def _qac(folder: Path) -> tuple[str, str, dict[str, Any]]:
    qac_data.write_task(folder / "qac", 50_000)
    return "qac, 50,000 questions", "qac", {"gold": folder / "qac" / "gold.tsv", "system": folder / "qac" / "run.txt"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
