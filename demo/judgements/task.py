"""The plan of the demo task whose scores were made elsewhere, by people who read the runs of another one."""

from demo import judgements
from demo.plan import PHASES, DownloadPlan, File, Run, ScenarioPlan, TaskPlan, runs_of

_DESCRIPTION = """\
This task is a **demonstration with synthetic data**. The notices in plain words of [another demo
task](/tasks/text-demo/) were given to two judges, who do not exist either: a program made up their marks, from 0 to 100
for each notice of each run.

Nobody uploads here. The organisers had all marks on one sheet and brought it in, under *Runs* on their desk; each run
is ranked by the mean of its marks. Intervals come from resampling bulletins, since notices of one bulletin, and the two
marks of a notice, are not independent of each other. Compare the order with that by chrF++.
"""


def _gold(phase: str, number: int) -> File:
    return File("units.csv", judgements.gold(phase).encode())


def _downloads(phase: str) -> list[DownloadPlan]:
    sheet = File(f"{phase}-marks.csv", judgements.table(phase).encode())
    return [DownloadPlan("All marks", "The sheet of the two judges. Synthetic.", sheet)]


def _runs(phase: str) -> list[Run]:
    return runs_of(judgements.systems(phase), "csv", are_brought=True)


TASK = TaskPlan(
    slug="judgements-demo",
    title="Plain words, as people judge them",
    summary="Marks of two judges for the notices in plain words, brought in by the organisers. Synthetic data.",
    description=_DESCRIPTION,
    scenarios=(
        ScenarioPlan(
            "Marks",
            "The mean of two marks from 0 to 100 for each notice.",
            "given",
            {"repeated": "mean", "range": "0..100", "group": "document"},
            (),
        ),
    ),
    gold=_gold,
    downloads=_downloads,
    runs=_runs,
    phases=tuple(phase for phase in PHASES if phase.slug == judgements.PHASE),
)
