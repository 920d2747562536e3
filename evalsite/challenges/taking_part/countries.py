"""Countries and territories by their codes of ISO 3166-1, and Kosovo, named in the visitor's language by CLDR."""

import unicodedata
from functools import cache

from babel import Locale
from django.utils.translation import get_language, to_locale

# What CLDR names beside them: parts of countries, unions, and codes for tests or for nothing known.
_NO_COUNTRIES = {"AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "ZZ"}


def countries() -> dict[str, str]:
    """Return the names by code, in alphabetical order whatever their accents."""
    return _named(to_locale(get_language() or "en"))


@cache
def _named(locale: str) -> dict[str, str]:
    names = Locale.parse(locale).territories.items()
    countries = {code: name for code, name in names if code.isalpha() and code not in _NO_COUNTRIES}
    return dict(sorted(countries.items(), key=lambda pair: unicodedata.normalize("NFD", pair[1]).casefold()))
