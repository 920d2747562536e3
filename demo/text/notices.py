"""Notices of small towns that do not exist: as the office writes them, and twice in plain words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from demo.chance import uniform

N_DOCUMENTS = {"development": 12, "test": 24}
_SHORT = {"development": "dev", "test": "test"}
_IN_A_DOCUMENT = 5  # notices of a bulletin
_FILLED = {
    "river": ("Lorn", "Sarn", "Velle", "Ambra", "Korl", "Thessel"),
    "town": ("Harl", "Brennick", "Ostelle", "Maravel", "Pellar", "Quarnt", "Zelm", "Mirov"),
    "street": ("Mill Street", "Bell Lane", "Harbour Road", "Canal Street", "Castle Hill", "Rose Street"),
    "day": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "1 June", "15 March"),
    "time": ("7:30", "8:00", "9:15", "10:00", "13:45"),
    "office": ("town hall", "citizens' office", "registry", "office for youth", "bureau of works"),
    "building": ("old brewery", "market hall", "sports hall", "railway station", "school of music", "water tower"),
    "park": ("rose garden", "castle park", "zoo", "botanical garden"),
    "minutes": ("12", "15", "20", "25", "30", "45"),
    "money": ("4", "6", "10", "25"),
}
Item = TypeVar("Item")
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Notice:
    """`filled` are the details that a system may get wrong."""

    id: str
    document: str
    official: str
    plain: tuple[str, ...]
    filled: tuple[tuple[str, str], ...]  # (slot, value)


@cache
def notices(phase: str) -> tuple[Notice, ...]:
    """Bulletins of five notices each, of which no two are of a kind."""
    found = []
    for number in range(N_DOCUMENTS[phase]):
        document = f"{_SHORT[phase]}-{number + 1:02d}"
        first = picked(range(len(_kinds())), phase, document)
        for place in range(_IN_A_DOCUMENT):
            # Seven is prime to the number of kinds, so that none comes twice in a bulletin.
            texts = _kinds()[(first + 7 * place) % len(_kinds())]
            found.append(_notice(f"{document}-{place + 1}", document, texts))
    return tuple(found)


def another(slot: str, value: str, *seed: str) -> str:
    """Another value for a slot."""
    return picked([each for each in _FILLED[slot] if each != value], *seed)


def picked(items: Sequence[Item], *key: str) -> Item:
    """One of them, by the key alone."""
    return items[int(uniform(*key) * len(items))]


def _notice(name: str, document: str, texts: tuple[str, ...]) -> Notice:
    slots = dict.fromkeys(_SLOT.findall(" ".join(texts)))
    filled = {slot: picked(_FILLED[slot], name, slot) for slot in slots}
    official, *plain = (text.format(**filled) for text in texts)
    return Notice(name, document, official, tuple(plain), tuple(filled.items()))


@cache
def _kinds() -> list[tuple[str, ...]]:
    text = Path(__file__).with_name("notices.txt").read_text(encoding="utf-8").partition("\n")[2]
    return [tuple(paragraph.splitlines()) for paragraph in text.strip().split("\n\n")]
