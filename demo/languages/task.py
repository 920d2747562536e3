"""The plan of the demo task in three languages, whose mean is the score of the phase."""

from demo import languages
from demo.languages.opinions import LABELS, LANGUAGES
from demo.plan import DownloadPlan, File, Run, ScenarioPlan, TaskPlan, input_of, runs_of, zip_of

_DESCRIPTION = """\
This task is a **demonstration with synthetic data**. Guests of a walking tour that does not exist say what they think
of it, a program put their opinions together, and no team or score is real.

Systems say of each opinion whether it is **positive**, **negative** or **mixed**, in three languages. One archive holds
the tables of all of them, with a folder for each language; what is left out is not scored.

Each language has a board of its own, ranked by macro F1. The mean of the three ranks the phase: [all languages side by
side](/tasks/languages-demo/test/board/) have it with its interval, and who lacks a language stands there without a
place.
"""

_GOLD_NAME = "gold.zip"


def _gold(phase: str, number: int) -> File:
    return File(_GOLD_NAME, zip_of(languages.gold(phase)))


def _downloads(phase: str) -> list[DownloadPlan]:
    given = input_of(phase, "The opinions of all languages.", languages.inputs(phase))
    if phase == "test":
        return [given]
    key = DownloadPlan(f"{phase.capitalize()}: answer key", "The labels of all opinions. Synthetic.", _gold(phase, 1))
    return [given, key]


def _runs(phase: str) -> list[Run]:
    return runs_of(languages.systems(phase))


TASK = TaskPlan(
    slug="languages-demo",
    title="Opinions in three languages",
    summary="Say whether guests liked a tour, in English, German and Spanish at once. Synthetic data.",
    description=_DESCRIPTION,
    scenarios=tuple(
        ScenarioPlan(
            name,
            f"Opinions in {name}.",
            "labels",
            {"labels": [*LABELS], "text": ["text"], "folder": language},
            ("macro_f1", "accuracy", "balanced_accuracy"),
        )
        for language, name in LANGUAGES.items()
    ),
    gold=_gold,
    downloads=_downloads,
    runs=_runs,
    combined="mean(*.macro_f1)",
)
