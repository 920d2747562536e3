"""People, places and figures of an invented town."""

from pathlib import Path

from demo.word_lists import read_lists

_LISTS = read_lists(Path(__file__).with_suffix(".txt"))

FIRST_NAMES = {"f": _LISTS["first_names_f"], "m": _LISTS["first_names_m"]}
LAST_NAMES = _LISTS["last_names"]
JOBS = _LISTS["jobs"]
STREETS = _LISTS["streets"]
DAYS = _LISTS["days"]
NUMBERS = _LISTS["numbers"]
