"""What people look for in the encyclopaedia, and how far each article helps them.

A topic asks for one sort of article around a name: the people of a town, the waters and heights of a province.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from demo.chance import uniform
from demo.qac.articles import Article, articles
from demo.qac.records import RECORDS
from demo.ranking.retrieval import likenesses

PHASES = ("development", "test")
_ALL = frozenset(RECORDS)
# What is asked for around a place, and the kinds of articles that answer it.
_SORTS = {
    "People around {}": frozenset({"person"}),
    "Rivers, lakes and mountains near {}": frozenset({"river", "lake", "mountain"}),
    "What is made, cooked or grown in {}": frozenset({"company", "dish", "plant", "work"}),
    "Sights and feasts of {}": frozenset({"building", "festival", "railway", "event"}),
}
_EVERYTHING = "Everything about {}"
_FEWEST = {_EVERYTHING: 3}  # articles that help; 1 of other sorts
_POOL = 15  # articles that an assessor reads beside those that have the name
_PROVINCES = ("Upper Sarn", "the Marches", "Lower Sarn", "Kolvar", "Istrel")
# Share of the topics of the development phase.
_DEVELOPMENT = 0.35


@dataclass(frozen=True)
class Topic:
    id: str
    text: str
    grades: dict[
        str, int
    ]  # {article: 3 what was looked for, 2 most of it, 1 a mention, 0 nothing}, of those that were read


@cache
def topics(phase: str) -> tuple[Topic, ...]:
    """The topics of a phase, in the order of their IDs."""
    chosen = [
        (text, grades)
        for text, grades in _all()
        if (uniform("phase of a topic", text) < _DEVELOPMENT) == (phase == "development")
    ]
    start = 100 if phase == "development" else 300
    return tuple(Topic(f"AR{start + k}", text, grades) for k, (text, grades) in enumerate(chosen, start=1))


def _all() -> Iterator[tuple[str, dict[str, int]]]:
    names = {record["name"][0]: kind for kind, records in RECORDS.items() for record in records}
    for name, kind in sorted({**names, **dict.fromkeys(_PROVINCES, "province")}.items()):
        is_place = kind in ("town", "river", "province")
        for sort, kinds in {_EVERYTHING: _ALL, **(_SORTS if is_place else {})}.items():
            text = sort.format(name)
            grades = {article.id: _grade(article, name, kinds) for article in _read(text, name)}
            if sum(grade >= 2 for grade in grades.values()) >= _FEWEST.get(sort, 1):
                yield text, grades


def _read(text: str, name: str) -> list[Article]:
    """Those that have the name, and those that look likely: an assessor reads no others."""
    found = likenesses(text)
    likely = sorted(articles(), key=lambda article: (-found[article.id], article.id))[:_POOL]
    named = [article for article in articles() if _mentions(article, name)]
    return list({article.id: article for article in (*named, *likely)}.values())


def _grade(article: Article, name: str, kinds: frozenset[str]) -> int:
    if not _mentions(article, name):
        return 0
    is_its_own = article.title.lower() == name.lower()
    if kinds == _ALL:
        return 3 if is_its_own else 2 if _is_fact(article, name) else 1
    if is_its_own:
        return 1
    if article.kind in kinds:
        return 3 if _is_fact(article, name) else 2
    return 0


def _mentions(article: Article, name: str) -> bool:
    return name in article.text or name.lower() == article.title.lower()


def _is_fact(article: Article, name: str) -> bool:
    """Whether the name is what the article says of its subject, and not only an aside."""
    record = RECORDS[article.kind][article.record]
    return any(name in values for column, values in record.items() if column != "note")
