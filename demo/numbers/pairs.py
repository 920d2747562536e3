"""Pairs of notices of a made-up allotment garden, with how alike their meanings are.

The second notice of a pair is made from the first one by *changes*: other words for the same, something left out,
another time, another thing, a denial, or another notice altogether. Each change takes something from full likeness, 5;
five made-up judges then disagree a little.
"""

from dataclasses import dataclass
from functools import cache
from random import Random
from statistics import NormalDist, stdev

from demo.chance import choice, shuffled, uniform

SIZES = {"development": 120, "test": 240}
MOST = 5.0
N_JUDGES = 5
# What each change takes.
PENALTIES = {"words": 0.25, "left out": 0.7, "time": 1.1, "thing": 2.0, "denied": 2.4, "other": 4.4}
_STEP = 0.5  # of a judge's scale
_SPREAD = 0.55  # of the judges about their common mind

_WHO = {
    "the gardeners": "the plot holders",
    "the committee": "the board",
    "two volunteers": "a pair of helpers",
    "the children": "the young ones",
    "our neighbours": "the people next door",
    "the beekeeper": "the keeper of the bees",
    "a visitor": "a guest",
    "the treasurer": "the one who keeps the accounts",
}
_DOES = {
    "repaired": "mended",
    "painted": "gave a coat of paint to",
    "found": "came across",
    "locked": "shut",
    "moved": "shifted",
    "cleaned": "tidied",
    "borrowed": "took on loan",
    "measured": "took the size of",
}
_WHAT = {
    "the old greenhouse": "the aged glasshouse",
    "the water pump": "the pump for the water",
    "three hives": "three beehives",
    "the tool shed": "the hut with the tools",
    "the compost heap": "the heap of compost",
    "the long ladder": "the tall ladder",
    "the gate to the lane": "the door to the lane",
    "the notice board": "the board with the notices",
}
_WHEN = {
    "on Sunday morning": "early on Sunday",
    "last week": "a week ago",
    "before the rain": "ahead of the rain",
    "after the meeting": "once the meeting was over",
    "at dusk": "as night fell",
    "in the first week of May": "early in May",
}
_WHERE = {
    "behind the hedge": "at the back of the hedge",
    "near the well": "close to the well",
    "by the road": "along the road",
    "": "",
}
_KINDS = ("notice", "minutes", "message")
_OPENINGS = {"notice": "Please note that", "minutes": "It was reported that", "message": "Hi,"}


@dataclass(frozen=True)
class Pair:
    """Two notices; `changes` made the second of the first."""

    id: str
    kind: str  # where such notices come from
    first: str
    second: str
    changes: tuple[str, ...]
    judged: tuple[float, ...]  # what each judge said, from 0 to 5

    @property
    def value(self) -> float:
        """The judges' mean."""
        return round(sum(self.judged) / len(self.judged), 2)

    @property
    def spread(self) -> float:
        """Their standard deviation."""
        return round(stdev(self.judged), 2)


@cache
def pairs_of(phase: str) -> tuple[Pair, ...]:
    return tuple(_pair(phase, number) for number in range(1, SIZES[phase] + 1))


def bell(*key: object) -> float:
    """A number of the normal distribution that depends on nothing but the key."""
    return NormalDist().inv_cdf(min(max(uniform(*key), 1e-9), 1 - 1e-9))


def within(value: float) -> float:
    """On the scale of the judges."""
    return min(max(value, 0.0), MOST)


def _pair(phase: str, number: int) -> Pair:
    rng = Random(f"numbers {phase} {number}")
    kind = _KINDS[number % len(_KINDS)]
    facts = _facts(rng)
    changes = _changes(rng)
    likeness = MOST - sum(PENALTIES[change] for change in changes)
    key = f"{phase[0]}{number:03d}"
    judged = tuple(
        round(within(likeness + _SPREAD * bell("judge", key, judge)) / _STEP) * _STEP for judge in range(N_JUDGES)
    )
    return Pair(key, kind, _said(facts, kind), _said(_changed(facts, changes, rng), kind), changes, judged)


def _facts(rng: Random) -> tuple[str, ...]:
    return tuple(choice(list(words), rng) for words in (_WHO, _DOES, _WHAT, _WHEN, _WHERE))


def _changes(rng: Random) -> tuple[str, ...]:
    """One to three of them, or none; another notice altogether comes alone."""
    if rng.random() < 0.12:
        return ("other",)
    number = int(rng.random() * 4)
    return tuple(shuffled([change for change in PENALTIES if change != "other"], rng)[:number])


def _changed(facts: tuple[str, ...], changes: tuple[str, ...], rng: Random) -> tuple[str, ...]:
    """The facts of the second notice; one that is denied has a sixth."""
    if "other" in changes:
        return _facts(rng)
    who, does, what, when, where = facts
    if "thing" in changes:
        what = choice([each for each in _WHAT if each != what], rng)
    if "time" in changes:
        when = choice([each for each in _WHEN if each != when], rng)
    if "left out" in changes:
        where, when = "", "" if "time" not in changes else when
    if "words" in changes:
        who, does, what = _WHO[who], _DOES[does], _WHAT[what]
    return who, does, what, when, where, *(["denied"] if "denied" in changes else [])


def _said(facts: tuple[str, ...], kind: str) -> str:
    who, does, what, when, where, *denied = facts
    middle = f"it is not true that {who} {does} {what}" if denied else f"{who} {does} {what}"
    return " ".join(part for part in (_OPENINGS[kind], middle, where, when) if part) + "."
