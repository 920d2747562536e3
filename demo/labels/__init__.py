"""Demonstration data of the message task: gold, what participants get, fictional runs."""

import csv
import io
from collections.abc import Iterable, Sequence

from demo.labels.messages import INTENTS, SUBJECTS, messages
from demo.labels.systems import PROFILES, answers
from demo.plan import System, system_of

README = f"""\
Demonstration data: messages to a town hall that does not exist
===============================================================

This is synthetic data. A program put the messages together, no person wrote or sent any of
them, and town, teams and runs are invented. Do not learn any of it.

messages.csv  id, channel (mail, chat or phone) and text of each message

A run is a table with the same ids, what each message wants and what it is about:

  id,intent,subjects
  t001,report,water;parks
  t002,thank,

intent    one of {", ".join(INTENTS)}
subjects  none, one or several of {", ".join(SUBJECTS)}, with ; between
"""


def gold(phase: str) -> str:
    rows = [(each.id, each.intent, ";".join(each.subjects), each.channel, each.text) for each in messages(phase)]
    return _table(("id", "intent", "subjects", "channel", "text"), rows)


def inputs(phase: str) -> dict[str, str]:
    """What a participant downloads: the messages and the README."""
    rows = [(each.id, each.channel, each.text) for each in messages(phase)]
    return {"README.txt": README, "messages.csv": _table(("id", "channel", "text"), rows)}


def systems(phase: str) -> list[System]:
    found = []
    for profile in PROFILES:
        if phase in profile.phases:
            said = [(each.id, *answers(each, profile)) for each in messages(phase)]
            rows = [(name, intent, ";".join(subjects)) for name, intent, subjects in said]
            found.append(system_of(profile, _table(("id", "intent", "subjects"), rows)))
    return found


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([head, *rows])
    return file.getvalue()
