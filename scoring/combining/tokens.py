"""The signs that a formula is written with, and how it is refused, with the name that may have been meant."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from scoring.errors import ConfigurationError
from scoring.messages import Message
from scoring.spelling.strings import nearest

MOST_CHARACTERS = 1_000
_LONGEST_SHOWN = 40  # characters of a word in a message

Kind = Literal["number", "word", "string", "sign", "end"]

# ASCII throughout: other digits and letters look like these and would be read as something else.
_TOKEN = re.compile(
    r"""(?P<blank>[ \t\n]+)
    | (?P<number>[0-9]+(?:\.[0-9]*)? | \.[0-9]+)
    | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<string>"[^"\n\r]*")
    | (?P<sign>[-+*/().,])""",
    re.VERBOSE,
)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Token:
    """One sign of a formula."""

    kind: Kind
    text: str  # of a string what stands between the quotes
    column: int  # where it begins, from 1


def refused(why: str, column: int | None = None) -> ConfigurationError:
    """Return the error that says what is wrong with a formula, and where."""
    if column is None:
        return ConfigurationError(Message("formula-refused", "formula: {why}", why=why))
    values = {"why": why, "column": column}
    # What ends in a question is followed by a place in brackets, so that both can be read.
    if why.endswith("?"):
        return ConfigurationError(Message("formula-refused-near", "formula: {why} (at column {column})", **values))
    return ConfigurationError(Message("formula-refused-at", "formula: {why} at column {column}", **values))


def unexpected(token: Token) -> ConfigurationError:
    """Return the error for a token that cannot stand where it does."""
    if token.kind == "end":
        return refused(Message("unexpected-end", "unexpected end"), token.column)
    return refused(Message("unexpected-sign", "unexpected {sign!r}", sign=token.text[:_LONGEST_SHOWN]), token.column)


def tokens_of(formula: str) -> list[Token]:
    """Return all tokens of a formula, and an end behind the last one.

    >>> [(token.text, token.column) for token in tokens_of('.5 * "sub a".f1')]
    [('.5', 1), ('*', 4), ('sub a', 6), ('.', 13), ('f1', 14), ('', 16)]
    """
    if len(formula) > MOST_CHARACTERS:
        raise refused(Message("formula-too-long", "longer than {most} characters", most=MOST_CHARACTERS))
    tokens: list[Token] = []
    place = 0
    while place < len(formula):
        match = _TOKEN.match(formula, place)
        if not match:
            raise refused(Message("unexpected-sign", "unexpected {sign!r}", sign=formula[place]), place + 1)
        kind, text = match.lastgroup, match[0]
        if kind != "blank":
            tokens.append(Token(kind, text[1:-1] if kind == "string" else text, place + 1))  # type: ignore[arg-type]
        place = match.end()
    return [*tokens, Token("end", "", len(formula) + 1)]


def squeezed(formula: str) -> str:
    """Return the formula with one blank where there are several, but inside quotes.

    >>> squeezed('  a.f1  +\\n"my  b".f1 ')
    'a.f1 + "my  b".f1'
    """
    return re.sub(r'("[^"\n]*")|[ \t\n]+', lambda match: match[1] or " ", formula).strip(" ")


def written(name: str) -> str:
    """Return a name as a formula has it: in quotes unless it is one word.

    >>> written("en"), written("subtask-a")
    ('en', '"subtask-a"')
    """
    return name if _WORD.fullmatch(name) else f'"{name}"'


def renamed(formula: str, before: str, after: str) -> str:
    """Return the same formula where a scenario has another name; a score of that name keeps it.

    >>> renamed('mean(de.f1, en.de) / "de".f1', "de", "sub a")
    'mean("sub a".f1, en.de) / "sub a".f1'
    """
    parts, at = [], 0
    for token, following in pairwise(tokens_of(formula)):
        if token.kind in ("word", "string") and token.text == before and following.text == ".":
            start = token.column - 1
            parts += [formula[at:start], written(after)]
            at = start + len(token.text) + (2 if token.kind == "string" else 0)
    return "".join([*parts, formula[at:]])


def no_scenario(name: str, scenarios: Collection[str]) -> str:
    """Return the words for an unknown scenario.

    >>> no_scenario("EN", ["en", "de"])
    "no scenario 'EN'; did you mean 'en'?"
    """
    near = nearest(name, scenarios)
    if near:
        return Message("no-scenario-near", "no scenario {name!r}; did you mean {near!r}?", name=name, near=near)
    return Message("no-scenario", "no scenario {name!r}", name=name)


def no_score(scenario: str, name: str, scores: Collection[str]) -> str:
    """Return the words for an unknown score of a scenario."""
    near = nearest(name, scores)
    values = {"scenario": scenario, "name": name}
    if near:
        return Message("no-score-near", "{scenario} has no score {name!r}; did you mean {near!r}?", **values, near=near)
    return Message("no-score", "{scenario} has no score {name!r}", **values)


def no_function(name: str, functions: Collection[str]) -> str:
    """Return the words for an unknown function."""
    near = nearest(name, functions)
    if near:
        return Message("no-function-near", "unknown function {name!r}; did you mean {near!r}?", name=name, near=near)
    return Message("no-function", "unknown function {name!r}", name=name)
