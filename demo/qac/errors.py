"""Imitates how systems err on the questions: right ones in the wrong place, wrong ones of the right sort."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from demo.chance import Happens, chances, uniform
from demo.qac.articles import articles
from demo.qac.questions import PHASES, Answer, Question, questions_of

# (answer, article) in the order of the run.
Outputs = list[tuple[str, str]]

# What is harder to find than a year or a length in one article.
DIFFICULTY = {"name": 1.3, "person": 1.1, "food": 1.2, "product": 1.2, "town": 1.1, "year": 0.7, "km": 0.7, "m": 0.8}
# Most questions are hard, or easy, for everybody.
SHARED = 0.65
SURROUNDINGS = ("about {}", "{} or so", "in {}", "{} (probably)")


@dataclass(frozen=True)
class Rates:
    """How often a system goes wrong where a question is of middling difficulty."""

    missed: float  # the right answer is not first, or not in the list
    deep: float  # of those: it comes at a later place instead of nowhere
    extra: float  # wrong answers in a list, at each of three chances
    reworded: float  # the right answer in words that do not count
    unsupported: float  # with an article that does not say so
    credulous: float  # answers a question that has no answer
    timid: float  # gives no answer to a question that has one
    lost: float  # loses the topic of a series
    repeated: float = 0.0  # the same answer a second time, in other words
    width: int = 5  # answers per question in task 1


def run(question: Question, rates: Rates, name: str, task: int) -> Outputs:
    """What a system answers in one of the tasks."""
    happens = chances(f"{name} {1 if task == 1 else 2}", question.id, SHARED)
    if not question.answers:
        return _wrong(question, 2, name) if happens(rates.credulous, "credulous") else []
    if happens(rates.timid, "timid"):
        return []
    if task == 3 and chances(name, question.id.rpartition("-")[0], SHARED)(rates.lost, "lost"):
        return _wrong(question, 1 + happens(rates.extra, "extra", 0), name)
    return _ranked(question, rates, name, happens) if task == 1 else _list(question, rates, name, happens)


def _ranked(question: Question, rates: Rates, name: str, happens: Happens) -> Outputs:
    """Up to `width` answers, of which the right one is first, later or missing."""
    outputs = _wrong(question, rates.width, name)
    if not happens(_missed(question, rates), "missed", 0):
        place = 0
    elif happens(rates.deep, "deep"):
        place = 1 + sum(happens(0.4, "place", k) for k in range(3))
    else:
        return outputs
    right = [_right(question, answer, rates, happens) for answer in question.answers]
    return (outputs[:place] + right + outputs[place:])[: rates.width]


def _list(question: Question, rates: Rates, name: str, happens: Happens) -> Outputs:
    """The answers that are found, each perhaps in two wordings, among some wrong ones."""
    outputs = []
    for number, answer in enumerate(question.answers):
        if not happens(_missed(question, rates), "missed", number):
            outputs.append(_right(question, answer, rates, happens))
            if len(answer.wordings) > 1 and happens(rates.repeated, "repeated", number):
                outputs.append((answer.wordings[1], answer.articles[0]))
    extra = sum(happens(rates.extra, "extra", k) for k in range(3))
    wrong = _wrong(question, extra if outputs else max(extra, 1), name)
    return wrong[:1] + outputs + wrong[1:] if happens(0.25, "order") else outputs + wrong


def _missed(question: Question, rates: Rates) -> float:
    return rates.missed * DIFFICULTY.get(question.wants, 1.0)


def _right(question: Question, answer: Answer, rates: Rates, happens: Happens) -> tuple[str, str]:
    """The answer in one of its wordings, or in another one that does not count."""
    wording = answer.wordings[happens(0.3, "wording", *answer.wordings) if len(answer.wordings) > 1 else 0]
    if happens(rates.reworded, "reworded", *answer.wordings):
        wording = SURROUNDINGS[sum(happens(0.5, "surroundings", k) for k in range(3))].format(wording)
    article = answer.articles[0]
    if happens(rates.unsupported, "unsupported", *answer.wordings):
        article = _any_article(question.id, answer.wordings[0])
    return wording, article


def _wrong(question: Question, count: int, name: str) -> Outputs:
    """Answers of the wanted sort to other questions, no two the same."""
    known = {wording for answer in question.answers for wording in answer.wordings}
    pool = [value for value in _answers()[question.wants] if value not in known]
    start = int(uniform(name, question.id) * 3)
    by_chance = sorted(pool, key=lambda value: uniform(question.id, value))
    return [
        (value, question.topic if uniform("topic", question.id, value) < 0.5 else _any_article(question.id, value))
        for value in by_chance[start : start + count]
    ]


def _any_article(*key: object) -> str:
    return articles()[int(uniform("article", *key) * len(articles()))].id


@cache
def _answers() -> dict[str, list[str]]:
    """All answers of each sort, in their usual wording."""
    found: dict[str, set[str]] = {}
    for question in _all_questions():
        for answer in question.answers:
            found.setdefault(question.wants, set()).add(answer.wordings[0])
    return {wants: sorted(values) for wants, values in found.items()}


def _all_questions() -> Iterator[Question]:
    return (question for phase in PHASES for task in (1, 3) for question in questions_of(phase, task))
