"""Tells how a table is laid out, as options say, and what is wanted of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from scoring.messages import Message

DELIMITERS = {"comma": ",", "tab": "\t", "semicolon": ";", "pipe": "|"}
PLURALS = {
    ",": Message.word("commas"),
    "\t": Message.word("tabs"),
    ";": Message.word("semicolons"),
    "|": Message.word("vertical bars"),
}

Side = Literal["gold", "system"]
Kind = Literal["text", "list", "shares", "sets", "number", "ratings"]


@dataclass(frozen=True)
class Column:
    """A column that is wanted, by its name in the header or its key in an object."""

    name: str
    # In JSON a list may also be a list, shares also an object of numbers, sets also lists in a list, and objects of
    # two numbers in an object; a number has to be one, and ratings are a number or a list of numbers.
    kind: Kind = "text"
    optional: bool = False  # a table need not have it; without a header none does
    ignores_case: bool = False  # whether a header may name it in other letters


@dataclass(frozen=True)
class Layout:
    """Holds how one file is laid out."""

    id: tuple[str, ...] = ("id",)  # the columns that name a row together
    format: str = "auto"  # or one of FORMATS
    delimiter: str = "auto"  # or one of DELIMITERS
    quotes: bool = True
    header: bool = True

    def sign(self, file_format: str) -> str:
        """Return what separates the fields of a csv or tsv file."""
        if self.delimiter == "auto":
            return "\t" if file_format == "tsv" else ","
        return DELIMITERS[self.delimiter]


def layout_of(options: Mapping[str, Any], side: Side, id_key: str = "id") -> Layout:
    """Return the layout of a side by the options that all families of tables have.

    Of the gold `gold_format`, `gold_delimiter` and `gold_id` count; without a `gold_id` the id is named as the
    system's is. `id_key` is the option that names the id.
    """
    is_gold = side == "gold"
    beginning = "gold_" if is_gold else ""
    name = options.get(beginning + id_key) or options[id_key]
    return Layout(
        id=(name,) if isinstance(name, str) else tuple(name),
        format=options[beginning + "format"],
        delimiter=options[beginning + "delimiter"],
        quotes=options["quotes"],
        header=options["header"],
    )


def names_of(columns: Sequence[Column]) -> list[str]:
    """Return their names, each once."""
    return list(dict.fromkeys(column.name for column in columns))
