"""Labels of a table that the list lacks are told by their own words."""

import pytest

import scoring
from tests.scoring.describing.oddities import one_oddity

GOLD = "id,label\n" + "".join(f"d{k},{label}\n" for k, label in enumerate(["report_07", "ask", "thank"] * 20))


@pytest.mark.parametrize(
    ("write", "kind", "words"),
    [
        (str.upper, "case", "ASK (20 times; did you mean ask?)"),
        (lambda label: label.replace("_0", "_"), "labels", "report_7 (20 times; did you mean report_07?)"),
        (lambda label: label.replace("thank", "other"), "labels", "other (20 times)"),
    ],
)
def test_labels_outside_the_list_keep_their_words(write, kind, words, tmp_path):
    heading, *rows = GOLD.splitlines()
    pairs = [row.split(",") for row in rows]
    run = "\n".join([heading, *(f"{name},{write(label)}" for name, label in pairs)])
    (tmp_path / "gold.csv").write_text(GOLD)
    (tmp_path / "run.csv").write_text(run)
    options = {"unknown_labels": "wrong"}
    description = scoring.describe("labels", gold=tmp_path / "gold.csv", system=tmp_path / "run.csv", options=options)
    one_oddity(description, kind, words)


@pytest.mark.parametrize(("known", "is_told"), [("ask", False), ("elsewhere", True)])
def test_ranked_guesses_out_of_a_collection_may_be_what_no_gold_names(known, is_told, tmp_path):
    (tmp_path / "gold.csv").write_text(GOLD)
    (tmp_path / "run.csv").write_text(
        "id,label\n" + "".join(f"d{k},paper{k};{known};paper{k + 1}\n" for k in range(60))
    )
    options = {"task": "ranked", "labels": "union", "unknown_labels": "wrong"}
    description = scoring.describe("labels", gold=tmp_path / "gold.csv", system=tmp_path / "run.csv", options=options)
    assert any(oddity.kind == "labels" for oddity in description.oddities) is is_told
