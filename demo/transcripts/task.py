"""The plan of the demo task with transcripts."""

from demo import transcripts
from demo.plan import DownloadPlan, File, Run, ScenarioPlan, TaskPlan, input_of, runs_of, zip_of

_DESCRIPTION = """\
This task is a **demonstration with synthetic data**. There are no recordings: a program put calls on the telephone line
of a mountain railway together from templates, another one made the mistakes of the runs, and no team or score is real.

Systems write down what twelve people say on a bad line: reports, questions, warnings, and a little gossip. The share
of wrong words ranks, the **word error rate**, of which less is better: words taken for others, missing and added.
Capitals, punctuation and fillers do not count. Intervals come from resampling the calls.

Some calls are silent: who writes something there adds words.
"""


def _gold(phase: str, number: int) -> File:
    return File("gold.tsv", transcripts.gold(phase).encode())


def _downloads(phase: str) -> list[DownloadPlan]:
    given = input_of(phase, "The calls and who speaks in them; there are no recordings.", transcripts.inputs(phase))
    if phase == "test":
        return [given]
    return [
        given,
        DownloadPlan(
            f"{phase.capitalize()}: what is said",
            "The words of every call. Synthetic.",
            File(f"{phase}-key.zip", zip_of({"gold.tsv": transcripts.gold(phase)})),
        ),
    ]


def _runs(phase: str) -> list[Run]:
    return runs_of(transcripts.systems(phase), "tsv")


TASK = TaskPlan(
    slug="transcripts-demo",
    title="Calls on a railway telephone",
    summary="Write down what is said on a bad line. Synthetic data; the word error rate ranks, less is better.",
    description=_DESCRIPTION,
    scenarios=(
        ScenarioPlan(
            "Calls",
            "All calls, with or without words; the word error rate ranks.",
            "transcripts",
            {
                "case": "lower",
                "punctuation": "remove",
                "keep_marks": "'",
                "map": transcripts.REPLACEMENTS,
                "speaker": "field",
            },
            ("wer", "cer", "ser"),
        ),
    ),
    gold=_gold,
    downloads=_downloads,
    runs=_runs,
)
