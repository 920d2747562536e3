"""Good rankings broken in one way each."""

import pytest

import scoring
from demo.plan import read_task
from tests.scoring.describing.oddities import one_oddity

TASK = read_task("ranking")
GOLD = TASK.gold("development", 1).content.decode()
FIRST = TASK.file_of(TASK.runs("development")[0], "development")
RUN = [line.split() for line in FIRST.content.decode().splitlines()]


@pytest.fixture
def describe(tmp_path):
    def described(rows, gold=GOLD, **options):
        (tmp_path / "qrels.txt").write_text(gold, encoding="utf-8")
        (tmp_path / "run.txt").write_text("".join(" ".join(row) + "\n" for row in rows), encoding="utf-8")
        return scoring.describe("ranking", gold=tmp_path / "qrels.txt", system=tmp_path / "run.txt", options=options)

    return described


def test_a_good_run_is_summed_up_and_nothing_is_odd(describe):
    description = describe(RUN)
    assert description.summary == "1,250 documents to 25 of 25 queries."
    assert description.oddities == []


def test_distances_instead_of_scores_are_told(describe):
    [oddity] = describe([[*row[:4], row[3], row[5]] for row in RUN]).oddities
    assert (oddity.kind, oddity.n, oddity.of) == ("order", 25, 25)


def test_equal_scores_everywhere_are_told(describe):
    [oddity] = describe([[*row[:4], "1.0", row[5]] for row in RUN]).oddities
    assert (oddity.kind, oddity.n, oddity.of) == ("constant", 25, 25)


def test_ranks_without_an_order_say_nothing(describe):
    assert describe([[*row[:3], "0", row[3], row[5]] for row in RUN]).oddities == []


def test_queries_of_another_task_are_told(describe):
    rows = [["X" + row[0] if row[0] != "AR101" else row[0], *row[1:]] for row in RUN]
    one_oddity(describe(rows), "ids")


def test_nothing_is_told_of_the_gold_but_what_names_of_documents_look_like(describe):
    other = "".join(f"AR{k} 0 SE9{k} 0\n" for k in range(101, 126))
    assert describe(RUN, other) == describe(RUN)
