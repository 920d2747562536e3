"""Demonstration data of the task in three languages: gold, what participants get, fictional runs."""

import csv
import io
from collections.abc import Iterable, Sequence

from demo.languages.opinions import LABELS, LANGUAGES, opinions
from demo.languages.systems import PROFILES, Profile, answer
from demo.plan import System, system_of

README = f"""\
Demonstration data: what guests say of a walking tour that does not exist
==========================================================================

This is synthetic data. A program put the opinions together, no person wrote any of them, and
tour, teams and runs are invented. Do not learn any of it.

{", ".join(f"{language}/opinions.csv" for language in LANGUAGES)}   id and text of each opinion

A run is an archive with a folder for each language, and in it a table with a label for each
opinion, {", ".join(LABELS)}:

  en/run.csv, de/run.csv, es/run.csv       id,label

Instead of folders, files may be called by their languages: en.csv, de.csv, es.csv. What is
left out is not scored.
"""


def gold(phase: str) -> dict[str, str]:
    """One archive for all languages."""
    return {
        f"{language}/gold.csv": _table(
            ("id", "label", "text"), [(each.id, each.label, each.text) for each in opinions(phase, language)]
        )
        for language in LANGUAGES
    }


def inputs(phase: str) -> dict[str, str]:
    """What a participant downloads: the opinions and the README."""
    return {"README.txt": README} | {
        f"{language}/opinions.csv": _table(("id", "text"), [(each.id, each.text) for each in opinions(phase, language)])
        for language in LANGUAGES
    }


def systems(phase: str) -> list[System]:
    return [_system(profile, phase) for profile in PROFILES if phase in profile.phases]


def _system(profile: Profile, phase: str) -> System:
    lacks = profile.rates.lacks if profile.rates else ()
    entered = {number: each for number, each in enumerate(LANGUAGES, start=1) if each not in lacks}
    files = {
        f"{language}/run.csv": _table(
            ("id", "label"), [(each.id, answer(each, language, profile)) for each in opinions(phase, language)]
        )
        for language in entered.values()
    }
    return system_of(profile, files, tuple(entered))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([head, *rows])
    return file.getvalue()
