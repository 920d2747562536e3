"""The plan of the demo task with numbers."""

from dataclasses import replace

from demo import numbers
from demo.plan import PHASES, DownloadPlan, File, Run, ScenarioPlan, TaskPlan, input_of, runs_of, zip_of

_DESCRIPTION = """\
This task is a **demonstration with synthetic data**. There is no such garden: a program put the notices and what five
judges said of them together, and no team or score is real.

Systems read two short notices and say how alike they are in what they tell, from 0 (about other things) to 5 (the
same). The second notice may use other words, leave something out, name another time or thing, or deny it all.

- **In step**: the correlation with the judges' mean ranks, whatever scale a system uses.
- **How far off**: the root mean squared error ranks, of which less is better: a system has to find the judges' own
  scale, too.

A number is *within tolerance* if it is no farther from the judges' mean than their own standard deviation, or half a
point. Notices, minutes and messages are scored apart as well. Intervals come from resampling the pairs.
"""
_OPTIONS = {"kind": "real", "tolerance": 0.5, "tolerance_column": "spread", "text": "first,second"}


def _gold(phase: str, number: int) -> File:
    return File("gold.csv", numbers.gold(phase).encode())


def _downloads(phase: str) -> list[DownloadPlan]:
    given = input_of(phase, "The pairs of notices.", numbers.inputs(phase))
    if phase == "test":
        return [given]
    return [
        given,
        DownloadPlan(
            f"{phase.capitalize()}: judgements",
            "The judges' mean and spread for every pair. Synthetic.",
            File(f"{phase}-key.zip", zip_of({"gold.csv": numbers.gold(phase)})),
        ),
    ]


def _runs(phase: str) -> list[Run]:
    return runs_of(numbers.systems(phase), "csv")


TASK = TaskPlan(
    slug="numbers-demo",
    title="How alike two notices are",
    summary="Give pairs of notices a number for their likeness. Synthetic data; correlation and error rank.",
    description=_DESCRIPTION,
    scenarios=(
        ScenarioPlan(
            "In step",
            "The correlation with the judges' mean ranks.",
            "numbers",
            {**_OPTIONS, "headline": "pearson", "slices": "kind"},
            ("pearson", "spearman", "ccc", "rmse", "slice_min"),
        ),
        ScenarioPlan(
            "How far off",
            "The same runs by their root mean squared error: less is better.",
            "numbers",
            {**_OPTIONS, "headline": "rmse"},
            ("rmse", "mae", "within", "pearson"),
        ),
    ),
    gold=_gold,
    downloads=_downloads,
    runs=_runs,
    phases=tuple(
        replace(phase, window_limit=phase.window_limit and 6, total_limit=phase.total_limit and 40) for phase in PHASES
    ),
)
