"""Demonstration data of the task of plain words: references, what participants get, fictional runs."""

import json
from collections.abc import Mapping, Sequence

from demo.plan import System, system_of
from demo.text.notices import Notice, notices
from demo.text.systems import PROFILES, Profile, written

README = """\
Demonstration data: notices of small towns that do not exist, to be said in plain words
=======================================================================================

This is synthetic data. Towns, rivers and offices are invented, and a program filled in days,
times and places. Do not go by any of it. Teams and runs are invented too.

notices.jsonl   one notice a line: its ID, its bulletin and the text of the office

A run is a JSON Lines file (.jsonl) with a text for each notice, in any order,

  {"id": "test-01-1", "text": "The footbridge is closed until Monday."}

or a plain text file (.txt) with one text a line, in the order of notices.jsonl.
"""


def gold(phase: str) -> str:
    return _lines([{"id": each.id, "refs": list(each.plain), "document": each.document} for each in notices(phase)])


def inputs(phase: str) -> dict[str, str]:
    """What a participant downloads: the notices and the README."""
    given = [{"id": each.id, "document": each.document, "source": each.official} for each in notices(phase)]
    return {"README.txt": README, "notices.jsonl": _lines(given)}


def systems(phase: str) -> list[System]:
    return [system_of(profile, _run_file(profile, notices(phase))) for profile in PROFILES if phase in profile.phases]


def _run_file(profile: Profile, asked: tuple[Notice, ...]) -> str:
    assert profile.rates is not None
    return _lines([{"id": each.id, "text": written(each, profile.rates, profile.name)} for each in asked])


def _lines(records: Sequence[Mapping[str, object]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
