"""Sentences as data: what the engine says is English text that knows its kind, its template and its values.

A message is a `str`, so it is printed, compared and sorted as the sentence that it is. Beside that it keeps what a
program wants to know of it, so that nobody has to recognise sentences: the kind, and the values. The template stands
where the message is made, and is what a catalogue translates:

    problems.add(Message("id-missing", "id {id!r} is missing", id=name))
    Message.counted("fields", "{n} field instead of {wanted}", "{n} fields instead of {wanted}", n, wanted=4)

A value is data (a number, a name, a text from a file) and is never translated, unless it is a message itself: a clause,
a word or a list that is put into a sentence is a `Message` too, and nothing is joined to one by `+`, `join` or an
f-string, which would leave a plain string. A kind has one template, and stays when the wording changes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

WORD, JOINED, LIST = "word", "joined", "list"  # kinds that are no sentences
TEXT = "text"  # by which a message in JSON begins
_PARTS = ("kind", "template", "other", "values")


class Number(float):
    """A number in a sentence: with a true minus, and with none before what is rounded to 0.

    >>> f"{Number(-0.953):.2f}", f"{Number(-0.0):g}", f"{Number(-2e6):,.0f}"
    ('−0.95', '0', '−2,000,000')
    """

    def __format__(self, spec: str) -> str:
        text = float.__format__(self, spec)
        return text.replace("-", "−") if any(digit in text for digit in "123456789") else text.lstrip("-")


def _filled(template: str, values: dict[str, Any]) -> str:
    below = {name: Number(value) for name, value in values.items() if isinstance(value, float) and value <= 0}
    return template.format_map(values | below if below else values)


class Message(str):
    """The English text, and what it is made of.

    >>> said = Message("id-missing", "id {id!r} is missing", id="a")
    >>> said, said.kind, said.values
    ("id 'a' is missing", 'id-missing', {'id': 'a'})
    """

    __slots__ = ("kind", "other", "template", "values")

    kind: str  # a stable name in kebab-case
    template: str  # English, with a named hole for each value, as for `str.format`; without values it is the text
    values: dict[str, Any]  # {name of a hole: a number, a text, None, a message, or a list of these}
    other: str | None  # the template for all numbers but one; the number is the value `n`

    def __new__(cls, kind: str, template: str, /, **values: Any) -> Self:
        self = str.__new__(cls, _filled(template, values) if values else template)
        self.kind, self.template, self.values, self.other = kind, template, values, None
        return self

    @classmethod
    def counted(cls, kind: str, one: str, other: str, n: int, /, **values: Any) -> Self:
        """Make a message with a template for the number one and another for all others, for whose hole `n` it stands.

        >>> Message.counted("rows-left-out", "one row was left out", "{n:,} rows were left out", 1200)
        '1,200 rows were left out'
        """
        values["n"] = n
        return cls.made(_filled(one if n == 1 else other, values), kind, one, other, values)

    @classmethod
    def word(cls, text: str) -> "Message":
        """Make a word that somebody else has chosen, such as the noun of a family, to be put into a sentence."""
        return text if isinstance(text, Message) else cls.made(text, WORD, text, None, {})

    @classmethod
    def noun(cls, one: str, several: str) -> "tuple[Message, Message]":
        """Make the words for one and for several of what is counted."""
        return cls.word(one), cls.word(several)

    @classmethod
    def words(cls, texts: Mapping[str, str]) -> "dict[str, str]":
        """Make words and titles, by their keys."""
        return {key: cls.word(text) for key, text in texts.items()}

    @classmethod
    def joined(cls, parts: Iterable[str], between: str = ", ") -> Self:
        """Put the parts one after the other, messages among them."""
        things = [*parts]
        return cls.made(between.join(things), JOINED, "{parts}", None, {"parts": things, "between": between})

    @classmethod
    def listed(cls, parts: Iterable[str]) -> Self:
        """Put the parts together as one says them.

        >>> Message.listed(["one phrase", "two relations", "no answer"])
        'one phrase, two relations and no answer'
        """
        things = [*parts]
        text = " and ".join(filter(None, [", ".join(things[:-1]), *things[-1:]]))
        return cls.made(text, LIST, "{parts}", None, {"parts": things})

    @classmethod
    def made(cls, text: str, kind: str, template: str, other: str | None, values: dict[str, Any]) -> Self:
        """Make a message from what it keeps."""
        self = str.__new__(cls, text)
        self.kind, self.template, self.values, self.other = kind, template, values, other
        return self

    def with_values(self, **values: Any) -> "Message":
        """Return the message with other values in some of its holes."""
        values = self.values | values
        template = self.template if self.other is None or values["n"] == 1 else self.other
        return Message.made(_filled(template, values), self.kind, self.template, self.other, values)

    def __reduce__(self) -> tuple[Any, ...]:
        return Message.made, (str(self), self.kind, self.template, self.other, self.values)

    def __deepcopy__(self, memo: object) -> "Message":
        return self


def kind_of(text: str) -> str:
    """Return the kind of a message; empty for a text without one."""
    return text.kind if isinstance(text, Message) else ""


def kinds_of(text: str) -> Iterator[str]:
    """Yield the kinds of a message and of those inside it."""
    if isinstance(text, Message):
        yield text.kind
        for value in text.values.values():
            for part in value if isinstance(value, list) else [value]:
                yield from kinds_of(part)


def some_of(names: Sequence[str], most: int, between: str = ", ") -> str:
    """Name the first ones, and say how many more there are.

    >>> some_of("abcde", 3)
    'a, b, c and 2 more'
    """
    first, n_more = between.join(names[:most]), len(names) - most
    return Message("and-more", "{names} and {n_more} more", names=first, n_more=n_more) if n_more > 0 else first


def to_data(value: Any) -> Any:
    """Return the value as JSON can carry it: a message becomes an object, its text and what it is made of.

    >>> to_data([Message("no-rows", "no rows")])
    [{'text': 'no rows', 'kind': 'no-rows', 'template': 'no rows', 'other': None, 'values': {}}]
    """
    if isinstance(value, Message):
        return {TEXT: str(value), **{name: to_data(getattr(value, name)) for name in _PARTS}}
    if isinstance(value, Mapping):
        return {key: to_data(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [to_data(inner) for inner in value]
    if isinstance(value, str | int | float | None):
        return value
    return value.item() if hasattr(value, "item") else str(value)


def from_data(data: Any) -> Any:
    """Return what `to_data` was given, with lists for tuples; a text stored without anything beside it stays one.

    >>> from_data(to_data(Message("id-missing", "id {id!r} is missing", id="a"))).values
    {'id': 'a'}
    """
    if isinstance(data, Mapping):
        if TEXT in data and all(name in data for name in _PARTS):
            text, kind, template, other, values = (data[name] for name in (TEXT, *_PARTS))
            return Message.made(text, kind, template, other, from_data(values))
        return {key: from_data(inner) for key, inner in data.items()}
    return [from_data(inner) for inner in data] if isinstance(data, list) else data
