"""The plan of the demo task with plain words."""

from demo import text
from demo.plan import DownloadPlan, File, Run, ScenarioPlan, TaskPlan, input_of, runs_of

_DESCRIPTION = """\
This task is a **demonstration with synthetic data**. Its notices come from towns that do not exist, a program filled in
days and places, and no team or score is real.

Systems say notices of town halls in plain words: *The consumption of tap water is not advisable* becomes *Do not drink
tap water*. Each notice has two references. chrF++ ranks, which compares letters and words with the nearer of both;
BLEU and ROUGE stand beside it. Numbers are those of sacreBLEU and rouge-score, and sacreBLEU's own line stands below
the scores of each run.

Intervals come from resampling bulletins of five notices: notices of one bulletin are not independent of each other.
"""

_GOLD_NAME = "references.jsonl"


def _gold(phase: str, number: int) -> File:
    return File(_GOLD_NAME, text.gold(phase).encode())


def _downloads(phase: str) -> list[DownloadPlan]:
    given = input_of(phase, "The notices as the offices wrote them.", text.inputs(phase))
    if phase == "test":
        return [given]
    references = DownloadPlan(
        f"{phase.capitalize()}: references",
        "Each notice in plain words, twice. Synthetic.",
        File(f"{phase}-{_GOLD_NAME}", text.gold(phase).encode()),
    )
    return [given, references]


def _runs(phase: str) -> list[Run]:
    return runs_of(text.systems(phase), "jsonl")


TASK = TaskPlan(
    slug="text-demo",
    title="Notices in plain words",
    summary="Say what the town hall says so that everybody understands it. Synthetic notices.",
    description=_DESCRIPTION,
    scenarios=(
        ScenarioPlan(
            "Plain words",
            "A text for each notice, as long as you like.",
            "text",
            {"metrics": ["bleu", "chrf", "chrf_pp", "rouge"], "headline": "chrf_pp", "unit": "document"},
            ("chrf_pp", "chrf", "bleu", "length_ratio", "rouge_l"),
        ),
    ),
    gold=_gold,
    downloads=_downloads,
    runs=_runs,
)
