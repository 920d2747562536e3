"""A row of points and counts for each question, or for each series of questions.

How judging works
-----------------
A gold line is a question, a number, a string and an article. Lines of one question with the same number are one
*answer* in several words or from several articles. An *output* is a string of the run with its article.

Outputs are judged by rank, in task 1 only the first `ranks` of them. An output's *candidates* are the numbers that have
its string. Without a candidate it is wrong. Otherwise it meets one candidate, and claims it for its question:

1. one that no earlier output has claimed, rather than a claimed one;
2. then one for which the gold has the output's article with this string;
3. then the one with the lowest number.

It is *correct* if its article fits, or in any case with `article=ignore`. Then A is the number of the question's
answers, O that of its outputs, and C that of the different answers that correct outputs have met. The points are

    task 1          1 / rank of the first correct output, or 0
    tasks 2 and 3   F = 2 C / (A + O)
    all tasks       1 if A = O = 0: the question has no answer, and the run gives none

One worked example, with `article=ignore`:

    gold            1 Tsu 101           1 Tsu City 102           2 Ise 103           2 Tsu 104
    output 1        Nara 101       no candidate: wrong, though the article is known
    output 2        Tsu 104        candidates 1 and 2, both free; the article fits 2: meets 2
    output 3        Tsu 104        1 is free, 2 is claimed: meets 1, its article does not fit (unsupported)
    output 4        Ise 103        only candidate 2, claimed but the only one: meets 2 again

A = 2, O = 4 and C = 2: 1/2 point in task 1, and 2 · 2 / (2 + 4) = 2/3 in task 2. With `article=require`, output 3 is
not correct and C = 1.

`judging.py` does this for all questions at once. The same in plain Python: tests/scoring/plain/qac.py.
"""

from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags, Floats, Integers, owners, ranges, ranks, starts_run
from scoring.families.qac.judging import Outputs, Verdicts, judge
from scoring.families.qac.likelihoods import best_thresholds
from scoring.families.qac.options import RANKS
from scoring.families.qac.patterns import expanded
from scoring.families.qac.scores import HIT_RANKS
from scoring.families.squad import first_answer_scores, script_scores
from scoring.family import Counted, Options, Weighted
from scoring.messages import Message
from scoring.prf import ratio
from scoring.readers.qac import NIL, NONE, AnswerSet, Pairing, Run, pair

_NO_RANK = 0
_IDS_NAMED = 100


@dataclass(frozen=True)
class Matches:
    """Everything that the tables are made from: q scored questions, in code-point order of their IDs, and o outputs."""

    gold: AnswerSet
    run: Run
    ids: list[str]  # (q,) IDs of the scored questions
    series: list[str]  # (q,) what each belongs to
    outputs: Outputs  # (o,) the outputs that count
    verdicts: Verdicts  # (o,)
    correct: Flags  # (o,) right string, and an article as the options ask for
    in_run: Flags  # (q,) whether the run has the question
    n_answers: Integers  # (q,) A: different numbers of the gold
    n_outputs: Integers  # (q,) O: outputs that count, at most five in task 1
    n_ignored: Integers  # (q,) outputs behind the fifth in task 1; 0 in the other tasks
    n_correct: Integers  # (q,) C: different numbers that correct outputs have met
    n_unsupported: Integers  # (q,) outputs with a right string and an article that does not fit, whether correct or not
    first_correct: Integers  # (q,) rank of the first correct output, from 1; 0 if none is correct
    f1: Floats  # (q,) points of tasks 2 and 3, whatever the task is
    points: Floats  # (q,) points of the task, from 0 to 1
    first_answers: Floats  # (q, 2) exact match and token F1 of the first output; 0 without `squad`

    @property
    def is_unanswerable(self) -> Flags:
        """Return whether the gold says that there is no answer: (q,)."""
        return np.asarray(self.n_answers == 0)

    @property
    def agrees_on_none(self) -> Flags:
        """Return whether there is no answer, and the run gives none: (q,).

        φ on both sides earns a point.
        """
        return np.asarray(self.is_unanswerable & (self.n_outputs == 0))


def count(gold: AnswerSet, run: Run, options: Options) -> Counted:
    """Judge every scored question; a row for each, or for each series of them."""
    pairing = pair(gold, run, options["task"])
    series = [gold.series[gold.index_of[question]] for question in pairing.ids]
    weighted = None
    if options["format"] == "squad":
        matches, weighted = _predicted(gold, run, pairing, series, options)
    else:
        matches = _matches(gold, run, pairing, series, options)
    units, rows = matches.ids, _rows(matches)
    if options["unit"] == "series":
        units, rows = _by_series(series, rows)
    return Counted(
        units=units,
        rows=rows,
        totals=_totals(matches, len(pairing.unknown)),
        warnings=_warnings(matches, pairing.unknown, options),
        matches=matches,
        weighted=weighted,
    )


def _matches(gold: AnswerSet, run: Run, pairing: Pairing, series: list[str], options: Options) -> Matches:
    is_ranked = options["task"] == 1
    n_questions = len(pairing.ids)
    # (questions of the run + 1,): a question that the run lacks, with the index NONE = -1, takes the 0 at the end. It
    # counts as one without outputs.
    n_given = np.append(np.diff(run.starts), 0)[pairing.in_run]
    # What comes behind the last rank is cut before judging, so it can neither earn nor claim anything.
    n_outputs = np.minimum(n_given, options["ranks"] or RANKS) if is_ranked else n_given
    outputs = Outputs(owners(n_outputs), ranks(n_outputs) + 1, ranges(run.starts[pairing.in_run], n_outputs))
    wordings = gold if options["answers"] is None else expanded(gold, run, pairing, outputs, options)
    verdicts = judge(wordings, run, pairing, outputs)
    correct = verdicts.is_right & (verdicts.article_ok | (options["article"] == "ignore"))

    question = pairing.of_gold[gold.question]  # (lines of the gold,): index of a scored question, or NONE
    is_scored = question != NONE
    n_answers = _n_distinct(question[is_scored], gold.numbers[is_scored], n_questions)
    n_correct = _n_distinct(outputs.question[correct], verdicts.number[correct], n_questions)
    if options["format"] == "trec":
        # Among others NIL is an output, right where there is no answer; it meets none, and so has no part in C.
        says_none = np.array([run.articles[index] == NIL for index in outputs.index.tolist()], dtype=bool)
        correct |= says_none & (n_answers == 0)[outputs.question]
    first_correct = _first_ranks(outputs, correct, n_questions)
    is_unsupported = verdicts.is_right & ~verdicts.article_ok
    f1, reciprocal = _points(n_answers, n_outputs, n_correct, first_correct)
    return Matches(
        gold=gold,
        run=run,
        ids=pairing.ids,
        series=series,
        outputs=outputs,
        verdicts=verdicts,
        correct=correct,
        in_run=pairing.in_run != NONE,
        n_answers=n_answers,
        n_outputs=n_outputs,
        n_ignored=n_given - n_outputs,
        n_correct=n_correct,
        n_unsupported=np.bincount(outputs.question[is_unsupported], minlength=n_questions),
        first_correct=first_correct,
        f1=f1,
        points=reciprocal if is_ranked else f1,
        first_answers=_first_answers(gold, run, pairing, outputs, options["squad"]),
    )


def _predicted(
    gold: AnswerSet, run: Run, pairing: Pairing, series: list[str], options: Options
) -> tuple[Matches, Weighted | None]:
    """Score a prediction for each question, as SQuAD's script does, and its best thresholds if there are likelihoods.

    Right is what matches exactly; the points are token F1.
    """
    answers = [gold.answers_of(question) for question in pairing.ids]
    predictions = [_prediction(run, index) for index in pairing.in_run.tolist()]
    english = options["squad"] == "en"
    raw = np.array(script_scores(answers, predictions, english=english, version=options["squad_version"]))
    has_answer = np.array([bool(of_question) for of_question in answers])
    is_said = np.array([bool(prediction) for prediction in predictions])
    scores, weighted = raw, None
    if run.no_answer is not None:
        likely = np.array([run.no_answer.get(question, 0.0) for question in pairing.ids])
        is_none = likely > options["na_threshold"]
        scores = np.where(is_none[:, None], ~has_answer[:, None], raw)
        place = {unit: number for number, unit in enumerate(dict.fromkeys(series))}
        unit = [place[prediction] for prediction in series] if options["unit"] == "series" else range(len(series))
        weighted = best_thresholds(run.no_answer, pairing.ids, raw, has_answer, is_said, np.array(unit))
        is_said = is_said & ~is_none
    n_outputs = is_said.astype(np.int64)
    outputs = Outputs(np.flatnonzero(is_said), n_outputs[is_said], run.starts[pairing.in_run][is_said])
    correct = scores[is_said, 0] == 1
    n_correct = (is_said & has_answer & (scores[:, 0] == 1)).astype(np.int64)
    return Matches(
        gold=gold,
        run=run,
        ids=pairing.ids,
        series=series,
        outputs=outputs,
        verdicts=Verdicts(np.where(correct & has_answer[is_said], 1, NONE), correct),
        correct=correct,
        in_run=pairing.in_run != NONE,
        n_answers=has_answer.astype(np.int64),
        n_outputs=n_outputs,
        n_ignored=np.zeros(len(series), dtype=np.int64),
        n_correct=n_correct,
        n_unsupported=np.zeros(len(series), dtype=np.int64),
        first_correct=np.where(is_said & (scores[:, 0] == 1), 1, _NO_RANK),
        f1=scores[:, 1],
        points=scores[:, 1],
        first_answers=scores,
    ), weighted


def _prediction(run: Run, index: int) -> str | None:
    """Return the only output of a question of the run, empty if it has none; None where the run lacks the question."""
    if index == NONE:
        return None
    start, end = run.starts[index : index + 2].tolist()
    return run.answers[start] if end > start else ""


def _n_distinct(question: Integers, number: Integers, n_questions: int) -> Integers:
    """Return how many different numbers (n,) stand beside each question (n,): (questions,).

    >>> _n_distinct(np.array([2, 0, 2, 2]), np.array([7, 5, 8, 7]), n_questions=3)
    array([1, 0, 2])
    """
    order = np.lexsort((number, question))
    is_new = starts_run(question[order], number[order])
    return np.bincount(question[order][is_new], minlength=n_questions)


def _first_ranks(outputs: Outputs, correct: Flags, n_questions: int) -> Integers:
    """Return the rank of each question's first correct output, _NO_RANK without one: (questions,).

    >>> outputs = Outputs(np.array([0, 1, 1, 1]), np.array([1, 1, 2, 3]), np.arange(4))
    >>> _first_ranks(outputs, np.array([False, False, True, True]), n_questions=2)
    array([0, 2])
    """
    first = np.full(n_questions, _NO_RANK)
    question = outputs.question[correct]
    is_first = starts_run(question)  # outputs stand by question and then by rank
    first[question[is_first]] = outputs.rank[correct][is_first]
    return first


def _points(
    n_answers: Integers, n_outputs: Integers, n_correct: Integers, first_correct: Integers
) -> tuple[Floats, Floats]:
    """Return F and the reciprocal rank of each question; all columns are (questions,).

    >>> sizes = np.array([1, 2, 0, 0]), np.array([5, 0, 1, 0]), np.array([1, 0, 0, 0])
    >>> f1, reciprocal = _points(*sizes, first_correct=np.array([4, 0, 0, 0]))
    >>> f1.round(6), reciprocal
    (array([0.333333, 0.      , 0.      , 1.      ]), array([0.25, 0.  , 0.  , 1.  ]))
    """
    # φ: neither answer nor output. The README gives a point for it.
    agree = (n_answers == 0) & (n_outputs == 0)
    # The README's F of one question, 2C / (A + O); where A or O is 0, C is 0 and so is F. The maximum only keeps the
    # questions without both, whose value is not used, from being divided by 0.
    f1 = np.where(agree, 1.0, 2 * n_correct / np.maximum(n_answers + n_outputs, 1))
    reciprocal = np.where(first_correct == _NO_RANK, agree, 1 / np.maximum(first_correct, 1))
    return f1, reciprocal


def _rows(matches: Matches) -> Floats:
    """Return points and counts of each question (questions, kinds), in the order of KINDS."""
    answerable = ~matches.is_unanswerable
    has_correct = matches.first_correct != _NO_RANK
    # An unanswerable question without output counts as a hit at every rank.
    hits = {k: has_correct & (matches.first_correct <= k) | matches.agrees_on_none for k in HIT_RANKS}
    return np.column_stack(
        [
            matches.points,
            np.ones(len(matches.ids)),
            matches.n_answers,
            matches.n_outputs,
            matches.n_correct,
            np.where(answerable, matches.points, 0.0),
            answerable,
            *(hits[k] for k in HIT_RANKS[:3]),
            matches.first_answers,
            *(hits[k] for k in HIT_RANKS[3:]),
            np.where(answerable[:, None], matches.first_answers, 0.0),
            ratio(matches.n_correct, matches.n_outputs),
            ratio(matches.n_correct, matches.n_answers),
        ]
    )


def _first_answers(gold: AnswerSet, run: Run, pairing: Pairing, outputs: Outputs, squad: str) -> Floats:
    """Return exact match and token F1 of each question's first output: (questions, 2).

    Zeros where they are not wanted.
    """
    if squad == "off":
        return np.zeros((len(pairing.ids), 2))
    firsts: list[str | None] = [None] * len(pairing.ids)
    is_first = outputs.rank == 1
    answered, indices = outputs.question[is_first], outputs.index[is_first]
    for question, index in zip(answered.tolist(), indices.tolist(), strict=True):
        firsts[question] = run.answers[index]
    answers = [gold.answers_of(question) for question in pairing.ids]
    return np.array(first_answer_scores(answers, firsts, english=squad == "en"))


def _by_series(series: list[str], rows: Floats) -> tuple[list[str], Floats]:
    """Return the series in the order of their first questions, and the sums of their rows (series, kinds).

    >>> _by_series(["Q-2", "Q-1", "Q-2"], np.array([[1.0, 1], [0, 1], [0.5, 1]]))
    (['Q-2', 'Q-1'], array([[1.5, 2. ],
           [0. , 1. ]]))
    """
    index = {name: i for i, name in enumerate(dict.fromkeys(series))}
    sums = np.zeros((len(index), rows.shape[1]))
    np.add.at(sums, [index[name] for name in series], rows)
    return list(index), sums


def _totals(matches: Matches, n_unknown: int) -> dict[str, int | float]:
    is_absent = ~matches.in_run
    return {
        "questions": len(matches.ids),
        "answers": int(matches.n_answers.sum()),
        "outputs": int(matches.n_outputs.sum()),
        "correct": int(matches.n_correct.sum()),
        "unsupported": int(matches.n_unsupported.sum()),
        "unanswerable_questions": int(matches.is_unanswerable.sum()),
        "unanswerable_correct": int(matches.agrees_on_none.sum()),
        "absent_questions": int(is_absent.sum()),
        # A run of nothing earns these; the count shows how many points came without an answer.
        "absent_credited": int((is_absent & matches.is_unanswerable).sum()),
        "ignored_questions": n_unknown,
        "ignored_outputs": int(matches.n_ignored.sum()),
    }


def _warnings(matches: Matches, unknown: list[str], options: Options) -> list[str]:
    warnings: list[str] = []
    if not matches.run.ids:
        warnings.append(Message("run-empty-answered", "the run is empty: all questions count as answered by nothing"))
    if unknown:
        named = ", ".join(unknown[:_IDS_NAMED]) + (", …" if len(unknown) > _IDS_NAMED else "")
        warnings.append(
            Message.counted(
                "questions-not-in-gold",
                "{n} question not in the gold, not counted: {named}",
                "{n} questions not in the gold, not counted: {named}",
                len(unknown),
                named=named,
            )
        )
    if n_ignored := int(matches.n_ignored.sum()):
        warnings.append(
            Message.counted(
                "outputs-beyond-ranks",
                "{n} output beyond the first {ranks} of a question, not counted",
                "{n} outputs beyond the first {ranks} of a question, not counted",
                n_ignored,
                ranks=options["ranks"] or RANKS,
            )
        )
    return warnings
