"""Describes what was read of a run: answers, and the questions that they are to."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np

from scoring.columns import Flags, Integers, coded, numbered, owners
from scoring.describing.contents import NO_UNIT, Beside, Contents, Identifiers, Layer, of_unknown_units
from scoring.describing.wording import quoted
from scoring.families.qac.options import RANKS
from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.qac import AnswerSet, Run, key, pair
from scoring.readers.qac.text import series_of


def contents(files: Files, gold: AnswerSet, run: Run, options: Options) -> Contents:
    pairing = pair(gold, run, options["task"])
    index = {question: k for k, question in enumerate(pairing.ids)}
    of_run = np.fromiter((index.get(question, NO_UNIT) for question in run.ids), np.int64, len(run.ids))
    unit = of_run[owners(np.diff(run.starts))]
    file = next(iter(files), None)
    answers = Layer(
        name=Message.noun("answer", "answers"),
        unit=unit,
        content=numbered(run.answers),
        identity=coded(numbered(run.answers), numbered(run.articles), owners(np.diff(run.starts))),
        is_exact=options["format"] == "qac",
        file=file,
        answers=lambda chosen: [run.answers[k] for k in chosen.tolist()],
    )
    return Contents(
        unit=Message.noun("question", "questions"),
        n_units=len(pairing.ids),
        usually_reached=0.6,
        layers=[answers],
        identifiers=[Identifiers(Message.noun("question ID", "question IDs"), run.ids, frozenset(gold.ids))],
        # Of answers nothing is told but that they have, somewhere, what looks odd in one.
        texts=[*gold.texts.values(), *dict.fromkeys(gold.passages.values()), *dict.fromkeys(gold.answers)],
        more={"unknown_questions": len(pairing.unknown)},
        file=file,
        joined_by="to",
        left_aside=[*_beyond_ranks(run, of_run != NO_UNIT, options, file), *_to_others(gold, run, unit, file)],
        further=[*_articles_alone(run, file)],
        beside=_first_answers(gold, run, pairing.ids),
        further_beside=lambda: [
            *_with_stops(gold, run, file),
            *_in_small_letters(gold, run, file),
            *_several_in_one(gold, run, file),
        ],
    )


def _first_answers(gold: AnswerSet, run: Run, ids: Sequence[str]) -> Beside:
    """Compare the first answer to each question with the gold's of one: the share that it has."""
    starts = run.starts.tolist()
    first = {
        name: run.answers[start] for name, start, end in zip(run.ids, starts, starts[1:], strict=False) if end > start
    }
    right_answers = cache(lambda question: frozenset(map(key, gold.answers_of(question))))

    def share(of_run: Sequence[str], questions: Sequence[str]) -> float:
        met = [
            key(first[name]) in right_answers(question)
            for name, question in zip(of_run, questions, strict=True)
            if name in first
        ]
        return sum(met) / max(len(met), 1)

    def fit(shift: int) -> float:
        n = len(ids)
        return share(ids[max(0, shift) : n - max(0, -shift)], ids[max(0, -shift) : n - max(0, shift)])

    return Beside(len(ids), fit, reversed=lambda: share(ids[::-1], ids))


_FEWEST, _HALF, _TENTH, _NEARLY_ALL = 10, 0.5, 0.1, 0.8
_OPENS, _BESIDE, _OTHER = "opens", "beside", "other"
_NAMED = 5  # questions of a series


def _articles_alone(run: Run, file: str | None) -> Iterator[Finding]:
    """Yield `traces` where articles stand in the place of answers."""
    n = sum(1 for answer, article in zip(run.answers, run.articles, strict=True) if answer == article)
    of = len(run.answers)
    if n >= max(_FEWEST, _HALF * of):
        message = Message(
            "answers-are-articles", "{n:,} of {of:,} answers are the names of their articles.", n=n, of=of
        )
        suggestion = Message("answers-not-articles", "write the answers that the articles give")
        yield Finding.odd("traces", message, n, of, file, suggestion=suggestion)


def _with_stops(gold: AnswerSet, run: Run, file: str | None) -> Iterator[Finding]:
    """Yield `traces` where answers end in full stops and more of the gold's are met without these."""
    bare = [answer.removesuffix(".") for answer in run.answers]
    n, of = sum(1 for one, other in zip(run.answers, bare, strict=True) if one != other), len(bare)
    answers = {key(answer) for answer in gold.answers}
    more = _n_met(bare, answers, key) - _n_met(run.answers, answers, key)
    if n >= max(_FEWEST, _HALF * of) and more >= max(_FEWEST, _TENTH * of):
        message = Message("answers-with-stops", "{n:,} of {of:,} answers end in a full stop.", n=n, of=of)
        suggestion = Message(
            "write-without-stops", "write them without: {n:,} more answers are the gold's then", n=more
        )
        yield Finding.odd("traces", message, n, of, file, suggestion=suggestion)


def _in_small_letters(gold: AnswerSet, run: Run, file: str | None) -> Iterator[Finding]:
    """Yield `traces` where answers have no capitals and more of the gold's are met if case does not count."""
    n, of = sum(map(str.islower, run.answers)), len(run.answers)
    if n < max(_FEWEST, _NEARLY_ALL * of):
        return
    folded = {key(answer).casefold() for answer in gold.answers}
    more = _n_met(run.answers, folded, lambda answer: key(answer).casefold()) - _n_met(
        run.answers, {key(answer) for answer in gold.answers}, key
    )
    if more >= max(_FEWEST, _TENTH * of):
        message = Message("answers-without-capitals", "{n:,} of {of:,} answers have no capitals.", n=n, of=of)
        suggestion = Message("capitals-as-usual", "write capitals as the task does")
        yield Finding.odd("traces", message, n, of, file, suggestion=suggestion)


def _n_met(answers: Sequence[str], of_gold: set[str], spell: Callable[[str], str]) -> int:
    return sum(1 for answer in answers if spell(answer) in of_gold)


_FEWEST_JOINED, _SHARE_JOINED = 3, 0.05
_BETWEEN_ANSWERS = re.compile(r" ?[/;|] ?|, | (?:and|or|y|o) ")


def _several_in_one(gold: AnswerSet, run: Run, file: str | None) -> Iterator[Finding]:
    """Yield `traces` where answers, that the gold does not have, are several of the gold's with signs between."""
    answers = {key(answer) for answer in gold.answers}
    joined = [
        answer
        for answer in run.answers
        if key(answer) not in answers
        and len(parts := _BETWEEN_ANSWERS.split(" ".join(answer.split()))) > 1
        and all(key(part) in answers for part in parts)
    ]
    n, of = len(joined), len(run.answers)
    if n < max(_FEWEST_JOINED, _SHARE_JOINED * of):
        return
    message = Message(
        "answers-joined",
        "{n:,} of {of:,} answers are several in one: {example}.",
        n=n,
        of=of,
        example=quoted(joined[0]),
    )
    suggestion = Message("quotes-for-each", "write each between quotes of its own, with its article")
    yield Finding.odd("traces", message, n, of, file, suggestion=suggestion)


def _to_others(gold: AnswerSet, run: Run, unit: Integers, file: str | None) -> Iterator[Finding]:
    """Yield the answers (n,) that do not count: to questions that open series, in series, and to unknown ones.

    One is asked about much to questions that a series of the task does not have, and where nothing else is answered.
    """
    questions = owners(np.diff(run.starts))
    series = {series_of(question) for question in gold.ids}
    of_run = [_OPENS if name in gold.index_of else _BESIDE if series_of(name) in series else _OTHER for name in run.ids]
    kinds = np.array([*of_run, _OTHER])[:-1][questions]
    kinds = np.where(unit == NO_UNIT, kinds, "")
    of = len(unit)
    n_opening, n_beside, n_others = (int(np.count_nonzero(kinds == kind)) for kind in (_OPENS, _BESIDE, _OTHER))
    opening = Message(
        "answers-to-openings",
        "{n:,} of {of:,} answers are to questions that open a series, and do not count.",
        n=n_opening,
        of=of,
    )
    answer_others = Message("answer-the-others", "answer the questions that follow them")
    yield Finding.aside(n_opening, of, opening, answer_others if n_opening == of else None, file)
    example = next((name for name, kind in zip(run.ids, of_run, strict=True) if kind == _BESIDE), "")
    there = [name for name in gold.ids if series_of(name) == series_of(example)]
    beside = Message(
        "answers-beside-series",
        "{n:,} of {of:,} answers are to questions that their series do not have, such as {example}, and do not count.",
        n=n_beside,
        of=of,
        example=example,
    )
    listed = Message("series-has", "this series has {questions}", questions=Message.listed(there[:_NAMED]))
    yield Finding.aside(n_beside, of, beside, listed if there else None, file)
    yield of_unknown_units(n_others, of, Message.noun("answer", "answers"), Message.noun("question", "questions"))


def _beyond_ranks(run: Run, is_asked: Flags, options: Options, file: str | None) -> list[Finding]:
    """Return the answers behind the last rank that counts, where answers are ranked, to questions that are asked."""
    if options["task"] != 1:
        return []
    ranks = options["ranks"] or RANKS
    n, of = int(np.maximum(np.diff(run.starts)[is_asked] - ranks, 0).sum()), len(run.answers)
    message = Message(
        "answers-beyond-ranks",
        "{n:,} of {of:,} answers stand behind rank {ranks} and do not count.",
        n=n,
        of=of,
        ranks=ranks,
    )
    suggestion = Message(
        "best-answers-first", "put the best answers first: the first {ranks} of each question count", ranks=ranks
    )
    return [Finding.aside(n, of, message, suggestion, file)]
