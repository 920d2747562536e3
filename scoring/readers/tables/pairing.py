"""Finds which row of a system belongs to which of the gold: by id, or by order where a file has no ids."""

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scoring.columns import Flags, Integers
from scoring.messages import Message
from scoring.readers.swapping import refuse_swapped
from scoring.readers.tables.cells import Cells
from scoring.readers.tables.header import shown
from scoring.readers.tables.table import Table
from scoring.spelling.respelling import from_zero, respelling

ID = Message.word("id")

NONE = -1  # in arrays of rows: there is none
_SCIENTIFIC = re.compile(r"[0-9](?:[.,][0-9]+)?[eE]\+?[0-9]+")
_POINT_ZERO = re.compile(r"(-?[0-9]+)\.0+")
_DIGITS = re.compile(r"[0-9]+")


@dataclass(frozen=True)
class Pairing:
    """The n rows of the gold and the m rows of the system that belong together."""

    in_system: Integers  # (n,) the system's row of each row of the gold; NONE where it is missing
    in_gold: Integers  # (m,) the gold's row of each row of the system; NONE where the gold lacks its id

    @cached_property
    def is_missing(self) -> Flags:
        """Return whether the system lacks the row: (n,)."""
        return np.asarray(self.in_system == NONE)

    @property
    def n_missing(self) -> int:
        """Count rows of the gold that the system lacks."""
        return int(np.count_nonzero(self.is_missing))

    @property
    def n_unknown(self) -> int:
        """Count rows of the system whose id the gold lacks."""
        return int(np.count_nonzero(self.in_gold == NONE))


def check_unique(table: Table, noun: str = ID) -> None:
    """Add a problem of the table for each row whose id stands in an earlier one; `noun` is what an id is called."""
    first = table.ids.firsts()
    if first is None:
        return
    table.add_where(
        (first != np.arange(len(table))) & ~table.ids.is_blank(),
        lambda row: Message(
            "duplicate-first-on-line",
            "duplicate {noun} {id} (first on line {line})",
            noun=noun,
            id=shown(table.ids[row]),
            line=table.line(int(first[row])),
        ),
    )


def pair(
    gold: Table,
    system: Table,
    *,
    refuse_unknown: bool = True,
    refuse_repeated: bool = True,
    gold_ids: Cells | None = None,
    noun: str = ID,
) -> Pairing:
    """Pair a gold, whose ids all differ, with a system.

    Ids that stand twice in the system, and with `refuse_unknown` those that the gold lacks, become problems of the
    system's table, and so does another number of lines where either has no ids. Rows that are missing are not
    problems yet: `refuse_missing` makes them so. `gold_ids` are those of the gold where its rows are not units. With
    `refuse_repeated` off an id may stand in several rows, which `Pairing.in_gold` tells.
    """
    ids = gold.ids if gold_ids is None else gold_ids
    if gold.is_numbered or system.is_numbered:
        return _by_order(len(ids), system)
    refuse_swapped(ids, system.ids, {**system.columns}, system.id_name, system.path)
    if refuse_repeated:
        check_unique(system, noun)
    pairing = _by_id(ids, system.ids)
    if refuse_unknown:
        _refuse_unknown(ids, system, pairing, noun)
    return pairing


def _refuse_unknown(gold_ids: Cells, system: Table, pairing: Pairing, noun: str) -> None:
    """Add a problem for each row whose id the gold lacks; one cause where all are spelt otherwise in one way."""
    is_unknown = (pairing.in_gold == NONE) & ~system.ids.is_blank()
    if not is_unknown.any():
        return
    ids, shorter = _ids_and_shorter(gold_ids)
    none_known = bool((pairing.in_gold == NONE).all())
    respelt = respelling(dict.fromkeys(system.ids.taken(is_unknown)), dict.fromkeys(gold_ids.taken(pairing.is_missing)))

    def problem(row: int) -> Message:
        name = system.ids[row]
        hint = _hint(name, ids, shorter)
        hint = hint or from_zero(name, ids)
        if none_known and not hint:
            hint = Message("ids-look-like", "; the task's ids look like {example!r}", example=gold_ids[0])
        message = Message("not-gold", "{noun} {id} is not in the gold{hint}", noun=noun, id=shown(name), hint=hint)
        return respelt.explain(name, message)

    system.add_where(is_unknown, problem)


def refuse_missing(gold_ids: Cells, system: Table, missing: Integers, noun: str = ID) -> None:
    """Add problems for these rows of the gold, unless the system has others: a missing row may stand in one."""
    if system.problems:
        return
    for made, row in enumerate(missing.tolist()):
        if system.problems.are_counted_only:
            system.problems.count(len(missing) - made)
            return
        system.problems.add(
            Message("noun-gold-id-missing", "{noun} {gold_id} is missing", noun=noun, gold_id=shown(gold_ids[row]))
        )


def _by_order(n_gold: int, system: Table) -> Pairing:
    n_rows = len(system)
    if n_rows != n_gold and not system.problems:
        lines = Message.counted("n-lines", "1 line", "{n} lines", n_gold)
        system.problems.add(Message("expected-found", "expected {lines}, found {n_rows}", lines=lines, n_rows=n_rows))
    both = min(n_rows, n_gold)
    in_system, in_gold = np.full(n_gold, NONE), np.full(n_rows, NONE)
    in_system[:both] = in_gold[:both] = np.arange(both)
    return Pairing(in_system, in_gold)


def _by_id(gold: Cells, system: Cells) -> Pairing:
    """Return where a blank id stands twice in the gold, or any in the system, the first row stays."""
    row_of = dict(zip(reversed(gold), reversed(range(len(gold))), strict=True))
    in_gold = np.array([row_of.get(name, NONE) for name in system], dtype=np.int64)
    in_system = np.full(len(gold), NONE)
    paired = np.flatnonzero(in_gold != NONE)[::-1]
    in_system[in_gold[paired]] = paired
    return Pairing(in_system, in_gold)


def _ids_and_shorter(gold: Cells) -> tuple[set[str], dict[str, str]]:
    """Return the ids of the gold, and {number without its leading zeros: id}."""
    shorter = {name.lstrip("0"): name for name in reversed(gold) if name.startswith("0") and _DIGITS.fullmatch(name)}
    return set(gold), shorter


def _hint(name: str, ids: set[str], shorter: dict[str, str]) -> str:
    """Return what a spreadsheet may have made of an id."""
    whole = _POINT_ZERO.fullmatch(name)
    if whole and whole[1] in ids:
        return Message(
            "did-spreadsheet-turn-into", "; did a spreadsheet turn {whole} into {name}?", whole=whole[1], name=name
        )
    if _SCIENTIFIC.fullmatch(name):
        return Message(
            "scientific-notation-spreadsheet-format",
            "; this is the scientific notation of a spreadsheet: format the column as text",
        )
    if _DIGITS.fullmatch(name) and name in shorter:
        return Message(
            "did-spreadsheet-drop-zeros", "; did a spreadsheet drop the zeros of {shorter}?", shorter=shorter[name]
        )
    return ""
