"""What people read: the layout of both files, an example of a run, and the titles of the scores."""

from collections.abc import Collection

from scoring.family import Options, Use

USES = (
    Use(
        "ranked-answers",
        "Question answering with ranked answers",
        "Systems answer each question with up to five short texts, the likeliest first.",
        {"task": 1},
    ),
    Use(
        "lists-of-answers",
        "Question answering with lists of answers",
        "Systems answer each question with all right answers and no others.",
        {"task": 2},
    ),
    Use(
        "series-of-questions",
        "Question answering in series",
        "Systems answer questions that follow one another, of which the later ones leave out the topic.",
        {"task": 3},
    ),
)

LAYOUT = """\
One text file, alone or in a zip archive, with a line for each question: its ID and then its answers in
order, each in double quotes and followed by the article that supports it:
QAC1-1001-01: "Mie", 990101001, "Tsu", 990101002
The ID alone says that there is no answer. Write \\" for a double quote inside an answer and \\\\ for a
backslash. Lines that begin with # and blank lines are skipped.
The gold is another text file, with tabs between ID, number, answer and article; lines with one number
give one answer in several words or from several articles. The ID alone says that there is no answer,
and ID, ? and a text give the question's own words.
"""

# For organisers.
GOLD_LAYOUT = """\
One text file with tabs between question, number, answer and article, a line for each wording of an answer:
QAC1-1001-01 1 Mie 990101001
Lines with the same number are one answer in several words, or from several articles.
The ID alone says that a question has no answer. ID, ? and a text give the question's own words.
IDs end in the question's place in its series, -01 for the first one.
"""

SCORE_TITLES = {
    "mrr": "Mean reciprocal rank",
    "average_f1": "Average F1",
    "marks": "Marks",
    "full_marks": "Full marks",
    "recall": "Recall",
    "precision": "Precision",
    "f1": "F1 over all answers",
    "answerable_average": "Average over questions with an answer",
    "hit_at_1": "Correct at rank 1",
    "hit_at_3": "Correct among the first 3",
    "hit_at_5": "Correct among the first 5",
    "exact_match": "Exact match, first answer",
    "token_f1": "Token F1, first answer",
}

_COUNT_TITLES = {
    "questions": "Questions",
    "answers": "Answers in the gold",
    "outputs": "Outputs of the run",
    "correct": "Answers found",
    "unsupported": "Right outputs with another article",
    "unanswerable_questions": "Questions without answer",
    "unanswerable_correct": "… left without output",
    "absent_questions": "Questions not in the run",
    "absent_credited": "… that have no answer",
    "ignored_questions": "Questions of the run not scored",
    "ignored_outputs": "Outputs after the fifth, left out",
}

# The IDs end in -02, so that task 3, which leaves out the opening questions -01, scores them too.
_EXAMPLE = """\
# Our first run
QAC1-1001-02: "Mie", 990101001, "Tsu", 990101002
QAC1-1002-02: "the \\"elder\\"", 990807065
QAC1-1003-02
"""


def unit(options: Options) -> tuple[str, str]:
    """What a row of counts stands for, in singular and plural."""
    return ("series", "series") if options["unit"] == "series" else ("question", "questions")


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Titles of the counts; only where outputs have ranks are any left out."""
    return {name: title for name, title in _COUNT_TITLES.items() if name != "ignored_outputs" or options["task"] == 1}


def example(options: Options) -> dict[str, bytes]:
    """A run that is read without problems; it is ASCII, so that it is right in each of the encodings."""
    return {"run.txt": _EXAMPLE.encode()}
