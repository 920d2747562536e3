"""The plan of the demo task with coreference."""

from demo import coreference
from demo.plan import DownloadPlan, File, Run, ScenarioPlan, TaskPlan, input_of, runs_of

_DESCRIPTION = """\
This task is a **demonstration with synthetic data**. Its reports were put together by a program; the town, its court
and its people do not exist, and no team or score is real. Format and measures follow the documentation of the
CoNLL-2012 shared task and its reference scorer.

Systems read short reports of quarrels before a town court and mark who is who: which names, descriptions and pronouns
mean the same person, group or thing. *The baker Hob Marl*, *the accused*, *him* and *Marl* are four mentions of one
entity.

The CoNLL average, the mean of the F1 of MUC, B³ and CEAF over entities, ranks; the intervals come from resampling the
reports. One file can be entered in both scenarios.
"""


def _scenario(name: str, description: str, singletons: str, *shown_scores: str) -> ScenarioPlan:
    return ScenarioPlan(name, description, "coreference", {"format": "conll", "singletons": singletons}, shown_scores)


def _gold(phase: str, number: int) -> File:
    return File("gold.conll", coreference.gold(phase).encode())


def _downloads(phase: str) -> list[DownloadPlan]:
    return [input_of(phase, "The reports in columns, the last one empty.", coreference.inputs(phase))]


def _runs(phase: str) -> list[Run]:
    return runs_of(coreference.systems(phase), "conll")


TASK = TaskPlan(
    slug="coreference-demo",
    title="Who is who before the town court",
    summary="Link names, descriptions and pronouns of people and things. Synthetic data in CoNLL-2012 columns.",
    description=_DESCRIPTION,
    scenarios=(
        _scenario(
            "All entities",
            "People, groups and things, also those that are mentioned once.",
            "keep",
            *("conll_f1", "muc_f1", "b_cubed_f1", "ceaf_e_f1", "mention_f1"),
        ),
        _scenario(
            "Chains",
            "Entities of one mention are dropped on both sides.",
            "remove",
            *("conll_f1", "muc_f1", "b_cubed_f1", "ceaf_e_f1", "lea_f1"),
        ),
    ),
    gold=_gold,
    downloads=_downloads,
    runs=_runs,
)
