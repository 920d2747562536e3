"""The plan of the demo task with messages."""

from demo import labels
from demo.labels.messages import INTENTS, SUBJECTS
from demo.plan import DownloadPlan, File, Run, ScenarioPlan, TaskPlan, input_of, runs_of

_DESCRIPTION = """\
This task is a **demonstration with synthetic data**. The messages go to the town hall of a place that does not exist, a
program put them together, and no team or score is real.

Systems read short messages from mail, chat and telephone notes, and say

- **what is wanted**: a question, a report, a complaint, thanks, an order, a change, a cancellation or a suggestion;
- **what it is about**: waste, traffic, water, … A message may be about several of these, or about none.

One table answers both: `id,intent,subjects`. Macro F1 counts, so that rare intents weigh as much as frequent ones; the
first scenario also tells how each channel fares. Intervals come from resampling messages.
"""

_GOLD_NAME = "gold.csv"
_TEXT = {"text": ["text", "channel"]}


def _gold(phase: str, number: int) -> File:
    return File(_GOLD_NAME, labels.gold(phase).encode())


def _downloads(phase: str) -> list[DownloadPlan]:
    given = input_of(phase, "The messages.", labels.inputs(phase))
    if phase == "test":
        return [given]
    key = DownloadPlan(
        f"{phase.capitalize()}: answer key",
        "What all messages want, and what they are about. Synthetic.",
        File(f"{phase}-{_GOLD_NAME}", labels.gold(phase).encode()),
    )
    return [given, key]


def _runs(phase: str) -> list[Run]:
    return runs_of(labels.systems(phase), "csv")


TASK = TaskPlan(
    slug="labels-demo",
    title="Messages to a town hall",
    summary="Say of short messages what they want and what they are about. Synthetic data.",
    description=_DESCRIPTION,
    scenarios=(
        ScenarioPlan(
            "What is wanted",
            "One intent for each message.",
            "labels",
            {"task": "single", "label": "intent", "labels": [*INTENTS], "slices": "channel"} | _TEXT,
            ("macro_f1", "accuracy", "mcc", "slice_min"),
        ),
        ScenarioPlan(
            "What it is about",
            "All subjects of each message, perhaps none.",
            "labels",
            {"task": "multi", "label": "subjects", "labels": [*SUBJECTS]} | _TEXT,
            ("macro_f1", "subset_accuracy", "jaccard", "hamming_loss"),
        ),
    ),
    gold=_gold,
    downloads=_downloads,
    runs=_runs,
)
