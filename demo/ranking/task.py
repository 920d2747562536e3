"""The plan of the demo task with searches."""

from demo import ranking
from demo.plan import DownloadPlan, File, Run, ScenarioPlan, TaskPlan, input_of, runs_of

_DESCRIPTION = """\
This task is a **demonstration with synthetic data**. Its articles describe a country that does not exist, a program put
them and the topics together, and no team or score is real. Formats and measures are those of TREC.

Systems search a small encyclopaedia: for each topic, such as *People around Maravel*, they rank its articles, the most
helpful first. What was looked for has grade 3, most of it 2, a mention 1. nDCG@10 counts; topics that a run lacks
count 0. Articles that no assessor has read count as not relevant; *Judged@10* is the share that was read of the first
ten.

Intervals come from resampling topics.
"""

_GOLD_NAME = "qrels.txt"


def _gold(phase: str, number: int) -> File:
    return File(_GOLD_NAME, ranking.gold(phase).encode())


def _downloads(phase: str) -> list[DownloadPlan]:
    return [input_of(phase, "The articles and the topics.", ranking.inputs(phase))]


def _runs(phase: str) -> list[Run]:
    return runs_of(ranking.systems(phase), "txt")


TASK = TaskPlan(
    slug="ranking-demo",
    title="Search in an encyclopaedia",
    summary="Rank the articles that help with a topic. Synthetic data in TREC's formats.",
    description=_DESCRIPTION,
    scenarios=(
        ScenarioPlan(
            "Ranked articles",
            "At most fifty articles for each topic, the most helpful first.",
            "ranking",
            {"cutoffs": "1,5,10,20,50", "relevance": 2, "depth": 50},
            ("ndcg_10", "map", "mrr", "p_5", "r_20", "judged_10"),
        ),
    ),
    gold=_gold,
    downloads=_downloads,
    runs=_runs,
)
