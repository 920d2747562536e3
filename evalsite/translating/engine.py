"""What the engine says, in the visitor's language: `from_engine(Message("id-missing", "id {id} is missing", id="a"))`.

The engine speaks English and knows no catalogue. Its messages carry their template, whose translation stands in a
catalogue of its own (`engine.po`, with the context "engine"), and their values, of which those that are messages are
translated first. Titles and words without values may be plain strings, and stand there themselves.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from string import Formatter
from typing import Any

from django.conf import settings
from django.utils.translation import get_language, npgettext, pgettext
from django.utils.translation.trans_real import DjangoTranslation

from evalsite.wording import enumerated, in_digits
from scoring.errors import ScoringError
from scoring.findings import Finding
from scoring.messages import JOINED, LIST, Message, Number, from_data

CONTEXT = "engine"
DOMAIN = "engine"
# A template without words, such as "{place}: {problem}" or "{n:,} {things}".
_WORDLESS = re.compile(r"(?:[^\w{}]*\{[a-z_0-9]+(?::,)?\})+[^\w{}]*")


def from_engine(message: object) -> str:
    """Translate a message, title or word of the engine, as it is or as it was stored.

    It stays English where the catalogue lacks it.

    A problem has its place before it, and an error is all that it says.
    """
    if isinstance(message, Finding):
        message = message.placed
    elif isinstance(message, ScoringError):
        message = message.message
    unpacked = from_data(message) if isinstance(message, Mapping) else message
    if get_language() in (None, "en"):
        return str(unpacked)
    if isinstance(unpacked, Message):
        return _sentence(unpacked)
    return _translated(str(unpacked)) if unpacked else ""


def _sentence(message: Message) -> str:
    """Translate a sentence as a whole or not at all."""
    if message.kind == LIST:
        return enumerated([_value(part) for part in message.values["parts"]])
    if message.kind == JOINED:
        return str(message.values["between"].join(map(_value, message.values["parts"])))
    template = message.template
    words = _translated(template, message.other, message.values.get("n", 1))
    if words in (template, message.other) and not _WORDLESS.fullmatch(template):
        return str(message)
    try:
        return _FILLED.vformat(words, (), message.values) if message.values else words
    except (KeyError, TypeError, ValueError):  # what a child of the engine answers may have been made to fit nothing
        return str(message)


def _translated(template: str, other: str | None = None, n: int = 1) -> str:
    """Return the translation of a template, or the template.

    Installed packages may have theirs in Django's domain.
    """
    catalogue = _catalogue(get_language() or "en")
    if other is None:
        translated = catalogue.pgettext(CONTEXT, template)
        return pgettext(CONTEXT, template) if translated == template else translated
    translated = catalogue.npgettext(CONTEXT, template, other, n)
    return npgettext(CONTEXT, template, other, n) if translated in (template, other) else translated


@cache
def _catalogue(language: str) -> DjangoTranslation:
    return DjangoTranslation(language, domain=DOMAIN, localedirs=[str(folder) for folder in settings.LOCALE_PATHS])


def _value(value: Any) -> Any:
    """Return the value as it is, where the engine did not say it itself."""
    return _sentence(value) if isinstance(value, Message) else value


class _Filled(Formatter):
    """Holes are names alone, and numbers have the separators of the language."""

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        return _value(kwargs[str(key)])

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, str]:
        return self.get_value(field_name, args, kwargs), field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        text = format(Number(value) if isinstance(value, float) else value, format_spec)
        return in_digits(text) if "," in format_spec else text


_FILLED = _Filled()
