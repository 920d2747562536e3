"""Demonstration data of the likeness task: gold with the judges' spread, the download, fictional runs."""

import csv
import io
from collections.abc import Iterable, Sequence

from demo.numbers.pairs import pairs_of
from demo.numbers.systems import PROFILES, Profile, judged, overlap
from demo.plan import System, system_of

README = """\
Demonstration data: pairs of notices of an allotment garden that does not exist
===============================================================================

This is synthetic data. A program put the notices and the judgements together; nobody read
them. Do not learn any of it. Teams and runs are invented too.

pairs.csv  id, where the notices come from, and the two notices

A run is a file run.csv with the columns id and value: how alike the two notices are in what
they say, from 0 (about other things) to 5 (the same). Rows may come in any order.

  id,value
  t001,3.25
"""


def gold(phase: str) -> str:
    """The judges' mean and spread beside the notices."""
    rows = [
        (pair.id, f"{pair.value:.2f}", f"{pair.spread:.2f}", pair.kind, pair.first, pair.second)
        for pair in pairs_of(phase)
    ]
    return _table(("id", "value", "spread", "kind", "first", "second"), rows)


def inputs(phase: str) -> dict[str, str]:
    """What a participant downloads."""
    rows = [(pair.id, pair.kind, pair.first, pair.second) for pair in pairs_of(phase)]
    return {"README.txt": README, "pairs.csv": _table(("id", "kind", "first", "second"), rows)}


def systems(phase: str) -> list[System]:
    return [system_of(profile, _run_file(profile, phase)) for profile in PROFILES if phase in profile.phases]


def _run_file(profile: Profile, phase: str) -> str:
    rates = profile.rates
    rows = [
        (pair.id, f"{overlap(pair) if rates is None else judged(pair, rates, profile.name):.2f}")
        for pair in pairs_of(phase)
    ]
    return _table(("id", "value"), rows)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue()
