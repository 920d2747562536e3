"""Demonstration data of scores made elsewhere: what people think of the runs of the task of plain words."""

import json
import re
from collections import Counter
from functools import cache

from demo.chance import uniform
from demo.plan import System
from demo.text import systems as runs_of_texts
from demo.text.notices import Notice, notices

PHASE = "test"
JUDGES = ("A", "B")
_WORD = re.compile(r"\w+")


@cache
def gold(phase: str) -> str:
    """The notices that were judged, each with its bulletin."""
    return "unit,document\n" + "".join(f"{each.id},{each.document}\n" for each in notices(phase))


@cache
def systems(phase: str) -> list[System]:
    """The runs with the marks of all judges in place of their texts."""
    return [_judged(system, phase) for system in runs_of_texts(phase)]


def table(phase: str) -> str:
    """All marks of all runs, as the organisers had them on one sheet."""
    rows = [
        f"{system.team} {system.run},{line}"
        for system in systems(phase)
        for line in str(system.content).splitlines()[1:]
    ]
    return "\n".join(["run,unit,judge,score", *rows, ""])


def _judged(system: System, phase: str) -> System:
    texts = {line["id"]: line["text"] for line in map(json.loads, str(system.content).splitlines())}
    name = f"{system.team} {system.run}"
    marks = [
        f"{each.id},{judge},{_mark(each, texts[each.id], judge, name)}" for each in notices(phase) for judge in JUDGES
    ]
    content = "\n".join(["unit,judge,score", *marks, ""])
    return System(system.team, system.run, system.method, system.description, system.reference, (1,), content)


def _mark(notice: Notice, text: str, judge: str, run: str) -> int:
    """From 0 to 100: how near a text is to a good one, as one judge sees it, who is strict or mild and may slip."""
    near = max(_shared_words(text, reference) for reference in notice.plain)
    strictness = {"A": -4.0, "B": 3.0}[judge]
    mood = 24 * (uniform("mark", notice.id, judge, run) + uniform("mark again", notice.id, judge, run) - 1)
    return round(min(100.0, max(0.0, 18 + 82 * near + strictness + mood)))


def _shared_words(text: str, reference: str) -> float:
    """F1 of their words, from 0 to 1."""
    own, other = (Counter(map(str.lower, _WORD.findall(each))) for each in (text, reference))
    return 2 * (own & other).total() / max(1, own.total() + other.total())
