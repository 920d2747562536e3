"""Ids that a run spells otherwise than the task: what a spreadsheet, a file system or a program has made of them.

Each step takes away in both spellings what may differ. As many are taken, in this order, as make nearly all ids of the
run fit one of the task's each; then those are dropped that no pair needs.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from os.path import commonprefix

from scoring.messages import Message
from scoring.spelling.alphabets import in_latin

_FEWEST = 3
_SHARE = 0.9  # of the ids that fit with the steps
_TRIED = 500  # pairs, to learn which steps are needed
_MOST_IDS = 100_000  # of either side; beyond, nothing is tried
_LONGEST = 200  # characters of an id that can be respelt
_SHOWN = 40
# Quotes, and characters that nobody sees: byte order marks, blanks without width, marks of direction.
_QUOTES = frozenset("\"'`“”‘’«»")
_AROUND = "\"'`“”‘’«» \t\xa0\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_ENDING = re.compile(r"\.[A-Za-z0-9]{1,5}$")
_COPY = re.compile(r"[ _-]*(?:\([0-9]{1,2}\)|\b(?:copy|copia)(?: [0-9]+)?)$", re.IGNORECASE)
_SIGNS = re.compile(r"[\W_]+")
_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")

Names = list[str]


@dataclass(frozen=True)
class Respelling:
    """How ids that the task lacks become some that it has; empty where no way is found."""

    meant: dict[str, str] = field(default_factory=dict)  # {id of the run: the task's}, of those that fit
    n: int = 0  # ids of the run that do not fit as they are
    steps: Message | None = None  # "with the zeros put back"

    def explain(self, name: str, otherwise: Message) -> Message:
        """Return what is said of an id that the task lacks: the same of all that fit, and else what is given."""
        return self.message if name in self.meant else otherwise

    @cached_property
    def message(self) -> Message:
        """Say it as one problem or suggestion.

        >>> print(respelling(["1.0", "2.0", "3.0"], ["01", "02", "03", "04"]).message)
        the task's ids look like '01', yours like '1.0'; without '.0' and with the zeros put back all 3 fit
        """
        of_run, meant = next(iter(self.meant.items()))
        values = {"meant": _shown(meant), "own": _shown(of_run), "steps": self.steps, "n": len(self.meant)}
        if len(self.meant) == self.n:
            return Message(
                "ids-respelt", "the task's ids look like {meant}, yours like {own}; {steps} all {n:,} fit", **values
            )
        return Message(
            "some-ids-respelt",
            "the task's ids look like {meant}, yours like {own}; {steps} {n:,} of {of:,} fit",
            **values,
            of=self.n,
        )


def respelling(unknown: Collection[str], wanted: Collection[str]) -> Respelling:
    """Return how ids of a run that the task lacks become the task's that the run lacks, of three or more.

    >>> respelling(["d001", "d002", "d003"], ["t001", "t002", "t003"]).meant  # of another phase
    {}
    >>> print(respelling(["audio/a-1.wav", "audio/a-2.wav", "audio/a-3.wav"], ["A_1", "A_2", "A_3"]).steps)
    without the path, without '.wav', with capitals as the task has them and with the task's signs between
    """
    owns, meants = ([name for name in names if len(name) <= _LONGEST] for names in (unknown, wanted))
    if min(len(owns), len(meants)) < _FEWEST or max(len(unknown), len(wanted)) > _MOST_IDS:
        return Respelling()
    own_keys, meant_keys = owns, meants
    for last in _USUAL:
        fold, _ = _STEPS[last]
        own_keys, meant_keys = fold(own_keys), fold(meant_keys)
        pairs = _pairs(own_keys, owns, meant_keys, meants)
        if len(pairs) >= max(_FEWEST, _SHARE * len(unknown)):
            return Respelling(pairs, len(unknown), Message.listed(_needed(pairs, range(last + 1))))
    fitting = _with_beginning(owns, own_keys, meants, meant_keys, len(unknown))
    if not fitting.meant and _count_from_zero(owns, meants):
        fitting = _with_one_more(owns, wanted)
    return fitting if fitting.meant else _without_signs(owns, own_keys, meants, meant_keys, len(unknown))


def _without_signs(owns: Names, own_keys: Names, meants: Names, meant_keys: Names, n: int) -> Respelling:
    """Try ids that have signs between their parts where the task's have none, or the other way round."""
    fold, says = _STEPS[-1]
    pairs = _pairs(fold(own_keys), owns, fold(meant_keys), meants)
    if len(pairs) < max(_FEWEST, _SHARE * n):
        return Respelling()
    steps = [step for step in range(len(_STEPS)) if step == len(_USUAL) or _STEPS[step][1] is not says]
    return Respelling(pairs, n, Message.listed(_needed(pairs, steps)))


_LAST_NUMBER = re.compile(r"[0-9]+(?![^0-9]*[0-9])")


def one_more(name: str) -> str:
    """Return an id with its last number one higher, in as many digits.

    >>> one_more("d009"), one_more("0"), one_more("doc-9.txt"), one_more("a")
    ('d010', '1', 'doc-10.txt', 'a')
    """
    return _LAST_NUMBER.sub(lambda match: str(int(match[0]) + 1).zfill(len(match[0])), name, count=1)


def from_zero(name: str, wanted: Collection[str]) -> Message | str:
    """Return what is said behind an id whose number is 0 where the task has the one of number 1; "" of others."""
    match = _LAST_NUMBER.search(name) if len(name) <= _LONGEST else None
    if match and not match[0].strip("0") and one_more(name) in wanted:
        return Message("ids-from-zero", "; are yours counted from 0, and the task's from 1?")
    return ""


def _count_from_zero(owns: Names, meants: Names) -> bool:
    """Return whether the run's ids have the number 0, and none of the task's has."""
    in_run, in_task = (
        {match[0].strip("0") for match in map(_LAST_NUMBER.search, names) if match} for names in (owns, meants)
    )
    return "" in in_run and "" not in in_task


def _with_one_more(owns: Names, wanted: Collection[str]) -> Respelling:
    """Try ids that are counted from 0, and the task's from 1."""
    higher = {one_more(name): name for name in owns}
    step = Message("with-one-more", "with 1 added to each number")
    if set(higher).issubset(wanted):
        return Respelling({name: meant for meant, name in higher.items()}, len(owns), step)
    fitting = respelling(higher, wanted)
    if not fitting.steps:
        return Respelling()
    meant = {higher[name]: other for name, other in fitting.meant.items()}
    return Respelling(meant, fitting.n, Message.listed([step, fitting.steps]))


def _pairs(own_keys: Names, owns: Names, meant_keys: Names, meants: Names) -> dict[str, str]:
    """Pair ids whose keys are equal on both sides and stand for no other id: {id of the run: the task's}."""
    meant_of = _alone(meant_keys, meants)
    return {of_run: meant_of[key] for key, of_run in _alone(own_keys, owns).items() if key in meant_of}


def _alone(keys: Names, names: Names) -> dict[str, str]:
    """Return the keys that stand for one name: {key: name}."""
    name_of: dict[str, str] = {}
    twice = set()
    for key, name in zip(keys, names, strict=True):
        if name_of.setdefault(key, name) != name:
            twice.add(key)
    return {key: name for key, name in name_of.items() if key and key not in twice}


def _with_beginning(owns: Names, own_keys: Names, meants: Names, meant_keys: Names, n: int) -> Respelling:
    """Try what one side alone has at the beginning of its ids; all have to fit, since numbers often do by chance."""
    beginnings = [_beginning(keys) for keys in (own_keys, meant_keys)]
    of_own, of_meant = beginnings
    if of_own == of_meant or not (of_own.endswith(of_meant) or of_meant.endswith(of_own)):
        return Respelling()
    own_keys, meant_keys = (
        [_ZEROS.sub("", key[len(start) :]) for key in keys]
        for keys, start in zip((own_keys, meant_keys), beginnings, strict=True)
    )
    pairs = _pairs(own_keys, owns, meant_keys, meants)
    if len(pairs) < n:
        return Respelling()
    lacks = len(of_meant) > len(of_own)
    of_run, meant = next(iter(pairs.items()))
    [plain] = _without_path([(meant if lacks else of_run).strip(_AROUND)])
    more = plain[: abs(len(of_meant) - len(of_own))]
    rest = {of_run: meant.replace(more, "", 1) if lacks else meant for of_run, meant in pairs.items()}
    if not lacks:
        rest = {of_run.replace(more, "", 1): meant for of_run, meant in rest.items()}
    if _needing(rest, -1, _USUAL):
        return Respelling()  # what one side has more is written otherwise in some ids
    start = _shown(more)
    end = (
        Message("with-beginning", "with {start} in front", start=start)
        if lacks
        else Message("without-beginning", "without {start} in front", start=start)
    )
    return Respelling(pairs, n, Message.listed([*_needed(rest, _USUAL), end]))


def _beginning(names: Names) -> str:
    """Return what all names begin with, before their digits.

    >>> _beginning(["t001", "t012"]), _beginning(["1", "12"])
    ('t', '')
    """
    return commonprefix([min(names), max(names)]).rstrip("0123456789")


def _needed(pairs: dict[str, str], steps: Sequence[int]) -> list[Message]:
    """Say the steps that some pair needs, by the first pair that needs each."""
    needing = {step: pair for step in steps if (pair := _needing(pairs, step, steps))}
    return [_STEPS[step][1](*pair) for step, pair in needing.items()]


def _needing(pairs: dict[str, str], step: int, steps: Iterable[int]) -> tuple[str, str] | None:
    """Return the first pair whose keys differ without this step, or with all of them if it is -1."""
    others = [_STEPS[name][0] for name in steps if name != step]
    tried = [*pairs.items()][:_TRIED]
    owns, meants = (reduce(lambda names, fold: fold(names), others, [*names]) for names in zip(*tried, strict=True))
    return next((pair for pair, of_run, meant in zip(tried, owns, meants, strict=True) if of_run != meant), None)


def _around(of_run: str, meant: str) -> Message:
    around = of_run[: len(of_run) - len(of_run.lstrip(_AROUND))] + of_run[len(of_run.rstrip(_AROUND)) :]
    if not _QUOTES.isdisjoint(around):
        return Message("without-quotes", "without the quotes")
    return Message("without-hidden", "without blanks and hidden characters around")


def _path(of_run: str, meant: str) -> Message:
    return (
        Message("without-path", "without the path")
        if _without_path([of_run]) != [of_run]
        else Message("with-path", "with the path")
    )


def _ending(of_run: str, meant: str) -> Message:
    if match := _ENDING.search(of_run.strip(_AROUND)):
        return Message("without-ending", "without {ending}", ending=_shown(match[0]))
    match = _ENDING.search(meant)
    return Message("with-ending", "with {ending} behind", ending=_shown(match[0] if match else ""))


def _copy(of_run: str, meant: str) -> Message:
    return Message("without-copy", "without the mark of a copy")


def _case(of_run: str, meant: str) -> Message:
    return Message("with-capitals", "with capitals as the task has them")


def _between(of_run: str, meant: str) -> Message:
    return Message("with-signs", "with the task's signs between")


def _alphabet(of_run: str, meant: str) -> Message:
    return Message("with-letters", "with the task's letters for those of another alphabet that look alike")


def _zeros(of_run: str, meant: str) -> Message:
    if of_run.count("0") > meant.count("0"):
        return Message("without-zeros", "without the zeros in front")
    return Message("with-zeros", "with the zeros put back")


def _without_path(names: Names) -> Names:
    return [name.replace("\\", "/").rstrip("/").rpartition("/")[2] for name in names]


_Fold = Callable[[Names], Names]
_STEPS: tuple[tuple[_Fold, Callable[[str, str], Message]], ...] = (
    (lambda names: [name.strip(_AROUND) for name in names], _around),
    (_without_path, _path),
    (lambda names: [_ENDING.sub("", name) for name in names], _ending),
    (lambda names: [_COPY.sub("", name) for name in names], _copy),
    (lambda names: [in_latin(name) for name in names], _alphabet),
    (lambda names: [name.casefold() for name in names], _case),
    (lambda names: [_SIGNS.sub("-", name) for name in names], _between),
    (lambda names: [_ZEROS.sub("", name) for name in names], _zeros),
    # Last, since what is in front of ids is better told with its signs.
    (lambda names: [_SIGNS.sub("", name) for name in names], _between),
)
_USUAL = range(len(_STEPS) - 1)


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
