"""The plan of the demo task with spans."""

from demo import mat
from demo.plan import DownloadPlan, File, Run, ScenarioPlan, TaskPlan, input_of, runs_of, zip_of

_DESCRIPTION = """\
This task is a **demonstration with synthetic data**. Its bulletins were put together by a program; the coast, its
harbours, ships and people do not exist, and no team or score is real. Format and measures follow the documentation of
the scoring engine of MAT, the MITRE Annotation Toolkit.

Systems read short English bulletins of a harbour office and mark

- **names** of five kinds: *PERSON*, *ORGANISATION*, *PLACE*, *VESSEL* and *DATE*. A name may stand inside another
  one, as does the place in the *Port of Quenby Authority*;
- what happened (*EVENT*) and why (*CAUSE*): clauses that hold names, and that may cross each other.

A span counts if its tag and both its ends are right. F1 over all tags ranks; the intervals come from resampling the
bulletins. The same archive can be entered in both scenarios.
"""


def _scenario(number: int, name: str, description: str, *shown_scores: str) -> ScenarioPlan:
    options = {"content_annotations": ",".join(mat.TAGS[number]), "pairing": "1.2"}
    return ScenarioPlan(name, description, "mat", options, shown_scores)


def _gold(phase: str, number: int) -> File:
    return File("gold.zip", zip_of(mat.gold(phase, number)))


def _downloads(phase: str) -> list[DownloadPlan]:
    return [input_of(phase, "The bulletins with their words, without annotation.", mat.inputs(phase))]


def _runs(phase: str) -> list[Run]:
    return runs_of(mat.systems(phase))


TASK = TaskPlan(
    slug="mat-demo",
    title="Names, events and causes in harbour bulletins",
    summary="Mark nested and crossing spans of seven kinds. Synthetic data in the JSON of MAT.",
    description=_DESCRIPTION,
    scenarios=(
        _scenario(
            1,
            "All tags",
            "Names, events and causes.",
            *("f1", "precision", "recall", "macro_f1", "token_f1", "partial_f1"),
        ),
        _scenario(
            2,
            "Names",
            "The five kinds of names; spans of other tags are ignored.",
            *("f1", "precision", "recall", "macro_f1", "token_f1"),
        ),
    ),
    gold=_gold,
    downloads=_downloads,
    runs=_runs,
)
