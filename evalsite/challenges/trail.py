"""What a line of the audit trail tells beside its kind, in words."""

import re
from collections.abc import Iterator
from os.path import commonprefix
from typing import Any

from django.utils.translation import gettext, pgettext

from evalsite.challenges.models import Event, Organiser
from evalsite.challenges.wording import detail_in_words

SHOWN = 90  # characters of a value


def details(event: Event) -> Iterator[tuple[str, str]]:
    """What it is called, and its value or its values before and after."""
    for name, value in event.detail.items():
        if isinstance(value, dict):
            yield from ((detail_in_words(field), _before_and_after(field, values)) for field, values in value.items())
        elif value not in (None, "", [], {}):
            yield detail_in_words(name), _said(name, value)


def _said(name: str, value: Any) -> str:
    if name == "sha256":
        return str(value)[:12]
    if name == "role" and value in Organiser.Role:
        return str(Organiser.Role(value).label)
    return str(value)


def _before_and_after(name: str, value: Any) -> str:
    """Of long texts the part that differs. Events of before have the new value alone."""
    if not isinstance(value, list):
        return f"= {value}"
    values = [_said(name, each) for each in value]
    shared = len(commonprefix(values))
    start = shared - SHOWN // 3 if max(map(len, values)) > SHOWN else 0
    old, new = (_part(text, start) for text in values)
    return gettext("from %(old)s to %(new)s") % {"old": old, "new": new}


def _part(text: str, start: int) -> str:
    start, text = max(0, start), _in_utc(text)
    cut = f"{'…' * (start > 0)}{text[start : start + SHOWN]}{'…' * (len(text) > start + SHOWN)}"
    return gettext("“%(text)s”") % {"text": cut} if text else pgettext("a value", "nothing")


def _in_utc(text: str) -> str:
    """A stored time as people write it."""
    return re.sub(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\+00:00$", r"\1 UTC", text)
