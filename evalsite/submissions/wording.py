"""Sentences about uploads whose grammar depends on their parts: causes of problems, limits."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

import scoring as engine
from evalsite.challenges.models import Phase
from evalsite.submissions.checking.quick_check import Checked
from evalsite.submissions.quotas import AllowanceUsage, Quota
from evalsite.translating.engine import from_engine
from evalsite.wording import amount, enumerated, names, utc
from scoring.readers.explanations import Explanation, Location


def cause_message(cause: Explanation) -> str:
    """Return what is wrong, without the lines to be copied, which are its `script`."""
    text = from_engine(cause.message).partition("\n")[0]
    return text[:1].upper() + text[1:]


def cause_lines(place: Location) -> str:
    """Return "line 3, column 4" or "lines 2, 5 and 7 to 9", or the name that the file should have."""
    return from_engine(place.lines)


def left_aside(checked: Sequence[Checked]) -> str:
    """Return which scenarios the files, sent for none, are for, and in which there is nothing; "" if for all."""
    others = [scenario for part in checked for scenario in part.left_aside]
    if not others:
        return ""
    served = enumerated([part.scenario.name for part in checked if part.scenario])
    nothing = enumerated([scenario.name for scenario in others])
    if not served:
        return gettext("There is nothing in these files for %(others)s.") % {"others": nothing}
    words = gettext("These files are for %(served)s; there is nothing in them for %(others)s.")
    return words % {"served": served, "others": nothing}


def once(checked: Sequence[Checked]) -> list[tuple[str, Checked]]:
    """Return what was found with the scenarios of which it holds, so that the same findings are told once."""
    alone = [part for part in checked if part.made_for or not part.causes]
    refused = [part for part in checked if part.causes and not part.made_for]
    groups = [*_alike(alone), *_with_same_causes(refused)]
    groups.sort(key=lambda group: checked.index(group[0][0]))
    return [(enumerated([str(part.scenario) for part in parts if part.scenario]), part) for parts, part in groups]


def _alike(checked: Sequence[Checked]) -> Iterator[tuple[list[Checked], Checked]]:
    """Yield the parts of which all that is told is the same."""
    kept = ("problems", "causes", "made_for", "description", "is_sample")
    values = [[getattr(part, name) for name in kept] for part in checked]
    for k, part in enumerate(checked):
        if values.index(values[k]) == k:
            yield [other for other, same in zip(checked, values, strict=True) if same == values[k]], part


def _with_same_causes(refused: Sequence[Checked]) -> Iterator[tuple[list[Checked], Checked]]:
    """Yield the causes of problems by the scenarios that have them."""
    together: dict[tuple[int, ...], list[Explanation]] = {}
    for indices, cause in shared([part.causes for part in refused]):
        together.setdefault(tuple(indices), []).append(cause)
    for places, causes in together.items():
        parts = [refused[place] for place in places]
        yield parts, replace(parts[0], causes=causes)


Thing = TypeVar("Thing")


def shared(lists: Iterable[Iterable[Thing]]) -> list[tuple[list[int], Thing]]:
    """Return each thing once, with the indices of the lists that have it.

    >>> shared(["ab", "bc"])
    [([0], 'a'), ([0, 1], 'b'), ([1], 'c')]
    """
    having: dict[str, tuple[list[int], Thing]] = {}
    for index, things in enumerate(lists):
        for thing in things:
            indices, _ = having.setdefault(repr(thing), ([], thing))
            if index not in indices[-1:]:
                indices.append(index)
    return list(having.values())


def suggested(oddity: engine.Finding) -> str:
    """Return how an oddity may be mended: a question, or advice with a full stop."""
    text = from_engine(oddity.suggestion)
    return text if text.endswith("?") else f"{text}."


def uploads_left(quota: Quota) -> SafeString:
    """Return "5 uploads left."."""
    n = quota.left or 0
    words = ngettext("{number} upload left.", "{number} uploads left.", n)
    return format_html(words, number=format_html('<strong class="number">{}</strong>', amount(n)))


def allowance(usage: AllowanceUsage, phase: Phase) -> SafeString:
    """Return "3 + 1 upload, given by the organisers: server was down"."""
    allowed = usage.allowance
    words = ngettext(
        "{limit} + {n} upload, granted by the organisers: {reason}",
        "{limit} + {n} uploads, granted by the organisers: {reason}",
        allowed.uploads,
    )
    limits = (phase.total_limit, phase.year_limit, phase.window_limit)
    limit = next((limit for limit in limits if limit is not None), 0)
    parts = {"limit": amount(limit), "n": amount(allowed.uploads), "reason": names([allowed.reason])}
    return format_html("{} {}", format_html(words, **parts), _usage_in_words(usage))


def _usage_in_words(usage: AllowanceUsage) -> str:
    """Return what became of the allowance."""
    if usage.n_used and not usage.n_left:
        return gettext("(used)")
    if not usage.n_left:
        return gettext("(ended)")
    if usage.allowance.until:
        return gettext("(until %(time)s)") % {"time": utc(usage.allowance.until)}
    return ""
