"""Whatever a stranger makes longer costs no more than n log n: time and memory are measured while inputs double.

Every format of every family has generators of its own (`growing/`), of long text in each of its fields, of whole files
of nothing but one thing, and of its structures: equal, nested, overlapping and invented ones.
"""

from itertools import chain, groupby

import pytest

from scoring import FAMILIES
from tests.doubling import growth_of_memory, growth_of_time
from tests.scoring.growing import (
    archives,
    coreference,
    edits,
    ehealthkd,
    mat,
    qac,
    ranking,
    spacy,
    tables,
    text,
    transcripts,
)
from tests.scoring.growing.cases import Case
from tests.scoring.growing.running import work
from tests.thoroughness import EVERY_INPUT

MODULES = (ehealthkd, mat, coreference, spacy, qac, ranking, text, edits, transcripts, tables, archives)
CASES = list(chain.from_iterable(module.cases() for module in MODULES))
# The option of each family that says how files are read; its choices are the readers.
FORMATS = {
    "ehealthkd": "scenario",
    "mat": "system_format",
    "coreference": "format",
    "spacy": "format",
    "qac": "encoding",
    "labels": "format",
    "numbers": "format",
    "ranking": "order",
    "given": "format",
    "transcripts": "format",
    "text": "normalize",
    "edits": "level",
}
GROUPS = {key: list(own) for key, own in groupby(sorted(CASES, key=lambda each: each.key), key=lambda each: each.key)}
# One structure of seven is tried, and one of forty-two long texts and files of one thing; EVERY_INPUT=1 tries all, in
# minutes. No step shares a factor with the kinds of an input, so that each kind has its turn.
LESS = 1 if EVERY_INPUT else 7
SHARE = 1 if EVERY_INPUT else 6 * LESS
SECONDS, BYTES = 5.0, 500 * 2**20  # the most that an upload of a MB may take


def chosen(cases: list[Case]) -> list[Case]:
    structures = [case for case in cases if case.largest > 2**16]
    others = [case for case in cases if case.largest <= 2**16]
    return structures[::LESS] + others[::SHARE]


def test_every_reader_and_every_family_has_inputs_that_grow():
    readers = {
        (name, str(choice))
        for name, family in FAMILIES.items()
        for option in family.options
        if option.key == FORMATS[name]
        for choice in option.choices
        if choice != "auto"
    }
    assert readers == {key for key in GROUPS if key[1] != "zip"}
    assert {family for family, form in GROUPS if form == "zip"} >= {"ehealthkd", "mat"}


@pytest.mark.thorough
@pytest.mark.parametrize("group", GROUPS, ids="-".join)
def test_time_grows_with_the_length_of_an_upload(group, tmp_path):
    steep = []
    for k, case in enumerate(chosen(GROUPS[group])):
        (folder := tmp_path / str(k)).mkdir()
        growth = growth_of_time(work(case, folder), [case.largest // 4, case.largest])
        if not growth.is_linear or growth.longer > SECONDS:
            steep.append(f"{case}: {growth}")
    assert steep == []


@pytest.mark.thorough
@pytest.mark.parametrize("group", GROUPS, ids="-".join)
def test_memory_grows_with_the_length_of_an_upload(group, tmp_path):
    steep = []
    for k, case in enumerate(chosen(GROUPS[group])[::6]):
        (folder := tmp_path / str(k)).mkdir()
        growth = growth_of_memory(work(case, folder), case.largest)
        if not growth.is_linear or growth.longer > BYTES:
            steep.append(f"{case}: {growth}")
    assert steep == []
