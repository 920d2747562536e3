"""Finds the languages of the site: English, and each that has a folder in `evalsite/locale/`."""

from pathlib import Path

from django.conf.locale import LANG_INFO

LOCALE = Path(__file__).resolve().parent.parent / "locale"


def languages() -> list[tuple[str, str]]:
    """Return code and own name of each language, English first.

    >>> languages()[:2]
    [('en', 'English'), ('es', 'Español')]
    """
    codes = sorted(folder.parent.name.lower().replace("_", "-") for folder in LOCALE.glob("*/LC_MESSAGES"))
    return [(code, _own_name(code)) for code in ("en", *codes)]


def _own_name(code: str) -> str:
    info = LANG_INFO.get(code) or {}
    name = str(info.get("name_local") or LANG_INFO[code.partition("-")[0]]["name_local"])
    return name[:1].upper() + name[1:]
