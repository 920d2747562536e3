"""The plan of the demo task with questions."""

from dataclasses import replace

from demo import qac
from demo.plan import PHASES, DownloadPlan, File, Run, ScenarioPlan, TaskPlan, input_of, runs_of, zip_of

_DESCRIPTION = """\
This task is a **demonstration with synthetic data**. Its articles describe a country that does not exist, a program put
them and the questions together, and no team or score is real. Format and measures follow the documentation of the
Question Answering Challenge (QAC) of NTCIR-3.

Systems read a small encyclopaedia and answer questions with short strings, each with the article that says so:

- **up to five answers**, the likeliest first; the mean reciprocal rank of the first right one counts;
- **all answers and no other**; the mean of the questions' F1 counts;
- **series**, whose later questions leave out the topic: *When was it opened?* Only these are scored.

Some questions have no answer, and a run earns their point by giving none. Intervals come from resampling questions, in
the third scenario whole series.
"""

_GOLD_NAMES = {1: "gold-tasks-1-2.tsv", 2: "gold-tasks-1-2.tsv", 3: "gold-task-3.tsv"}


def _scenario(number: int, name: str, description: str, *shown_scores: str) -> ScenarioPlan:
    return ScenarioPlan(name, description, "qac", {"task": number, "article": "ignore"}, shown_scores)


def _gold(phase: str, number: int) -> File:
    return File(_GOLD_NAMES[number], qac.gold(phase, number).encode())


def _downloads(phase: str) -> list[DownloadPlan]:
    given = input_of(phase, "The articles and the questions of all three scenarios.", qac.inputs(phase))
    if phase == "test":
        return [given]
    key = {_GOLD_NAMES[number]: qac.gold(phase, number) for number in qac.TASKS}
    return [
        given,
        DownloadPlan(
            f"{phase.capitalize()}: answer key",
            "All answers in all wordings, with every article that supports them. Synthetic.",
            File(f"{phase}-key.zip", zip_of(key)),
        ),
    ]


def _runs(phase: str) -> list[Run]:
    return runs_of(qac.systems(phase), "txt")


TASK = TaskPlan(
    slug="qac-demo",
    title="Questions to an encyclopaedia",
    summary="Answer short questions with the article that says so. Synthetic data in the format of NTCIR QAC.",
    description=_DESCRIPTION,
    scenarios=(
        _scenario(
            1,
            "Five ranked answers",
            "Up to five answers to each question; upload a file for this scenario alone.",
            *("mrr", "answerable_average", "hit_at_1", "hit_at_5"),
        ),
        _scenario(
            2,
            "Lists",
            "The same questions, answered with all answers and no other; upload a file for this scenario alone.",
            *("average_f1", "answerable_average", "recall", "precision"),
        ),
        _scenario(
            3,
            "Series",
            "Questions that follow one another; upload a file for this scenario alone.",
            *("average_f1", "answerable_average", "recall", "precision"),
        ),
    ),
    gold=_gold,
    downloads=_downloads,
    runs=_runs,
    # A team needs three uploads to enter all scenarios.
    phases=tuple(
        replace(phase, window_limit=phase.window_limit and 9, total_limit=phase.total_limit and 60) for phase in PHASES
    ),
)
