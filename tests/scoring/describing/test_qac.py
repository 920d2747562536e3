"""Perfect runs of answers to questions broken in one way each."""

import re

import pytest

import scoring
from demo.plan import read_task
from scoring.readers.archive import open_files
from tests.scoring.describing.oddities import one_oddity

GOLD = read_task("qac").gold("test", 1).content.decode()
QAC = scoring.FAMILIES["qac"]


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "gold.tsv"
    path.write_text(GOLD, encoding="utf-8")
    return path


@pytest.fixture
def perfect(gold):
    [content] = QAC.files.gold_as_submission(open_files(gold), QAC.configure({})).values()
    return content.decode()


@pytest.fixture
def describe(tmp_path, gold):
    def described(text, **options):
        (tmp_path / "run.txt").write_text(text, encoding="utf-8")
        return scoring.describe("qac", gold=gold, system=tmp_path / "run.txt", options=options)

    return described


def test_a_perfect_run_is_summed_up_and_nothing_is_odd(describe, perfect):
    description = describe(perfect)
    assert description.summary.endswith(" of 80 questions.")
    assert " answers to " in description.summary
    assert description.oddities == []


def test_ids_of_another_task_are_told(describe, perfect):
    oddity = one_oddity(describe(perfect.replace("SAR2-", "QAC1-")), "ids")
    assert oddity.message == (
        f"None of the {oddity.of} question IDs occurs in the input: QAC1-1001-01 does not, for example, where the input"
        " has SAR2-1001-01."
    )
    assert oddity.n == oddity.of


def test_ids_of_further_questions_are_ordinary(describe, perfect):
    others = "".join(f'QAC9-{k}-01: "x{k}", 1\n' for k in range(2_000))
    description = describe(perfect + others)
    assert description.oddities == []
    assert description.counts["unknown_questions"] == 2_000


def test_one_answer_to_all_questions_is_told(describe, perfect):
    run = "".join(line.split(":")[0] + ': "Tsu", 1\n' for line in perfect.splitlines() if line.strip())
    oddity = one_oddity(describe(run), "constant")
    assert oddity.message == "80 of 80 questions have the very same answers: Tsu."


def test_answers_in_a_wrong_encoding_are_told(describe, perfect):
    one_oddity(describe(re.sub(r': "', ': "Ã©', perfect)), "encoding")


def test_a_run_without_answers_is_told(describe, perfect):
    oddity = one_oddity(describe("".join(line.split(":")[0] + "\n" for line in perfect.splitlines())), "empty")
    assert oddity.message == "There is no answer to any of the 80 questions."


def test_the_description_is_the_same_whatever_the_gold_answers(tmp_path, gold, perfect):
    lines = GOLD.splitlines()
    other = [line if "\t?\t" in line else "\t".join([line.split("\t")[0], "1", "other", "X1"]) for line in lines]
    (tmp_path / "other.tsv").write_text("\n".join(dict.fromkeys(other)), encoding="utf-8")
    (tmp_path / "run.txt").write_text(perfect, encoding="utf-8")
    one, another = (
        scoring.describe("qac", gold=path, system=tmp_path / "run.txt") for path in (gold, tmp_path / "other.tsv")
    )
    assert one == another
