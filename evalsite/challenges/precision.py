"""Rounds numbers while the gold is hidden, so that none gives its items away; where the gold is visible all are exact.

While the gold is hidden, only the scores are shown that the scenario shows: each is one more number that a run can be
made to ask for.

A run can be made so that each bit of a score says whether the gold has a certain item. Four decimals of a share are
enough to rank by, and leave as much to read as a count of some thousand items does. A score that goes further has as
many digits in all, 34.568 or 12346, and so has a small one of those without bounds, 0.004123.

Comparisons of two runs have two digits: both are on the same resamples, so that the width of the interval between them
says in how many units they differ.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import copysign, floor, isfinite, log10
from types import NoneType
from typing import Any, Protocol, TypeVar

from django.utils.crypto import salted_hmac

from evalsite.challenges.access import Role, sees_against_gold
from evalsite.challenges.gold.budget import detail_of
from evalsite.challenges.models import Phase, Scenario
from scoring.budget import Detail
from scoring.scale import Scale, rounded_ends, shortened, significant
from scoring.signature import joined, parsed

DIGITS = 4
DIGITS_OF_TWO = 2  # of differences between two runs
DIGITS_OF_MUCH = 2  # of scores that compare single items of the gold with each other (`ScoreNotes.tell_much`)
SHOWN_OF_DIGEST = 12  # hexadecimal digits, in a signature
MOST_DECIMALS = 6  # of scores without bounds
KEPT = "kept"  # in place of a seed, which follows from the gold

Value = TypeVar("Value")


@dataclass(frozen=True)
class Precision:
    """The precision of numbers of one scenario for one visitor."""

    is_full: bool
    headline: str = ""  # name of the score that ranks
    tell_much: frozenset[str] = frozenset()
    unbounded: frozenset[str] = frozenset()  # names of scores that are no shares and may be small
    shown: frozenset[str] = frozenset()  # names of the scores that are told
    hidden: frozenset[str] = frozenset()  # names of those that there are and that are not
    written: frozenset[tuple[str, int]] = frozenset()  # (score, its decimals on pages) where these are all that is told
    phase: str = ""  # its key: golds of several phases are not to be compared
    detail: Detail | None = None  # what uploads to come may tell of the gold at most; None where they tell nothing

    def of(self, value: Value, name: str = "") -> Value:
        """Round all floats in the value; `name` is the score's, in dictionaries the key is."""
        return value if self.is_full else self._rounded(value, name)

    def shows(self, score: str) -> bool:
        return self.is_full or score in self.shown

    @property
    def has_tables(self) -> bool:
        """Return whether more is told of a run than scores."""
        return self.detail in (None, Detail.TABLES)

    def scores(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of scores that are shown, rounded, by score."""
        if self.is_full:
            return dict(values)
        return self._rounded({name: value for name, value in values.items() if name in self.shown}, "")

    def columns(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row of a table without the columns of hidden scores."""
        return {name: value for name, value in record.items() if name not in self.hidden}

    def interval(self, ends: Any, name: str = "") -> Any:
        """Round both ends to as many digits as two of half the width ask for: no resample is worth more.

        They come back as a list or tuple, as they were; None stays None.
        """
        if self.is_full or ends is None:
            return ends
        return type(ends)([self._rounded(end, name) for end in rounded_ends(ends)])

    def intervals(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the intervals of scores that are shown, rounded, by score."""
        return {name: self.interval(ends, name) for name, ends in values.items() if self.is_full or name in self.shown}

    def warnings(self, warnings: Iterable[str]) -> list[str]:
        """Return warnings about no score, and those about shown ones: "score: why it has no interval"."""
        return [warning for warning in warnings if warning.partition(":")[0] not in self.hidden]

    def difference(self, value: Value) -> Value:
        """Round a difference in the score that ranks between two runs, or the ends of its interval."""
        if self.is_full or value is None:
            return value
        if isinstance(value, tuple):
            return tuple(self.end_of_difference(end) for end in value)  # type: ignore[return-value]
        return significant(self._rounded(value, self.headline), DIGITS_OF_TWO)  # type: ignore[return-value]

    def end_of_difference(self, value: float | None) -> float | None:
        """Round an end of a difference's interval; one near 0 stays on its side, as only the test's own end is 0."""
        rounded = self.difference(value)
        return copysign(10**-DIGITS, value) if value and not rounded else rounded

    def roughly(self, scale: Scale) -> Scale:
        """Return the scale on which such a difference is written, for scores that are written on this one."""
        return scale if self.is_full else replace(scale, digits=DIGITS_OF_TWO)

    def share(self, value: float | None) -> float | None:
        """Round a share of resamples, such as a p-value: a small one becomes the smallest, and not none."""
        if self.is_full or not value:
            return value
        return significant(round(value, DIGITS), DIGITS_OF_TWO) or 10**-DIGITS

    def counts(self, values: dict[str, Any]) -> dict[str, Any]:
        """Round totals: a sum of shares tells as much as the score made of it, times the number of items."""
        if self.is_full:
            return values
        return {name: round(value) if isinstance(value, float) else value for name, value in values.items()}

    def digest(self, digest: str) -> str:
        """Return a keyed digest of the gold, which can be compared with that of another run, but not with a file's."""
        return digest if self.is_full or not digest else self._keyed(digest)

    def signature(self, signature: str) -> str:
        """Return the line that says how numbers were made, with such a digest, and without the seed that follows from
        it.
        """
        if self.is_full or not signature:
            return signature
        fields = parsed(signature)
        if "gold" in fields:  # several golds, of a combined score, are joined by commas
            fields["gold"] = ",".join(self._keyed(gold)[:SHOWN_OF_DIGEST] for gold in fields["gold"].split(","))
        if "seed" in fields:
            fields["seed"] = KEPT
        return joined(fields)

    def _keyed(self, digest: str) -> str:
        """Return 64 hexadecimal digits, the same for a digest and for its beginning, which a signature has."""
        value = f"{self.phase} {digest[:SHOWN_OF_DIGEST]}"
        return salted_hmac("evalsite.gold", value, algorithm="sha256").hexdigest()

    def _rounded(self, value: Any, name: str) -> Any:
        # A board of a thousand entries has ten thousand numbers.
        if type(value) is float and -10 < value < 10 and name not in self._special:
            return shortened(value, DIGITS)
        if isinstance(value, float):
            digits = max(self._decimals(value, name), self._written.get(name, -9))
            is_all = name in self.tell_much or self._written.get(name, -1) >= digits
            return round(value, digits) + 0.0 if is_all else shortened(value, digits)
        if isinstance(value, dict):
            special = self._special
            # Inlined for the same reason.
            return {
                key: shortened(item, DIGITS)
                if type(item) is float and -10 < item < 10 and key not in special
                else item
                if type(item) in _WITHOUT_DIGITS
                else self._rounded(item, key)
                for key, item in value.items()
            }
        if isinstance(value, list | tuple):
            return type(value)([self._rounded(item, name) for item in value])
        return value

    @cached_property
    def _special(self) -> frozenset[str]:
        return self.tell_much | self.unbounded | self._written.keys()

    @cached_property
    def _written(self) -> dict[str, int]:
        return dict(self.written)

    def _decimals(self, value: float, name: str) -> int:
        """Return the number of decimals; below 0 numbers are rounded to tens, hundreds and so on."""
        digits = DIGITS_OF_MUCH if name in self.tell_much else DIGITS
        if not value or not isfinite(value):
            return digits
        size = floor(log10(abs(value)))
        if size > 0:
            return digits - size
        return min(MOST_DECIMALS, max(digits, digits - 1 - size)) if name in self.unbounded else digits


_WITHOUT_DIGITS = (int, str, NoneType)


FULL = Precision(is_full=True)


class Scores(Protocol):
    """The scores of a board: those of a scenario, or a combined one with its parts."""

    @property
    def setup(self) -> Any:
        """Return what says which score ranks, which ones tell much, and which have no bounds."""

    @property
    def scores(self) -> list[str]:
        """Return the names of those that are shown."""

    @property
    def score_titles(self) -> dict[str, str]:
        """Return the titles of all by name."""

    def scale_of(self, name: str) -> Scale:
        """Return how a score is written."""


def precision_for(role: Role, phase: Phase, scenario: Scores) -> Precision:
    if sees_against_gold(role, phase):
        return FULL
    setup, detail = scenario.setup, detail_of(phase)
    # A combined score is made of the scores that rank, which are told anyway.
    is_single = detail is Detail.HEADLINE and isinstance(scenario, Scenario)
    shown = frozenset(scenario.scores[:1] if is_single else scenario.scores)
    return Precision(
        False,
        setup.headline,
        tell_much=setup.tell_much,
        unbounded=setup.unbounded,
        shown=shown,
        hidden=frozenset(scenario.score_titles) - shown,
        written=frozenset(_written_in_full(scenario)),
        phase=str(phase.pk),
        detail=detail,
    )


def _written_in_full(scenario: Scores) -> Iterator[tuple[str, int]]:
    """Yield the scores that pages write with as many decimals as are told, or may with more, and these decimals."""
    for name in scenario.scores:
        scale = scenario.scale_of(name)
        decimals = (scale.decimals or 0) + 2 * scale.is_percent
        if decimals >= DIGITS or (scale.decimals and name in scenario.setup.unbounded):
            yield name, decimals
