"""Remarks about gold in which something looks odd: stored in English, and shown in the visitor's language.

They are compared with those of a second check, so they must be the same in every language.
"""

import re
from datetime import UTC, datetime
from functools import cache

from django.utils.translation import get_language, gettext, gettext_noop

from evalsite.translating.engine import from_engine
from evalsite.wording import in_digits, utc
from scoring.messages import Message

LONGEST = 2_000  # characters of a remark; a longer one is shown as it is

SCENARIO = gettext_noop("Scenario %(number)s")
WHO_SEES_IT = gettext_noop("Who sees it")
PUBLIC = gettext_noop("The gold of this phase is released: everybody can download what you add at once.")
PUBLIC_ONCE_PUBLISHED = gettext_noop(
    "The gold of this phase is released: everybody can download what you add as soon as it is published."
)
PUBLIC_BEFORE_OPENING = gettext_noop(
    "The gold of this phase is released: everybody can download what you add at once, although "
    "the phase opens on %(opens)s."
)
# {(is too small, is smaller than the version before): what is said}
SIZES = {
    (True, False): gettext_noop(
        "It has %(n)s %(units)s. With fewer than %(fewest)s no difference between two systems counts as real."
    ),
    (True, True): gettext_noop(
        "It has %(n)s %(units)s; version %(version)s has %(before)s. With fewer than %(fewest)s "
        "no difference between two systems counts as real."
    ),
    (False, True): gettext_noop("It has %(n)s %(units)s; version %(version)s has %(before)s."),
}
SAME_GOLD = gettext_noop("It is identical to the gold of another phase: %(phase)s.")
SAME_GOLD_ELSEWHERE = gettext_noop("It is identical to the gold of another phase: %(phase)s of %(task)s.")
SAME_GOLD_RELEASED = gettext_noop(
    "It is identical to the gold of %(phase)s of %(task)s, which everybody can download: anyone who "
    "has it can reach full marks."
)
AND_MORE = gettext_noop("… and %(n)s more.")

_SENTENCES = [
    SCENARIO,
    WHO_SEES_IT,
    PUBLIC,
    PUBLIC_ONCE_PUBLISHED,
    PUBLIC_BEFORE_OPENING,
    *SIZES.values(),
    SAME_GOLD,
    SAME_GOLD_ELSEWHERE,
    SAME_GOLD_RELEASED,
]
_SENTENCES += [AND_MORE]
_SENTENCES.sort(key=len, reverse=True)  # of two that fit, the longer one says more


def remark_in_words(remark: str) -> str:
    """Return a stored remark or heading in the visitor's language."""
    if isinstance(remark, Message):
        return from_engine(remark)
    if get_language() in (None, "en") or len(remark) > LONGEST:
        return remark
    for sentence in _SENTENCES:
        if match := _pattern(sentence).fullmatch(remark):
            return gettext(sentence) % {name: _value(value) for name, value in match.groupdict().items()}
    return remark


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"%\\\((\w+)\\\)s", r"(?P<\1>.+)", re.escape(sentence)), re.DOTALL)


def _value(text: str) -> str:
    if re.fullmatch(r"[0-9,]+", text):
        return in_digits(text)
    return utc(time) if (time := _time(text)) else from_engine(text)


def _time(text: str) -> datetime | None:
    """Parse a time as English writes it."""
    for pattern in ("%d %b %Y, %H:%M UTC", "%d %b %Y, %H:%M:%S UTC"):
        try:
            return datetime.strptime(text, pattern).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None
