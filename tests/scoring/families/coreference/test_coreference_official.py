"""The official cases of the CoNLL reference scorer, which have a licence of their own and are not kept here."""

import os
from pathlib import Path

import pytest

from tests.scoring.coreference_cases import cases_of, check_run

FOLDER = os.environ.get("CONLL_FIXTURES")
if not FOLDER:
    pytest.skip("CONLL_FIXTURES does not name the folder of the official cases", allow_module_level=True)
CASES = {case["id"]: case for case in cases_of(Path(FOLDER) / "cases.jsonl")}


def test_the_official_cases_are_there():
    assert len(CASES) == 36


@pytest.mark.parametrize("name", CASES)
def test_the_result_is_the_official_one(name):
    gold, system = (Path(FOLDER).parent / CASES[name][side]["fixture"] for side in ("gold", "system"))
    for run in CASES[name]["runs"]:
        check_run(run, gold, system)
