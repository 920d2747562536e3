"""Names of an invented coast, with their annotation written into them.

`<P>` is a PLACE, `<O>` an ORGANISATION, `<N>` a PERSON, `<V>` a VESSEL. A name may hold another one: a board its
harbour, a ship the skipper after whom she was called.
"""

from pathlib import Path

from demo.word_lists import read_lists

_LISTS = read_lists(Path(__file__).with_suffix(".txt"))

HARBOURS = _LISTS["harbours"]
WATERS = _LISTS["waters"]
POINTS = _LISTS["points"]
BERTHS = _LISTS["berths"]
SHIPS = _LISTS["ships"]
TUGS = _LISTS["tugs"]
LIFEBOATS = _LISTS["lifeboats"]
FIRST_NAMES = _LISTS["first_names"]
LAST_NAMES = _LISTS["last_names"]
AUTHORITIES = _LISTS["authorities"]
PILOTS = _LISTS["pilots"]
RESCUERS = _LISTS["rescuers"]
INVESTIGATORS = _LISTS["investigators"]
WARDENS = _LISTS["wardens"]
UNIONS = _LISTS["unions"]
OWNERS = _LISTS["owners"]
INSURERS = _LISTS["insurers"]
CARGO = _LISTS["cargo"]
TANKERS = _LISTS["tankers"]
FERRIES = _LISTS["ferries"]
FISHING = _LISTS["fishing"]
SMALL = _LISTS["small"]
GOODS = _LISTS["goods"]
ITEMS = _LISTS["items"]
