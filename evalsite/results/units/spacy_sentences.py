"""The sentences of an annotated document, each with the trees of both sides and token by token."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

from django.utils.translation import gettext

from evalsite.results.units.arcs import Arc, Side, Tree, trees

Record = dict[str, Any]

# What can be wrong with an arc, and the sign before its label.
KINDS = {"heads": "× ", "labels": "≠ "}
MOST_SENTENCES = 100
MOST_DRAWN = 60  # tokens of a sentence whose trees are drawn
MOST_TOKENS = 300  # of a sentence
_ATTRIBUTES = ("tag", "pos", "morph", "lemma")


@dataclass(frozen=True)
class Value:
    """The values of both sides; the gold's is empty where it says nothing, `system` is None where it has no such
    token."""

    gold: str
    system: str | None

    @property
    def is_right(self) -> bool:
        return not self.gold or self.gold == self.system


@dataclass(frozen=True)
class Row:
    number: int
    text: str
    values: list[Value]

    @property
    def is_right(self) -> bool:
        return all(value.is_right for value in self.values)


@dataclass(frozen=True)
class Sentence:
    """Its tokens, and what their trees are drawn from: nothing where there are none, or too many words."""

    number: int
    text: str
    sides: list[Side]
    columns: list[str]
    rows: list[Row]
    counts: Counter[str]  # of KINDS
    n_rows_left_out: int

    @cached_property
    def trees(self) -> list[tuple[str, Tree]]:
        """Draw the trees when they are asked for; one for both sides where they say the same."""
        names = [gettext("Both sides")] if not self.n_wrong else [gettext("Gold"), gettext("System")]
        return list(zip(names, trees(self.sides), strict=False))

    @property
    def n_wrong(self) -> int:
        return sum(not row.is_right for row in self.rows)


def sentences(record: Record) -> Iterator[Sentence]:
    """Cut where neither side's tree has an arc; nothing if neither tags nor trees are compared."""
    gold, system = record["gold"], record["system"]
    has_trees = bool("deps" in record["scores"] and gold["arcs"])
    compared = _ATTRIBUTES if "token_attr" in record["scores"] else ()
    columns = [name for name in compared if any(token[name] for token in gold["tokens"])]
    if not columns and not has_trees:
        return
    partner: dict[int, int] = {}  # the system's token of its own for each of the gold
    for place, token in enumerate(system["gold_token"]):
        if token is not None:
            partner.setdefault(token, place)
    arcs = _Arcs(gold["arcs"], system["arcs"], system["gold_token"], partner) if has_trees else None
    bounds = _bounds(gold, arcs)
    for number, (start, end) in enumerate(pairwise(bounds), start=1):
        tokens = gold["tokens"][start:end]
        sides = _sides(record, start, end, arcs, partner) if arcs and end - start <= MOST_DRAWN else []
        shown = range(start, min(end, start + MOST_TOKENS))
        rows = [_row(place, record, columns, arcs, partner) for place in shown]
        counts = Counter(kind for place in range(start, end) if arcs for kind in [arcs.kind(place)])
        titles = [*columns, *(["head"] if arcs else [])]
        text = "".join(token["text"] + " " * token["space"] for token in tokens).strip()
        yield Sentence(number, text, sides, titles, rows, counts, max(0, end - start - MOST_TOKENS))


class _Arcs:
    """Both trees in tokens of the gold."""

    def __init__(
        self,
        gold: Sequence[Record],
        system: Sequence[Record],
        single: Sequence[int | None],
        partner: dict[int, int],
    ) -> None:
        self.gold = {arc["dependent"]: arc for arc in gold}
        self.system = {token: self._moved(system[place], token, single) for token, place in partner.items() if system}

    @staticmethod
    def _moved(arc: Record, token: int, single: Sequence[int | None]) -> Record:
        return arc | {"dependent": token, "head": single[arc["head"]]}

    def kind(self, token: int) -> str:
        """Return the kind of the system's arc to this token: "right", one of KINDS, or "absent" where there is none
        to compare."""
        arc = self.system.get(token)
        if arc is None or not self.counts(token):
            return "absent"
        if arc["has_gold_head"] and arc["has_gold_label"]:
            return "right"
        if not arc["is_scored"]:
            return "absent"
        return "labels" if arc["has_gold_head"] else "heads"

    def counts(self, token: int) -> bool:
        """Return whether the gold says anything of the token's head."""
        return bool(self.gold[token]["label"])

    def drawn(self, arc: Record, start: int) -> Arc:
        kind = self.kind(arc["dependent"])
        return Arc(arc["head"] - start, arc["dependent"] - start, arc["label"], kind, KINDS.get(kind, ""))

    def token_heads(self) -> Iterator[tuple[int, int]]:
        for arcs in (self.gold, self.system):
            for token, arc in arcs.items():
                if arc["head"] is not None:
                    yield token, arc["head"]


def _bounds(gold: Record, arcs: _Arcs | None) -> list[int]:
    size = len(gold["tokens"])
    crossed = [0] * (size + 1)
    for token, head in arcs.token_heads() if arcs else ():
        low, high = sorted((token, head))
        crossed[low + 1] += low < high
        crossed[high + 1 if high < size else high] -= low < high
    over = list(accumulate(crossed))
    inner = [start for start in gold["sentence_starts"] if 0 < start < size and not over[start]]
    return [0, *inner, size] if size else [0]


def _sides(record: Record, start: int, end: int, arcs: _Arcs, partner: dict[int, int]) -> list[Side]:
    tokens = record["gold"]["tokens"][start:end]
    words = [token["text"] for token in tokens]
    tags = [_tag(token) for token in tokens]
    gold = Side(words, tags, [arcs.drawn(arcs.gold[place], start) for place in range(start, end) if arcs.counts(place)])
    if not arcs.system:
        return [gold]
    partners = [record["system"]["tokens"][partner[place]] if place in partner else None for place in range(start, end)]
    drawn = [arc for place in range(start, end) if (arc := arcs.system.get(place)) and arc["head"] is not None]
    others = [_tag(other) if other else "" for other in partners]
    marked = [
        other if other in (tag, "") else f"×\N{NO-BREAK SPACE}{other}" for tag, other in zip(tags, others, strict=True)
    ]
    return [gold, Side(words, marked, [arcs.drawn(arc, start) for arc in drawn])]


def _tag(token: Record) -> str:
    return token["tag"] or token["pos"]


def _row(place: int, record: Record, columns: Sequence[str], arcs: _Arcs | None, partner: dict[int, int]) -> Row:
    token = record["gold"]["tokens"][place]
    other = record["system"]["tokens"][partner[place]] if place in partner else None
    values = [Value(token[name], None if other is None else other[name]) for name in columns]
    if arcs:
        words = record["gold"]["tokens"]
        own_head = _head(arcs.gold[place], words) if arcs.counts(place) else ""
        values.append(Value(own_head, None if place not in partner else _head(arcs.system.get(place), words)))
    return Row(place + 1, token["text"], values)


def _head(arc: Record | None, words: Sequence[Record]) -> str:
    """Label, number and word of the head; empty where there is none."""
    if arc is None:
        return ""
    if arc["head"] is None:
        return f"{arc['label']} ← ?"
    if arc["head"] == arc["dependent"]:
        return str(arc["label"])
    return f"{arc['label']} ← {arc['head'] + 1} {words[arc['head']]['text']}"
