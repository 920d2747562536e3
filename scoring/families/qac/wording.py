"""Holds what people read: the layout of both files, an example of a run, and the titles of the scores."""

from collections.abc import Collection

from scoring.families.f_beta import beta_of, describe_beta, f_beta_titles
from scoring.families.qac.scores import MEANS, has_means, hit_ranks
from scoring.family import HiddenMeaning, Options, OptionWords, Use
from scoring.messages import Message

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
    Use(
        "answers-from-passages",
        "Answers from a passage",
        "Systems answer each question about a passage with a piece of it, or say that there is no answer, as in SQuAD.",
        {"format": "squad"},
    ),
    Use(
        "answers-by-patterns",
        "Question answering with patterns as gold",
        "Systems answer each question with ranked texts, which regular expressions recognise, as in TREC.",
        {"format": "trec"},
    ),
    Use(
        "biomedical-answers",
        "Exact answers as in BioASQ",
        "Systems give up to five names in answer to a factoid, or a list of all that are asked for.",
        {"format": "bioasq"},
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

As in TREC: a line for each answer, in order, with question, run, document and answer; NIL for a document says
that there is no answer.
1402 run-A NYT19990326.0303 in 1862

As in SQuAD: a file of JSON with a text for each question, "" where there is no answer. A second one may say for
each question how likely it is that there is none.
{"56f8": "the bay", "56f9": ""}

As in BioASQ: its file of JSON with the exact answers of factoids or lists, the best first.
{"questions": [{"id": "q1", "type": "factoid", "exact_answer": [["CFTR"], ["ABCC7"]]}]}
"""

# For organisers.
# What gold has to hold, by the format of the files.
_GOLD_LAYOUTS = {
    "qac": Message(
        "qac-gold",
        "One text file with tabs between question, number, answer and article, a line for each wording of an answer:\n"
        "QAC1-1001-01\t1\tMie\t990101001\n"
        "Lines with the same number are one answer in several words, or from several articles.\n"
        "The ID alone says that a question has no answer. ID, ? and a text give the question's own words.\n"
        "IDs end in the question's place in its series, -01 for the first one.",
    ),
    "trec": Message(
        "qac-gold-trec",
        "As in TREC: a line for each pattern, with question, regular expression and perhaps, behind a tab, the "
        "documents that support it. NIL in place of a pattern says that there is no answer.\n"
        "1402 (in )?1862",
    ),
    "squad": Message(
        "qac-gold-squad",
        "As in SQuAD: its file of JSON, in which a question without answers has an empty list of them.",
    ),
    "bioasq": Message(
        "qac-gold-bioasq", "As in BioASQ: its file of JSON, in which each answer is a list of its wordings."
    ),
}


def gold_layout(options: Options) -> Message:
    """Return what gold has to hold in the format of the options."""
    return _GOLD_LAYOUTS[options["format"]]


_TITLES = {
    "mrr": "Mean reciprocal rank",
    "average_f1": "Average F1",
    "average_precision": "Average precision by question",
    "average_recall": "Average recall by question",
    "marks": "Marks",
    "full_marks": "Full marks",
    "recall": "Recall",
    "precision": "Precision",
    "f1": "F1 over all answers",
    "answerable_average": "Average over questions with an answer",
    "hit_at_1": "Correct at rank 1",
    "hit_at_3": "Correct among the first 3",
    "hit_at_5": "Correct among the first 5",
    "hit_at_10": "Correct among the first 10",
    "hit_at_20": "Correct among the first 20",
    "exact_match": "Exact match, first answer",
    "token_f1": "Token F1, first answer",
}
_F_BETA = {"fbeta": lambda beta: Message("f-beta-of-answers", "F{beta} over all answers", beta=beta)}
# Whatever the options.
SCORE_TITLES = _TITLES | f_beta_titles(_F_BETA)
_SQUAD_TITLES = Message.words(
    {
        "exact_match": "Exact match",
        "token_f1": "F1",
        "has_answer_exact_match": "Exact match, questions with an answer",
        "has_answer_token_f1": "F1, questions with an answer",
        "no_answer_exact_match": "Questions without an answer, right",
        "best_exact_match": "Exact match at its best threshold",
        "best_exact_match_threshold": "Threshold of the best exact match",
        "best_token_f1": "F1 at its best threshold",
        "best_token_f1_threshold": "Threshold of the best F1",
    }
)

_COUNT_TITLES = Message.words(
    {
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
        "ignored_outputs": "Outputs after the last rank, left out",
    }
)

# What says nothing of one prediction for each question.
_NOT_OF_SQUAD = ("answers", "correct", "unsupported", "ignored_outputs")


def unit(options: Options) -> tuple[str, str]:
    """Return what a row of counts stands for, in singular and plural."""
    return Message.noun("series", "series") if options["unit"] == "series" else Message.noun("question", "questions")


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Name the counts; only where outputs have ranks are any left out."""
    silent = _NOT_OF_SQUAD if options["format"] == "squad" else () if options["task"] == 1 else ("ignored_outputs",)
    return {name: title for name, title in _COUNT_TITLES.items() if name not in silent}


def titles_with(options: Options) -> dict[str, str]:
    """Return the scores of the format and, of ranked outputs, those of ranks that count."""
    if options["format"] == "squad":
        return _SQUAD_TITLES
    beta = beta_of(options)
    titles = _TITLES | (f_beta_titles(_F_BETA, beta) if beta else {})
    hits = {f"hit_at_{k}" for k in hit_ranks(options)}
    left_out = () if has_means(options) else MEANS
    return {
        name: title
        for name, title in titles.items()
        if (not name.startswith("hit_at_") or name in hits) and name not in left_out
    }


OPTION_WORDS: OptionWords = {
    "beta": describe_beta,
    "format": {"trec": "in the files of TREC", "squad": "in the files of SQuAD", "bioasq": "in the files of BioASQ"},
    "task": {"1": "five answers in order", "2": "lists of answers", "3": "lists of answers, in series of questions"},
    "article": {
        "ignore": "a right answer counts with any article",
        "require": "a right answer needs an article that supports it",
    },
    "answers": {
        "patterns": "the gold's answers are regular expressions",
        "patterns_any_case": "the gold's answers are regular expressions, without regard to capitals",
    },
    "unit": {"question": HiddenMeaning("questions"), "series": HiddenMeaning("series of questions")},
    "encoding": {"utf-8": "UTF-8", "euc-jp": "EUC-JP", "shift_jis": "Shift JIS"},
    "gold_encoding": {
        "utf-8": HiddenMeaning("UTF-8"),
        "euc-jp": HiddenMeaning("EUC-JP"),
        "shift_jis": HiddenMeaning("Shift JIS"),
    },
    "squad": {
        "off": HiddenMeaning("without"),
        "en": "with exact match and F1 of the first answer, as in SQuAD",
        "plain": "with exact match and F1 of the first answer",
    },
    "squad_version": {"1.1": "by the rules of SQuAD 1.1", "2.0": "by the rules of SQuAD 2.0"},
}
