"""The plan of the demo task in the eHealth-KD format."""

from demo import ehealthkd
from demo.plan import DownloadPlan, File, Run, ScenarioPlan, TaskPlan, input_of, runs_of, zip_of

_DESCRIPTION = """\
This task is a **demonstration with synthetic data**. Its sentences were put together by a program from templates in the
manner of a health encyclopedia; they are no medical advice, and no team or score is real. The format and the measures
are those of the eHealth Knowledge Discovery challenge of IberLEF 2019.

Systems read Spanish sentences about health and find

- **key phrases** (subtask A) of four kinds: *Concept*, *Action*, *Predicate* and *Reference*;
- **relations** between them (subtask B) of thirteen kinds, such as *is-a*, *causes*, *subject* and *target*.

A phrase that overlaps a gold phrase without matching it exactly earns half a point. Sentences without gold phrases are
not scored. F1 ranks; the intervals come from resampling the sentences.
"""


def _scenario(number: int, name: str, description: str, *shown_scores: str) -> ScenarioPlan:
    return ScenarioPlan(name, description, "ehealthkd", {"scenario": str(number)}, shown_scores)


def _gold(phase: str, number: int) -> File:
    return File("gold.zip", zip_of(ehealthkd.gold(phase)))


def _downloads(phase: str) -> list[DownloadPlan]:
    return [
        input_of(phase, "The sentences of all scenarios, and for scenario 3 the key phrases.", ehealthkd.inputs(phase))
    ]


def _runs(phase: str) -> list[Run]:
    """The baseline first."""
    return runs_of(sorted(ehealthkd.systems(phase), key=lambda system: not system.reference))


TASK = TaskPlan(
    slug="ehealthkd-demo",
    title="Knowledge discovery in Spanish health texts",
    data_language="es",
    summary="Find key phrases and the relations between them. Synthetic data in the format of eHealth-KD 2019.",
    description=_DESCRIPTION,
    scenarios=(
        _scenario(
            1,
            "Phrases and relations",
            "Both subtasks in sequence, from the sentences alone.",
            *("f1", "precision", "recall", "f1_a", "f1_b"),
        ),
        _scenario(2, "Key phrases", "Subtask A alone.", "f1", "precision", "recall"),
        _scenario(
            3,
            "Relations",
            "Subtask B alone: the gold key phrases are given.",
            *("f1", "precision", "recall"),
        ),
    ),
    gold=_gold,
    downloads=_downloads,
    runs=_runs,
)
