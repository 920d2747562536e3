"""Perfect runs of coreference broken in one way each; columns leave little room for it."""

import re

import pytest

import scoring
from demo.plan import read_task
from tests.scoring.describing.oddities import one_oddity

GOLD = read_task("coreference").gold("test", 1).content.decode()
CELL = re.compile(r"\t[^\t\n]*$", re.MULTILINE)


@pytest.fixture
def describe(tmp_path):
    def described(system, gold=GOLD, **options):
        for name, text in (("gold", gold), ("system", system)):
            (tmp_path / f"{name}.conll").write_text(text, encoding="utf-8")
        paths = {name: tmp_path / f"{name}.conll" for name in ("gold", "system")}
        return scoring.describe("coreference", **paths, options=options)

    return described


def in_all(cell_of):
    """Each document with cells made from the number of the token."""
    lines, number = [], 0
    for line in GOLD.split("\n"):
        if line.startswith("#"):
            number = 0
        elif line:
            line = CELL.sub(f"\t{cell_of(number)}", line)
            number += 1
        lines.append(line)
    return "\n".join(lines)


def test_a_perfect_run_is_summed_up_and_nothing_is_odd(describe):
    description = describe(GOLD)
    assert re.fullmatch(r"[\d,]+ mentions and [\d,]+ entities in 44 of 44 documents\.", description.summary)
    assert description.oddities == []


def test_a_run_without_mentions_is_told(describe):
    oddity = one_oddity(describe(in_all(lambda number: "-")), "empty")
    assert oddity.message == "There are no mentions or entities in any of the 44 documents."


def test_documents_that_all_have_the_same_mentions_are_told(describe):
    oddity = one_oddity(describe(in_all(lambda number: "(0)" if number in (2, 5) else "-")), "duplicates")
    assert oddity.message == "44 of 44 documents have the very same mentions."


def test_the_description_is_the_same_whatever_the_gold_annotates(describe):
    assert describe(GOLD) == describe(GOLD, gold=in_all(lambda number: "(7)" if number < 3 else "-"))
