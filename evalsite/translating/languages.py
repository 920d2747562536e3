"""Finds the languages of the site: English, and each that has a folder in `evalsite/locale/`."""

from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from django.conf.locale import LANG_INFO

LOCALE = Path(__file__).resolve().parent.parent / "locale"
_FAMILIES = "scoring.families"  # as `scoring.families.packages` has it, without loading the engine


def catalogues() -> list[Path]:
    """Return the folders of catalogues: the site's, and `locale` of each package that brings families.

    No package is imported for it.
    """
    names = {entry.module.partition(".")[0] for entry in entry_points(group=_FAMILIES)}
    folders = [
        Path(place)
        for name in sorted(names)
        if (spec := find_spec(name))
        for place in spec.submodule_search_locations or ()
    ]
    return [LOCALE, *(folder / "locale" for folder in folders if (folder / "locale").is_dir())]


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
