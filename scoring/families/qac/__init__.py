"""Question answering in the manner of the NTCIR-3 QAC: ranked answers, lists of answers, series of questions."""

from collections.abc import Mapping

from scoring.families.qac.counting import count, scored_questions
from scoring.families.qac.perfect import gold_as_submission
from scoring.families.qac.report import report_file, res_dat_file
from scoring.families.qac.scores import KINDS, SCORE_TITLES, headline, metrics
from scoring.families.qac.tables import tables
from scoring.families.qac.view import unit_record
from scoring.family import Export, Family, Files, Option, Options, choose
from scoring.readers.qac import ENCODINGS, AnswerSet, Run, read_answer_set, read_run

_OPTIONS = (
    Option(
        "task",
        1,
        (1, 2, 3),
        "1: up to five answers in order; 2: a list of all answers; 3: as 2, for the later questions of each series",
    ),
    Option(
        "article",
        "ignore",
        ("ignore", "require"),
        "whether a right answer counts with an article that the gold does not have for it (ignore), or not (require)",
    ),
    Option(
        "unit",
        None,
        ("question", "series"),
        "what intervals and comparisons resample; by default the series in task 3, else the question",
        changes_scores=False,
    ),
    Option("encoding", "utf-8", ENCODINGS, "of the run", changes_scores=False),
    Option("gold_encoding", None, ENCODINGS, "of the gold; by default the same as of the run", changes_scores=False),
    Option(
        "squad",
        "off",
        ("off", "en", "plain"),
        "adds exact match and token F1 of the first answer: en leaves out a, an and the, plain keeps them",
        changes_scores=False,
    ),
)

_LAYOUT = """\
One text file, alone or in a zip archive, with a line for each question: its ID and then its answers in
order, each in double quotes and followed by the article that supports it:
QAC1-1001-01: "Mie", 990101001, "Tsu", 990101002
The ID alone says that there is no answer. Write \\" for a double quote inside an answer and \\\\ for a
backslash. Lines that begin with # and blank lines are skipped.
The gold is another text file, with tabs between ID, number, answer and article; lines with one number
give one answer in several words or from several articles. The ID alone says that there is no answer,
and ID, ? and a text give the question's own words.
"""

_EXAMPLE = """\
# Our first run
QAC1-1001-02: "Mie", 990101001, "Tsu", 990101002
QAC1-1002-02: "the \\"elder\\"", 990807065
QAC1-1003-02
"""


def configure(given: Mapping[str, object]) -> Options:
    """All options; without a value of its own the unit follows from the task, the gold's encoding from the run's."""
    options = choose(_OPTIONS, given)
    following = {"unit": "series" if options["task"] == 3 else "question", "gold_encoding": options["encoding"]}
    return options | {key: value for key, value in following.items() if options[key] is None}


def _unit(options: Options) -> tuple[str, str]:
    return ("series", "series") if options["unit"] == "series" else ("question", "questions")


def _example(options: Options) -> dict[str, bytes]:
    return {"run.txt": _EXAMPLE.encode()}


def _read_gold(files: Files, options: Options) -> AnswerSet:
    gold = read_answer_set(files, options["gold_encoding"])
    scored_questions(gold, options["task"])
    return gold


def _read_system(files: Files, gold: AnswerSet, options: Options) -> Run:
    return read_run(files, options["encoding"])


QAC = Family(
    name="qac",
    title="NTCIR QAC: question answering",
    unit=_unit,
    options=_OPTIONS,
    headline=headline,
    score_titles=SCORE_TITLES,
    main_scores=("answerable_average", "recall", "precision", "f1", "hit_at_1", "hit_at_5"),
    kinds=KINDS,
    layout=_LAYOUT,
    example=_example,
    configure=configure,
    read_gold=_read_gold,
    read_system=_read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    gold_as_submission=gold_as_submission,
    without_interval=("marks", "full_marks"),
    exports=(
        Export("res.dat", "Every answer with its mark, as the original writes it", tells_gold=True, make=res_dat_file),
        Export("report.txt", "The original's report", tells_gold=False, make=report_file),
    ),
    item_tables=("answers",),
    unit_record=unit_record,
)
