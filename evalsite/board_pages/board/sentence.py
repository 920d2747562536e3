"""The sentence above a board: who is first, with the score, and from whom the first can be told apart.

The engine says the same in English (scoring.comparing.sentence); here it is said in the visitor's language, with the
names that the visitor may see.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from numpy.typing import NDArray

from evalsite.board_pages.board.rows import Row
from evalsite.leaderboard.models import Edition
from evalsite.translating.engine import from_engine
from evalsite.wording import MOST_NAMED, SHARE, amount, listed, score
from scoring.comparing.places import unpacked
from scoring.comparing.sentence import Leaders, leaders
from scoring.scale import Scale
from scoring.significance.limits import FEWEST_UNITS


@dataclass(frozen=True)
class BoardSentence:
    """`answer` says who is first; `reason`, "" where there is none, what the test set can tell."""

    answer: str
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.answer} {self.reason}".strip()


def sentence_of(edition: Edition, rows: Sequence[Row], name_of: Callable[[str], str] = str) -> BoardSentence | None:
    """Return the sentence, or None where no entry is ranked. `name_of` gets a name ready for where it is shown."""
    ranked = [row for row in rows if row.rank is not None]
    if not ranked:
        return None
    context = ranked[0].context
    first = _scored(name_of(ranked[0].name), ranked[0].headline, context.scale)
    facts = edition.comparison
    if len(ranked) == 1:
        return BoardSentence(_("%(system)s is the only system so far.") % {"system": first})
    best = _best(first, lower_is_better=context.lower_is_better)
    if not facts:
        return best
    units = tested_in_words(facts)
    if facts["n_units"] < FEWEST_UNITS and facts.get("n_scenarios", 1) > 1:
        reason = _("The smallest scenario has %(units)s: too few to tell systems apart.")
        return replace(best, reason=reason % {"units": units_in_words(facts["n_units"], facts["unit"])})
    names, scores = [row.name for row in ranked], [row.headline for row in ranked]
    separated = unpacked(facts["separated"], len(ranked), len(ranked))
    return sentence_tested(
        *(names, scores, separated, units, facts["n_units"], context.scale, name_of),
        lower_is_better=context.lower_is_better,
    )


def sentence_tested(
    names: Sequence[str],
    scores: Sequence[float | None],
    separated: NDArray[np.bool_],
    units: str,
    n_units: int,
    scale: Scale,
    name_of: Callable[[str], str] = str,
    *,
    lower_is_better: bool,
) -> BoardSentence:
    """Describe what a test on `n_units`, `units` in words, has found; the others are those of `sentence_among`."""
    if n_units >= FEWEST_UNITS:
        return sentence_among(names, scores, separated, units, scale, name_of)
    best = _best(_scored(name_of(names[0]), scores[0], scale), lower_is_better=lower_is_better)
    return replace(best, reason=too_few(n_units, units))


def too_few(n_units: int, units: str) -> str:
    """Say that so many units, in words, tell no systems apart; "" where they are enough."""
    if n_units >= FEWEST_UNITS:
        return ""
    words = ngettext(
        "%(units)s is too few to tell systems apart.", "%(units)s are too few to tell systems apart.", n_units
    )
    return words % {"units": units}


def _best(system: str, *, lower_is_better: bool) -> BoardSentence:
    sentence = _("Lowest score: %(system)s.") if lower_is_better else _("Highest score: %(system)s.")
    return BoardSentence(sentence % {"system": system})


def sentence_among(
    names: Sequence[str],
    scores: Sequence[float | None],
    separated: NDArray[np.bool_],
    units: str,
    scale: Scale = SHARE,
    name_of: Callable[[str], str] = str,
) -> BoardSentence:
    """Describe the first of two systems or more; `separated` (n, n) says whether the row is better than the column.

    There may be a thousand of them: only those that are named are put into words.
    """
    leading = leaders(separated)
    first = set(leading.numbers)
    other = name_of(next((name for number, name in enumerate(names) if number not in first), ""))
    if not leading.is_shared:
        return BoardSentence(_first(leading, _scored(name_of(names[0]), scores[0], scale), other))
    named = [_scored(name_of(names[number]), scores[number], scale) for number in leading.numbers[:MOST_NAMED]]
    shared = listed(named, of=len(leading.numbers))
    reason = _reason(leading, units, name_of(names[0]), other)
    return BoardSentence(_("Shared first: %(systems)s.") % {"systems": shared}, reason)


def _scored(name: str, value: float | None, scale: Scale) -> str:
    return _("%(system)s (%(score)s)") % {"system": name, "score": score(value, scale)}


def _first(leading: Leaders, system: str, other: str) -> str:
    values = {"system": system, "n": leading.n_worse, "others": leading.n_others, "other": other}
    if leading.n_worse < leading.n_others:
        return _("First: %(system)s, better than %(n)d of the other %(others)d.") % values
    if leading.n_others == 1:
        return _("First: %(system)s, better than %(other)s.") % values
    return _("First: %(system)s, better than all %(n)d others.") % values


def _reason(leading: Leaders, units: str, name: str, other: str) -> str:
    values = {"units": units, "system": name, "n": leading.n_worse, "others": leading.n_others}
    if not leading.n_worse:
        return _("%(units)s cannot tell them apart.") % values
    if leading.n_worse < leading.n_others:
        return _("%(units)s cannot tell them apart; %(system)s is better than %(n)d of the other %(others)d.") % values
    if leading.n_others == 1:
        return _("%(units)s cannot tell them apart; %(system)s is better than %(other)s.") % {
            **values,
            "other": other,
        }
    return _("%(units)s cannot tell them apart; %(system)s is better than the other %(n)d.") % values


def sentence_in_html(edition: Edition, rows: Sequence[Row]) -> SafeString:
    """Return the sentence with its answer in bold; "" where there is none."""
    sentence = sentence_of(edition, rows, isolated)
    if sentence is None:
        return SafeString("")
    # Names are escaped one by one; the other words are ours.
    answer, reason = mark_safe(sentence.answer), mark_safe(sentence.reason)  # noqa: S308
    return (
        format_html("<strong>{}</strong> {}", answer, reason) if reason else format_html("<strong>{}</strong>", answer)
    )


def units_in_words(number: int, unit: Sequence[str]) -> str:
    """Write a number of units, as "120 sentences"; `unit` is singular and plural, as the engine says it."""
    return f"{amount(number)} {from_engine(unit[number != 1])}"


def tested_in_words(facts: Mapping[str, Any]) -> str:
    """Write what a comparison was tested on, as "120 sentences", or "440 items in 3 scenarios"."""
    units = units_in_words(facts.get("n_items", facts["n_units"]), facts["unit"])
    n_scenarios = facts.get("n_scenarios", 1)
    if n_scenarios == 1:
        return units
    sentence = ngettext("%(units)s in %(n)s scenario", "%(units)s in %(n)s scenarios", n_scenarios)
    return sentence % {"units": units, "n": amount(n_scenarios)}


def isolated(name: str) -> SafeString:
    """Isolate a name, so that one in another direction of writing leaves the words around it in their order."""
    return format_html("<bdi>{}</bdi>", name)


# The row against another one: worse, not to be told apart, better, not compared.
SIGNS = np.frombuffer(b"-=+.", dtype=np.uint8)
NOT_COMPARED = 2


def contrasts(edition: Edition, rows: Sequence[Row], shown: Sequence[Row]) -> list[str]:
    """Return for each shown row a sign against each shown row, in their order; `rows` are all of the board."""
    ranked = [row.entry["submission"] for row in rows if row.rank is not None]
    if not edition.comparison or len(ranked) < 2:
        return []
    places = {submission: place for place, submission in enumerate(ranked)}
    separated = unpacked(edition.comparison["separated"], len(ranked), len(ranked))
    matrix = np.full((len(shown), len(shown)), NOT_COMPARED, dtype=np.int8)
    here = np.array([number for number, row in enumerate(shown) if row.rank is not None], dtype=np.int64)
    at = np.array([places[shown[number].entry["submission"]] for number in here], dtype=np.int64)
    better = separated[np.ix_(at, at)].astype(np.int8)
    matrix[np.ix_(here, here)] = better - better.T
    for number, row in enumerate(shown):
        if row.reference:
            signs = _of_reference(edition.comparison, row.entry["submission"], len(ranked))
            if signs is not None:
                matrix[number, here] = signs[at]
                matrix[here, number] = -signs[at]
    np.fill_diagonal(matrix, NOT_COMPARED)
    return [line.tobytes().decode("ascii") for line in SIGNS[matrix + 1]]


def _of_reference(comparison: dict[str, Any], submission: str, n_ranked: int) -> NDArray[np.int8] | None:
    against = comparison["references"].get(submission)
    if against is None:
        return None
    better, worse = (unpacked(against[name], n_ranked).astype(np.int8) for name in ("better", "worse"))
    signs: NDArray[np.int8] = better - worse
    return signs
