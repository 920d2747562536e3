"""Formulas over scores: what an organiser types, read by a parser of our own, so that nothing is ever run.

    expression = term, { ("+" | "-"), term }
    term       = factor, { ("*" | "/"), factor }
    factor     = "-", factor | atom
    atom       = NUMBER | name | function, "(", argument, { ",", argument }, ")" | "(", expression, ")"
    argument   = "*", ".", WORD-OR-STRING | expression
    name       = [ WORD-OR-STRING, "." ], WORD-OR-STRING

`*.f1` is the score f1 of every scenario. A formula is parsed, then bound to the scenarios that there are; only a bound
one has values.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from scoring.combining.tokens import Token, no_function, no_scenario, no_score, refused, tokens_of, unexpected, written
from scoring.messages import Message

FUNCTIONS = ("mean", "hmean", "gmean", "min", "max", "ln")
OF_ONE = ("ln",)  # functions that take one argument alone
_DEEPEST = 50  # levels of parentheses and signs
_MOST_NAMES = 1_000


@dataclass(frozen=True)
class Component:
    """A score of a scenario."""

    scenario: str
    score: str

    def __str__(self) -> str:
        return f"{self.scenario}.{self.score}"


@dataclass(frozen=True)
class Name:
    """A score as it was typed; no scenario where it was left out."""

    scenario: str | None
    score: str
    column: int


@dataclass(frozen=True)
class Every:
    """A score of all scenarios, each an argument of a function."""

    score: str
    column: int


@dataclass(frozen=True)
class Negative:
    """A minus before something."""

    of: "Node"


@dataclass(frozen=True)
class Chain:
    """Operators of one level, bound from the left: a + b - c. Flat, so that no long sum is a deep one."""

    first: "Node"
    rest: "tuple[tuple[str, Node], ...]"  # each operator with what stands behind it


@dataclass(frozen=True)
class Call:
    """One of `FUNCTIONS` of its arguments."""

    function: str
    arguments: "tuple[Node, ...]"


Node = float | Name | Every | Component | Negative | Chain | Call


def parsed(formula: str) -> Node:
    """Return the formula as a tree of numbers, names and operations; ConfigurationError that names the column."""
    return _Parser(tokens_of(formula)).whole()


def bound(formula: str, scores: Mapping[str, Collection[str]]) -> Node:
    """Return the formula with a scenario for each name; `scores` are those of each scenario, in their order.

    Raises ConfigurationError for what cannot be read, and for scenarios and scores that there are not. A scenario of
    which no score is known (an empty collection) may have any.

    >>> bound("mean(*.f1)", {"en": ["f1"], "de": ["f1", "recall"]}).arguments
    (Component(scenario='en', score='f1'), Component(scenario='de', score='f1'))
    """
    binder = _Binder(scores)
    node = binder.bind(parsed(formula))
    if not binder.n_names:
        raise refused(Message("names-no-score", "names no score"))
    return node


def components(node: Node) -> list[Component]:
    """Return the scores that a bound formula names, each once, in the order in which they stand there."""
    return list(dict.fromkeys(_components(node)))


def _components(node: Node) -> list[Component]:
    if isinstance(node, Component):
        return [node]
    if isinstance(node, Negative):
        return _components(node.of)
    if isinstance(node, Chain):
        return [component for part in (node.first, *(part for _, part in node.rest)) for component in _components(part)]
    if isinstance(node, Call):
        return [component for part in node.arguments for component in _components(part)]
    return []


class _Parser:
    """Reads tokens from the left, one function for each rule of the grammar."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._place = 0
        self._depth = 0

    def whole(self) -> Node:
        node = self._expression()
        if self._next.kind != "end":
            raise unexpected(self._next)
        return node

    def _expression(self) -> Node:
        first = self._term()
        return self._chain(first, "+-", self._term)

    def _term(self) -> Node:
        first = self._factor()
        return self._chain(first, "*/", self._factor)

    def _chain(self, first: Node, signs: str, part: Callable[[], Node]) -> Node:
        rest = []
        while self._is_sign(signs):
            sign = self._take().text
            rest.append((sign, part()))
        return Chain(first, tuple(rest)) if rest else first

    def _factor(self) -> Node:
        if not self._is_sign("-"):
            return self._atom()
        self._deeper()
        self._take()
        node = Negative(self._factor())
        self._depth -= 1
        return node

    def _atom(self) -> Node:
        token = self._take()
        if token.kind == "number":
            return float(token.text)
        if token.kind in ("word", "string"):
            return self._call(token) if token.kind == "word" and self._is_sign("(") else self._name(token)
        if token.text != "(" or token.kind != "sign":
            raise unexpected(token)
        self._deeper(token)
        node = self._expression()
        self._close()
        return node

    def _name(self, token: Token) -> Name:
        if not self._is_sign("."):
            return Name(None, token.text, token.column)
        self._take()
        return Name(token.text, self._word().text, token.column)

    def _call(self, token: Token) -> Call:
        if token.text not in FUNCTIONS:
            raise refused(no_function(token.text, FUNCTIONS), token.column)
        self._deeper(self._take())
        arguments = [self._argument()]
        while self._is_sign(","):
            self._take()
            arguments.append(self._argument())
        self._close()
        return Call(token.text, tuple(arguments))

    def _argument(self) -> Node:
        if not self._is_sign("*"):
            return self._expression()
        star = self._take()
        if not self._is_sign("."):
            raise unexpected(self._next)
        self._take()
        return Every(self._word().text, star.column)

    def _word(self) -> Token:
        token = self._take()
        if token.kind not in ("word", "string"):
            raise unexpected(token)
        return token

    def _close(self) -> None:
        if not self._is_sign(")"):
            raise unexpected(self._next)
        self._take()
        self._depth -= 1

    def _deeper(self, token: Token | None = None) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise refused(
                Message("nested-too-deep", "nested more than {most} deep", most=_DEEPEST), (token or self._next).column
            )

    @property
    def _next(self) -> Token:
        return self._tokens[self._place]

    def _is_sign(self, signs: str) -> bool:
        return self._next.kind == "sign" and self._next.text in signs

    def _take(self) -> Token:
        token = self._next
        if token.kind == "end":
            raise unexpected(token)
        self._place += 1
        return token


class _Binder:
    """Gives each name its scenario, and counts names."""

    def __init__(self, scores: Mapping[str, Collection[str]]) -> None:
        self._scores = scores
        self.n_names = 0

    def bind(self, node: Node) -> Node:
        if isinstance(node, Name):
            return self._component(node)
        if isinstance(node, Negative):
            return Negative(self.bind(node.of))
        if isinstance(node, Chain):
            return Chain(self.bind(node.first), tuple((sign, self.bind(part)) for sign, part in node.rest))
        if isinstance(node, Call):
            arguments = tuple(argument for part in node.arguments for argument in self._arguments(part))
            if node.function in OF_ONE and len(arguments) != 1:
                raise refused(Message("takes-one-argument", "{name} takes one argument", name=node.function))
            return Call(node.function, arguments)
        return node

    def _arguments(self, node: Node) -> list[Node]:
        """Return what an argument stands for: itself, or a score of every scenario."""
        if not isinstance(node, Every):
            return [self.bind(node)]
        return [self._component(Name(scenario, node.score, node.column)) for scenario in self._scores]

    def _component(self, name: Name) -> Component:
        self.n_names += 1
        if self.n_names > _MOST_NAMES:
            raise refused(Message("too-many-names", "more than {most} names", most=_MOST_NAMES), name.column)
        scenario = self._only(name) if name.scenario is None else name.scenario
        if scenario not in self._scores:
            raise refused(no_scenario(scenario, self._scores), name.column)
        scores = self._scores[scenario]
        if scores and name.score not in scores:
            raise refused(no_score(scenario, name.score, scores), name.column)
        return Component(scenario, name.score)

    def _only(self, name: Name) -> str:
        """Return the scenario of a name that tells none, where there is one alone."""
        if len(self._scores) != 1:
            having = [scenario for scenario, scores in self._scores.items() if name.score in scores]
            example = next(iter(having or self._scores), "SCENARIO")
            full = f"{written(example)}.{written(name.score)}"
            raise refused(
                Message(
                    "needs-scenario", "{score!r} needs its scenario, as in {example}", score=name.score, example=full
                ),
                name.column,
            )
        return next(iter(self._scores))
