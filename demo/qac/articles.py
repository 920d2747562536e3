"""The articles of the encyclopaedia: sentences for each kind, filled from the records."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from demo.chance import choice
from demo.qac.records import RECORDS, Record

SEED = 20350917
# Names that take the article within a sentence.
WITH_ARTICLE = {
    *("Sarn", "Velle", "Ambra", "Korl", "Thessel", "Nour", "Gulf of Istrel", "Tolm Plateau", "Hochkaar"),
    *("Grey Widow", "Kestrel Horn", "Saddle of Ansk", "marsh otter", "Istrel tern", "Kolvar hare", "blue char"),
    *("slate beetle", "widow's raven", "amber willow", "snow pear"),
}
SLOT = re.compile(r"\{(the )?([a-z]+)\}")

# For each kind the sentences of an article in their order, each in some wordings. A sentence is left out where the
# record lacks a column of it.
SENTENCES: dict[str, tuple[tuple[str, ...], ...]] = {
    "river": (
        (
            "River of {length}, rising at {the source} and ending in {the mouth}.",
            "{the name} rises at {the source} and, after {length}, flows into {the mouth}.",
        ),
        ("It passes {towns}.", "Its course leads by {towns}."),
        ("{note}",),
    ),
    "town": (
        (
            "Town in the province of {province}, founded in {founded}, with {population} inhabitants.",
            "{name}, in {province}, has {population} inhabitants. It was founded in {founded}.",
        ),
        ("{note}",),
        ("It is known for {product}.", "What the town makes is {product}.", "It lives by {product}."),
    ),
    "mountain": (
        (
            "Peak of {height} in the province of {province}.",
            "At {height}, {the name} is among the landmarks of {province}.",
        ),
        (
            "The first ascent was made in {climbed} by {climbers}.",
            "{climbers} stood on the top first, in {climbed}.",
        ),
        ("{note}",),
    ),
    "lake": (
        (
            "Lake of {area} in {province}, with a greatest depth of {depth}.",
            "{name}, which lies in {province}, covers {area} and is up to {depth} deep.",
        ),
        ("{note}",),
        ("Fishermen take {fish} from it.", "It holds {fish}."),
    ),
    "person": (
        (
            "{trade}, born in {birthplace} in {born}, died in {died}.",
            "{name}, {trade}, was born in {born} in {birthplace} and died in {died}.",
            "Born in {birthplace} in {born}, {name} became known as a {trade}. {he} died in {died}.",
        ),
        ("{note}",),
        ("{he} is remembered for {achievement}.", "To {him} we owe {achievement}."),
    ),
    "building": (
        (
            "The {kind} was opened in {opened} and stands in {town}.",
            "A {kind} in {town}. It was opened in {opened}.",
        ),
        ("The design is by {architect}.", "{architect} drew the plans."),
        ("It measures {length}.", "Its length or height is {length}."),
        ("It has {capacity}.", "There are {capacity}."),
        ("{note}",),
    ),
    "company": (
        (
            "Makers of {product}, founded in {town} in {founded}.",
            "Since {founded} the company has made {product} in {town}.",
        ),
        ("It owes its beginning to {founders}.", "It was set up by {founders}."),
        ("{note}",),
    ),
    "work": (
        (
            "{kind} by {creator}, completed in {year}, about {subject}.",
            "In {year} {creator} finished this {kind}, whose subject is {subject}.",
        ),
        ("{note}",),
    ),
    "animal": (
        (
            "{kind} found at {the home}. It grows to {size} and lives on {food}.",
            "The {kind} is at home at {the home}, where it feeds on {food}. Its length is {size}.",
        ),
        ("{note}",),
    ),
    "plant": (
        (
            "{kind} with {colour} flowers, {size} tall, native to {the home}.",
            "This {kind} grows near {the home}. It reaches {size}, and its flowers are {colour}.",
        ),
        ("{note}",),
    ),
    "festival": (
        (
            "Held at {town} every {month} since {since}.",
            "Each {month}, as it has since {since}, {town} keeps this feast.",
        ),
        ("The custom is {custom}.", "It consists of {custom}."),
        ("{note}",),
    ),
    "dish": (
        (
            "{kind} from {home}, made with {ingredients}.",
            "Into this {kind} go {ingredients}. It comes from {home}.",
        ),
        ("{drink} goes with it.", "It is served with {drink}."),
        ("{note}",),
    ),
    "railway": (
        (
            "Railway of {length} that joins {ends}, opened in {opened}.",
            "Opened in {opened}, the line runs for {length} and links {ends}.",
        ),
        (
            "It was laid to a gauge of {gauge} under {engineer}.",
            "{engineer} surveyed it and chose a gauge of {gauge}.",
        ),
        ("{note}",),
    ),
    "event": (
        ("{kind} of {year} at {place}.", "This {kind} took place at {place} in {year}."),
        ("On the two sides were {parties}.", "It set {parties} against each other."),
        ("{note}",),
    ),
    "paper": (
        (
            "{kind} of {town}, founded by {founder} in {founded}.",
            "{founder} brought out the first number of this {kind} at {town} in {founded}.",
        ),
        ("{note}",),
    ),
}


@dataclass(frozen=True)
class Article:
    id: str
    kind: str
    record: int
    title: str
    text: str


@cache
def articles() -> tuple[Article, ...]:
    """All articles, in the order of their titles but for a leading article, which is that of their IDs."""
    rng = random.Random(SEED)
    written = [
        (record["name"][0], kind, number, _write(kind, record, rng))
        for kind, records in RECORDS.items()
        for number, record in enumerate(records)
    ]
    written.sort(key=lambda article: article[0].removeprefix("the ").lower())
    return tuple(
        Article(f"SE{3 * i + 104:04}", kind, number, title[0].upper() + title[1:], text)
        for i, (title, kind, number, text) in enumerate(written)
    )


def fill(sentence: str, record: Record) -> str:
    """Put values into the slots, several with commas and `and`; sentences begin with a capital."""
    values = record | _pronouns(record)
    filled = SLOT.sub(lambda slot: listed([_with_article(v) if slot[1] else v for v in values[slot[2]]]), sentence)
    filled = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", filled)
    return re.sub(r"(?:^|\. )[a-z]", lambda start: start[0].upper(), filled)


def is_complete(sentence: str, record: Record) -> bool:
    return all(slot[2] in record | _pronouns(record) for slot in SLOT.finditer(sentence))


def listed(values: Sequence[str]) -> str:
    return " and ".join([", ".join(values[:-1]), values[-1]]) if len(values) > 1 else values[0]


def _pronouns(record: Record) -> Record:
    if "sex" not in record:
        return {}
    she = record["sex"] == ("f",)
    return {"he": ("she" if she else "he",), "his": ("her" if she else "his",), "him": ("her" if she else "him",)}


def _with_article(name: str) -> str:
    return f"the {name}" if name in WITH_ARTICLE else name


def _write(kind: str, record: Record, rng: random.Random) -> str:
    chosen = [choice(wordings, rng) for wordings in SENTENCES[kind]]
    return " ".join(fill(sentence, record) for sentence in chosen if is_complete(sentence, record))
