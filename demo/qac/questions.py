"""Questions about the encyclopaedia with all their answers, drawn by a fixed seed: none comes twice."""

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TypeVar

from demo.chance import choice, shuffled
from demo.qac.articles import SLOT, WITH_ARTICLE, Article, articles, fill, is_complete
from demo.qac.asking import ASKS, REVERSED, UNANSWERABLE, Ask, Reverse
from demo.qac.records import RECORDS, Record

SEED = 20351103
PHASES = {"development": 1, "test": 2}
# Questions of tasks 1 and 2: for a column, for a record, with several answers, without any. Then series of task 3.
SIZES = {"development": (30, 10, 16, 6, 20), "test": (36, 14, 22, 8, 28)}
UNITS = {" km": " kilometres", " m": " metres", " cm": " centimetres", " mm": " millimetres"}


@dataclass(frozen=True)
class Answer:
    """One answer in its wordings, the usual one first, with the IDs of the articles that support it."""

    wordings: tuple[str, ...]
    articles: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """`topic` is the ID of the article that it is about; `wants` the sort of answer."""

    id: str
    text: str
    kind: str
    wants: str
    topic: str
    answers: tuple[Answer, ...]


Topical = TypeVar("Topical", Question, Article)


def questions_of(phase: str, task: int) -> tuple[Question, ...]:
    """Of tasks 1 and 2, the same; or of task 3, whose series share their ID but for the last number."""
    return _all_questions()[phase, "series" if task == 3 else "single"]


def wordings_of(value: str, wants: str) -> tuple[str, ...]:
    """The usual wording first."""
    bare = value.removeprefix("the ")
    if value in WITH_ARTICLE:
        return (value, f"the {value}")
    if bare != value:
        return (value, bare)
    for short, long in UNITS.items():
        if re.fullmatch(rf"[\d,]+{short}", value):
            return (value, value.removesuffix(short) + long)
    if value.endswith(" sq km"):
        return (value, value.replace(" sq km", " square kilometres"), value.replace(" sq km", " km²"))
    if wants == "person":
        return (value, value.split(" ")[-1])
    if wants == "year":
        return (value, f"in {value}")
    if wants == "number":
        number = value.split(" ")[0]
        return tuple(dict.fromkeys((value, number, number.replace(",", " "))))
    return (value,)


@cache
def _all_questions() -> dict[tuple[str, str], tuple[Question, ...]]:
    rng = random.Random(SEED)
    asked, found = _asked(rng), _reversed()
    plain = [[question for question in pool if len(question.answers) == 1] for pool in (asked, found)]
    several = [question for question in (*asked, *found) if len(question.answers) > 1]
    pools = [_dealt(pool, rng) for pool in (*plain, several, _unanswerable(rng))]
    topics = _dealt([article for article in articles() if len(_asks(article)) > 2], rng)
    drawn = {}
    for phase, sizes in SIZES.items():
        single = [next(pool) for pool, size in zip(pools, sizes, strict=False) for _ in range(size)]
        drawn[phase, "single"] = tuple(
            _numbered(question, phase, 1000 + number, 1)
            for number, question in enumerate(shuffled(single, rng), start=1)
        )
        drawn[phase, "series"] = tuple(
            _numbered(question, phase, 3000 + number, place)
            for number in range(1, sizes[-1] + 1)
            for place, question in enumerate(_series(next(topics), rng), start=1)
        )
    return drawn


def _numbered(question: Question, phase: str, number: int, place: int) -> Question:
    name = f"SAR{PHASES[phase]}-{number}-{place:02}"
    return Question(name, question.text, question.kind, question.wants, question.topic, question.answers)


def _dealt(pool: list[Topical], rng: random.Random) -> Iterator[Topical]:
    """The items in random order, but one of each kind in turn."""
    by_kind: dict[str, list[Topical]] = defaultdict(list)
    for item in shuffled(pool, rng):
        by_kind[item.kind].append(item)
    while by_kind:
        for kind in list(by_kind):
            yield by_kind[kind].pop()
            if not by_kind[kind]:
                del by_kind[kind]


def _asks(article: Article) -> list[Ask]:
    return [ask for ask in ASKS[article.kind] if ask.column in _record(article)]


def _record(article: Article) -> Record:
    return RECORDS[article.kind][article.record]


def _asked(rng: random.Random) -> list[Question]:
    return [_question(article, ask, choice(ask.full, rng)) for article in articles() for ask in _asks(article)]


def _question(article: Article, ask: Ask, text: str) -> Question:
    record = _record(article)
    answers = tuple(
        Answer(wordings_of(value, ask.wants), _support(article, value, record["name"][0]))
        for value in record[ask.column]
    )
    return Question("", fill(text, record), article.kind, ask.wants, article.id, answers)


def _support(article: Article, *mentions: str) -> tuple[str, ...]:
    """The article, and the others in which all of this is mentioned."""
    others = set.intersection(*(_mentioning(mention.removeprefix("the ")) for mention in mentions))
    return (article.id, *sorted(others - {article.id}))


@cache
def _mentioning(name: str) -> set[str]:
    """IDs of the articles with this name in them."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    return {article.id for article in articles() if word.search(f"{article.title} {article.text}")}


def _reversed() -> list[Question]:
    found: dict[str, Question] = {}
    for reverse in REVERSED:
        for article in articles():
            if article.kind == reverse.kind:
                found |= {question.text: question for question in _reversals(reverse, article)}
    return list(found.values())


def _reversals(reverse: Reverse, article: Article) -> Iterator[Question]:
    """The question with each of the values that the record has for it."""
    if not is_complete(reverse.text, _record(article)):
        return
    columns = [slot[2] for slot in SLOT.finditer(reverse.text)]
    for values in product(*(_record(article)[column] for column in columns)):
        given = dict(zip(columns, values, strict=True))
        agreeing = [other for other in articles() if other.kind == reverse.kind and _agrees(other, given)]
        wants = reverse.kind if reverse.kind in ("person", "town") else "name"
        answers = tuple(
            Answer(wordings_of(name, wants), _support(other, name, *values))
            for other in agreeing
            for name in _record(other)["name"]
        )
        text = fill(reverse.text, {column: (value,) for column, value in given.items()})
        yield Question("", text, reverse.kind, wants, article.id, answers)


def _agrees(article: Article, given: dict[str, str]) -> bool:
    return all(value in _record(article).get(column, ()) for column, value in given.items())


def _unanswerable(rng: random.Random) -> list[Question]:
    return [
        Question("", fill(choice(texts, rng)[0], _record(article)), article.kind, "person", article.id, ())
        for article in articles()
        if (texts := UNANSWERABLE.get(article.kind))
    ]


def _series(article: Article, rng: random.Random) -> list[Question]:
    """A question that names or finds the topic, then two to four about it."""
    record = _record(article)
    asks = shuffled(_asks(article), rng)
    finding = [
        (reverse, question)
        for reverse in REVERSED
        if reverse.kind == article.kind
        for question in _reversals(reverse, article)
        if len(question.answers) == 1
    ]
    if finding and rng.random() < 0.5:
        reverse, first = choice(finding, rng)
        asks = [ask for ask in asks if f"{ask.column}}}" not in reverse.text]
    else:
        ask = asks.pop()
        first = _question(article, ask, choice(ask.full, rng))
    later = [_question(article, ask, ask.later) for ask in asks[: 4 if rng.random() < 0.3 else 3]]
    if article.kind in UNANSWERABLE and rng.random() < 0.35:
        text = fill(choice(UNANSWERABLE[article.kind], rng)[1], record)
        later[-1:] = [Question("", text, article.kind, "person", article.id, ())]
    return [first, *later]
