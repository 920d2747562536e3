"""Corrected sentences as the M2 scorer scores them, by hand; its own figures are the reference cases `maxmatch`."""

import pytest

import scoring
from scoring.readers.archive import Made
from tests.scoring.families.test_edits import edit, noop

EDITS = scoring.FAMILIES["edits"]
OPTIONS = {"protocol": "m2scorer"}
BOAT = "S The boat lay at pier .\n"


def sides(gold, *lines):
    return {"gold": Made({"gold.m2": gold.encode()}), "system": Made({"run.txt": ("\n".join(lines) + "\n").encode()})}


def evaluate(gold, *lines, **options):
    return scoring.evaluate("edits", **sides(gold, *lines), options=OPTIONS | options)


def counts(gold, *lines):
    return [evaluate(gold, *lines).counts[name] for name in ("tp", "fp", "fn")]


def found(gold, line):
    """Return the edits of the one corrected sentence."""
    files = ({"gold.m2": gold.encode()}, {"run.txt": f"{line}\n".encode()})
    record = EDITS.views.unit_record(*files, "1", EDITS.configure(OPTIONS))
    return [(row["tokens"], row["correction"]) for row in record["edits"] if row["annotator"] == ""]


@pytest.mark.parametrize(
    ("annotated", "expected"),
    [
        (
            edit(3, 4, "Prep", "on") + edit(4, 4, "ArtOrDet", "the"),
            [("The", "A"), ("at", "on"), ("", "the")],
        ),
        (edit(2, 4, "Prep", "lay on the"), [("The", "A"), ("lay at", "lay on the")]),
        (noop(0), [("The boat lay at", "A boat lay on the")]),
        (edit(0, 1, "ArtOrDet", "A"), [("The", "A"), ("at", "on the")]),
    ],
)
def test_edits_are_those_that_fit_the_annotator_best_and_else_as_few_as_possible(annotated, expected):
    assert found(BOAT + annotated, "A boat lay on the pier .") == expected


@pytest.mark.parametrize(("kept", "n"), [("b c", 1), ("b c d", 2)])
def test_changes_are_one_edit_across_two_tokens_that_are_kept_and_no_more(kept, n):
    assert len(found(f"S a {kept} e\n", f"x {kept} y")) == n


def test_the_example_of_the_document_comes_out():
    gold = BOAT + edit(3, 4, "Prep", "on") + edit(4, 4, "ArtOrDet", "the||a")
    gold += f"\nS The crew .\n{edit(1, 2, 'Nn', 'crews')}{noop(1)}"
    result = evaluate(gold, "A boat lay on the pier .", "The crew .")
    assert [row["annotator"] for row in result.tables["sentences"]] == ["0", "1"]
    assert result.scores == {"fbeta": pytest.approx(5 / 7), "precision": pytest.approx(2 / 3), "recall": 1.0}
    assert [(row["type"], row["tp"], row["fp"]) for row in result.tables["types"]] == [
        ("ArtOrDet", 1, 0),
        ("Prep", 1, 0),
        ("(not in the gold)", 0, 1),
    ]


def test_of_annotators_that_fit_equally_well_the_smaller_number_counts():
    gold = "S a b\n" + edit(0, 1, "X", "x", 10) + edit(0, 1, "Y", "y", 2)
    assert evaluate(gold, "a b").tables["sentences"][0]["annotator"] == "2"


def test_nothing_is_found_where_nothing_is_changed_and_an_empty_line_leaves_all_tokens_out():
    assert counts("S a b\n" + edit(0, 1, "X", "x"), "a b") == [0, 0, 1]
    assert counts("S a b\n" + edit(0, 2, "X", "-NONE-"), "") == [1, 0, 0]


def test_an_edit_that_an_annotator_has_twice_is_found_once():
    assert counts("S a\n" + edit(1, 1, "X", "b") * 2, "a b") == [1, 0, 1]


def test_edits_in_another_order_than_the_sentence_are_found_only_behind_each_other():
    gold = "S a k l m b\n" + edit(4, 5, "X", "y") + edit(0, 1, "X", "x")
    assert counts(gold, "x k l m y") == [1, 1, 1]


@pytest.mark.parametrize("line", ["x " * 100_000, "a " * 99_999 + "x", " ".join(f"x{k}" for k in range(300))])
def test_what_cannot_be_aligned_counts_as_one_edit_and_is_told(line):
    result = evaluate(f"S {'a ' * (100_000 if len(line) > 9999 else 300)}\n", line)
    assert [result.counts[name] for name in ("tp", "fp", "fn")] == [0, 1, 0]
    assert "too long or differs too much" in result.warnings[0]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["The boat ."], "run.txt:2: 1 lines instead of 2"),
        (["S The boat .", "A 0 1|||X|||x|||_|||_|||0", ""], "run.txt:2: expected the corrected sentences, one a line"),
    ],
)
def test_a_run_that_is_no_list_of_corrected_sentences_is_refused(lines, expected):
    [problem] = scoring.check("edits", **sides("S The boat .\n\nS Good .\n", *lines), options=OPTIONS)
    assert expected in str(problem)


@pytest.mark.parametrize("option", [{"level": "spans"}, {"only": "multi"}, {"exclude": "UNK"}])
def test_options_of_errant_alone_are_refused(option):
    with pytest.raises(scoring.ConfigurationError, match="the protocol m2scorer does without it"):
        EDITS.configure(OPTIONS | option)


def test_the_gold_as_a_run_has_all_edits_made():
    options = EDITS.configure(OPTIONS)
    small = EDITS.offer.specimen(options)
    own = EDITS.files.gold_as_submission(small.gold, options)
    result = scoring.evaluate("edits", gold=Made(small.gold), system=Made(own), options=OPTIONS)
    assert result.scores["fbeta"] == 1
    assert EDITS.score_when_perfect(options) is None
