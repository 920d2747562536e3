"""Chains of mentions as the page of a document shows them: numbered alike on both sides, over a text and as a list."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from evalsite.results.units.passages import Mark, Passage, cut, in_lanes
from evalsite.wording import letters

Record = dict[str, Any]

# What can be wrong with a mention.
KINDS = ("missing", "spurious", "split", "merged")
TITLES: dict[str, Promise] = {
    "missing": pgettext_lazy("mention", "Missing"),
    "spurious": pgettext_lazy("mention", "Spurious"),
    "split": pgettext_lazy("mention", "Split off"),
    "merged": pgettext_lazy("mention", "Merged"),
}
MOST_PASSAGES = 500
MOST_CHAINS = 200
MOST_MENTIONS = 200  # of one chain
_HUES = 8


@dataclass(frozen=True)
class Name:
    """The name of a chain on the page: its sign and colour. `number` tells the chains of one side apart."""

    number: int
    sign: str
    hue: int  # 1 to 8


@dataclass(frozen=True)
class Mention:
    """A mention on one side. `gold` and `system` are its chains, None where a side lacks it."""

    number: int
    side: str
    text: str
    gold: Name | None
    system: Name | None
    kinds: tuple[str, ...]  # of KINDS; none if it is right
    pieces: list[list[int]]  # start and end in characters; none without a text

    @property
    def chain(self) -> Name | None:
        return self.gold if self.side == "gold" else self.system

    @property
    def other(self) -> Name | None:
        """Return the other side's chain of it, where that is not the one that goes with its own."""
        other = self.system if self.side == "gold" else self.gold
        return other if self.kinds else None

    @property
    def anchor(self) -> str:
        return f"{self.side}-{self.number}"


@dataclass(frozen=True)
class Part(Mark):
    """A mention, or a part of a broken one, over the text; `shown` is False where it is no matter of the filter."""

    mention: Mention
    is_last: bool
    shown: bool


@dataclass(frozen=True)
class Finding:
    """The number of mentions of a chain with this kind of error; `other` is the chain where they are, or come from."""

    kind: str
    number: int
    direction: str = ""  # "in" or "from"
    other: Name | None = None


@dataclass(frozen=True)
class Pair:
    """A chain of the gold and the one of the system that goes with it; a side may have none."""

    name: Name
    gold: list[Mention]
    system: list[Mention]
    findings: list[Finding]  # none if both sides are the same

    @property
    def anchor(self) -> str:
        return f"chain-{self.name.sign}"


@dataclass(frozen=True)
class Chains:
    """`counts` is the number of mentions of each kind, whatever is shown of them; None is all of them."""

    passages: list[Passage[Part]]
    pairs: list[Pair]
    counts: dict[str | None, int]
    n_errors: int
    show: str
    has_text: bool
    n_passages_left_out: int
    n_pairs_left_out: int
    n_parts_left_out: int


def chains(record: Record, show: str = "") -> Chains:
    """Return passages and chains with such mentions; `show` is one of KINDS, "errors", or "" for all.

    A chain of the gold and one of the system go together if each has most of its common mentions in the other.
    The mentions of the gold's chain that are elsewhere are split off, those of the system's are merged into it.
    """
    show = show if show in ("errors", *KINDS) else ""
    gold, system = mentions_of(record)
    pairs = _pairs(gold, system)
    shown = [pair for pair in pairs if not show or any(_is_shown(mention, show) for mention in pair.gold + pair.system)]
    passages, n_parts_left_out = _passages(record, gold, system, show)
    counts, n_errors = _counted(gold, system)
    return Chains(
        passages[:MOST_PASSAGES],
        shown[:MOST_CHAINS],
        counts,
        n_errors,
        show,
        bool(record.get("text", "").strip()),
        max(0, len(passages) - MOST_PASSAGES),
        max(0, len(shown) - MOST_CHAINS),
        n_parts_left_out,
    )


def mentions_of(record: Record) -> tuple[list[Mention], list[Mention]]:
    cells = Counter((row["entity"], row["other"]) for row in record["gold"] if row["other"] is not None)
    golds = [entity["entity"] for entity in record["gold_entities"]]
    systems = [entity["entity"] for entity in record["system_entities"]]
    main_of_gold, main_of_system, together = _mains(cells, golds, systems)
    names = _gold_names(golds), _system_names(systems, together, golds)

    def read(side: str) -> Iterator[Mention]:
        for number, row in enumerate(record[side], start=1):
            of_gold, of_system = (row["entity"], row["other"])[:: 1 if side == "gold" else -1]
            if of_system is None or of_gold is None:
                kinds: tuple[str, ...] = ("missing" if of_system is None else "spurious",)
            else:
                is_split, is_merged = main_of_gold[of_gold] != of_system, main_of_system[of_system] != of_gold
                kinds = ("split",) * is_split + ("merged",) * is_merged
            pieces = row.get("pieces", [])
            entities = (names[0].get(of_gold), names[1].get(of_system))
            yield Mention(number, side, row["mention"], *entities, kinds, pieces)

    return list(read("gold")), list(read("system"))


def _mains(
    cells: Mapping[tuple[str, str], int], golds: Sequence[str], systems: Sequence[str]
) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Return for each chain that of the other side with most of its mentions; and the pairs that are that to each
    other."""
    places = {name: place for place, name in enumerate(golds)}, {name: place for place, name in enumerate(systems)}
    ordered = sorted(cells, key=lambda cell: (-cells[cell], places[0][cell[0]], places[1][cell[1]]))
    most_of_gold: dict[str, int] = {}
    most_of_system: dict[str, int] = {}
    for gold, system in ordered:
        most_of_gold.setdefault(gold, cells[gold, system])
        most_of_system.setdefault(system, cells[gold, system])
    together: dict[str, str] = {}
    taken: set[str] = set()
    for gold, system in ordered:
        is_most_of_both = cells[gold, system] == most_of_gold[gold] == most_of_system[system]
        if is_most_of_both and gold not in together and system not in taken:
            together[gold] = system
            taken.add(system)
    # Of equal ones the one that it goes with.
    main_of_gold = dict(together)
    main_of_system = {system: gold for gold, system in together.items()}
    for gold, system in ordered:
        main_of_gold.setdefault(gold, system)
        main_of_system.setdefault(system, gold)
    return main_of_gold, main_of_system, together


def _gold_names(golds: Sequence[str]) -> dict[str, Name]:
    return {gold: _name(number, str(number)) for number, gold in enumerate(golds, start=1)}


def _system_names(systems: Sequence[str], together: Mapping[str, str], golds: Sequence[str]) -> dict[str, Name]:
    """Return the numbers of the gold's chains that they go with; letters for the others."""
    numbers = {gold: number for number, gold in enumerate(golds, start=1)}
    partners = {system: numbers[gold] for gold, system in together.items()}
    free = count(1)
    names = {}
    for system in systems:
        if system in partners:
            names[system] = _name(partners[system], str(partners[system]))
        else:
            number = next(free)
            names[system] = _name(len(golds) + number, letters(number))
    return names


def _name(number: int, sign: str) -> Name:
    return Name(number, sign, (number - 1) % _HUES + 1)


def _pairs(gold: Sequence[Mention], system: Sequence[Mention]) -> list[Pair]:
    """Return the gold's chains in their order, then those of the system that go with none."""
    names: dict[int, Name] = {}
    by_number: dict[int, tuple[list[Mention], list[Mention]]] = {}
    for place, mentions in enumerate((gold, system)):
        for mention in mentions:
            if name := mention.chain:
                names[name.number] = name
                by_number.setdefault(name.number, ([], []))[place].append(mention)
    return [Pair(names[number], *by_number[number], _findings(*by_number[number])) for number in sorted(by_number)]


def _findings(gold: Sequence[Mention], system: Sequence[Mention]) -> list[Finding]:
    counts = Counter(
        Finding(kind, 0, *_elsewhere(mention, kind)) for mention in (*gold, *system) for kind in _own_kinds(mention)
    )
    return [replace(finding, number=number) for finding, number in counts.items()]


def _own_kinds(mention: Mention) -> tuple[str, ...]:
    """Return the error that its own side's chain has to tell of it: of two kinds its own side's."""
    if len(mention.kinds) < 2:
        return mention.kinds
    return ("split",) if mention.side == "gold" else ("merged",)


def _elsewhere(mention: Mention, kind: str) -> tuple[str, Name | None]:
    if kind not in ("split", "merged"):
        return "", None
    return ("in", mention.system) if mention.side == "gold" else ("from", mention.gold)


def _is_shown(mention: Mention, show: str) -> bool:
    return not show or (bool(mention.kinds) if show == "errors" else show in mention.kinds)


def _passages(
    record: Record, gold: Sequence[Mention], system: Sequence[Mention], show: str
) -> tuple[list[Passage[Part]], int]:
    parts = [list(_parts(mentions, show)) for mentions in (gold, system)]
    placed = [in_lanes(part) for part in parts]
    passages = list(cut(record.get("text", ""), *placed))
    if show:
        passages = [
            passage for passage in passages if any(_shows(piece.marks) for piece in passage.gold + passage.system)
        ]
    return passages, sum(map(len, parts)) - sum(map(len, placed))


def _parts(mentions: Sequence[Mention], show: str) -> Iterator[Part]:
    for mention in mentions:
        shown = _is_shown(mention, show)
        for number, (start, end) in enumerate(mention.pieces, start=1):
            yield Part(start, end, mention, is_last=number == len(mention.pieces), shown=shown)


def _shows(parts: Sequence[Part]) -> bool:
    return any(part.shown for part in parts)


def _counted(gold: Sequence[Mention], system: Sequence[Mention]) -> tuple[dict[str | None, int], int]:
    """Return each mention once, also if both sides have it."""
    once = [*gold, *(mention for mention in system if mention.gold is None)]
    counts: Counter[str | None] = Counter(kind for mention in once for kind in mention.kinds)
    n_errors = sum(bool(mention.kinds) for mention in once)
    return {None: len(once)} | {kind: counts[kind] for kind in KINDS}, n_errors
