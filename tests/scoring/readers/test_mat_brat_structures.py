"""Relations, events and attributes of BRAT: what is equal to what, by hand, and what is refused."""

import pytest

import scoring
from tests.scoring.readers.mat_documents import gold_of, problems_of

TEXT = "Ann saw Bo leave; Ann did not."
ENTITIES = "T1\tPER 0 3\tAnn\nT2\tPER 8 10\tBo\nT3\tSee 4 7\tsaw\nT4\tLeave 11 16\tleave\nT5\tPER 18 21\tAnn\n"
GOLD = (
    f"{ENTITIES}R1\tKnows Arg1:T1 Arg2:T2\t\nE1\tSee:T3 Agent:T1 Theme:E2\nE2\tLeave:T4 Agent:T2\n"
    "A1\tNegated E2\nA2\tTime E2 Past\nA3\tSure R1\n*\tEquiv T1 T5\n#1\tNote T1\tx\nN1\tReference T1 W:1\tAnn\n"
)
LABELS = "PER,See,Leave,Knows,Negated,Time,Sure"


def counts(tmp_path, system, gold=GOLD, **chosen):
    """(matches, missing or clashing of the gold, surplus of the system)."""
    for name, content in (("gold", gold), ("system", system)):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
        (tmp_path / name / "a.ann").write_text(content)
        (tmp_path / name / "a.txt").write_text(TEXT)
    options = {"gold_format": "brat", "system_format": "brat", "structures": "count", "content_annotations": LABELS}
    paths = {"gold": tmp_path / "gold", "system": tmp_path / "system"}
    result = scoring.evaluate("mat", **paths, options=options | chosen)
    return tuple(result.counts[name] for name in ("match", "refonly", "hyponly"))


def test_each_line_that_counts_is_one_annotation_and_an_event_stands_for_its_trigger(tmp_path):
    assert counts(tmp_path, GOLD) == (9, 0, 0)
    assert counts(tmp_path, GOLD, structures="ignore") == (5, 0, 0)
    assert counts(tmp_path, GOLD, content_annotations="Knows") == (1, 0, 0)


def test_without_its_event_a_trigger_is_an_annotation_again(tmp_path):
    """The gold has E1 and E2, of which the system has the triggers alone: their places are right, no more."""
    assert counts(tmp_path, ENTITIES, content_annotations="See,Leave") == (0, 2, 2)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        # Other numbers, and another order of lines, arguments and IDs.
        ("E1\tSee:T3 Agent:T1 Theme:E2", "E9\tSee:T3 Theme2:E2 Agent:T1", (9, 0, 0)),
        ("R1\tKnows Arg1:T1 Arg2:T2", "R1\tKnows Arg2:T2 Arg1:T1", (9, 0, 0)),
        # A relation the other way round, and the attribute of it.
        ("R1\tKnows Arg1:T1 Arg2:T2", "R1\tKnows Arg1:T2 Arg2:T1", (7, 2, 2)),
        # Another place with the same words.
        ("Agent:T1", "Agent:T5", (8, 1, 1)),
        ("Agent:T1", "Patient:T1", (8, 1, 1)),
        (" Agent:T1", "", (8, 1, 1)),
        # An argument more: the events that refer to this one know its type and trigger alone.
        ("E2\tLeave:T4 Agent:T2", "E2\tLeave:T4 Agent:T2 Agent2:T1", (8, 1, 1)),
        ("E2 Past", "E2 Future", (8, 1, 1)),
        ("A1\tNegated E2", "A1\tNegated E1", (8, 1, 1)),
        ("A1\tNegated E2", "A1\tNegated T4", (9, 0, 0)),
        ("A1\tNegated E2\n", "M1\tNegated E2\n", (9, 0, 0)),
        # The trigger one letter shorter: both events, the two attributes of it.
        ("Leave 11 16\tleave", "Leave 11 15\tleav", (5, 4, 4)),
    ],
)
def test_what_is_equal(old, new, expected, tmp_path):
    assert old in GOLD
    assert counts(tmp_path, GOLD.replace(old, new)) == expected
    assert counts(tmp_path, GOLD.replace(old, new), pairing="2.x") == expected


def test_a_relation_never_clashes_with_what_it_lies_over(tmp_path):
    result = counts(tmp_path, "T1\tPER 0 3\tAnn\nT2\tPER 8 10\tBo\nR1\tKnows Arg1:T1 Arg2:T2\n", gold=ENTITIES)
    assert result == (2, 3, 1)
    paths = {"gold": tmp_path / "gold", "system": tmp_path / "system"}
    options = {"gold_format": "brat", "system_format": "brat", "structures": "count", "content_annotations": LABELS}
    found = scoring.evaluate("mat", **paths, options=options)
    assert (found.counts["missing"], found.counts["spurious"], found.counts["partial_partial"]) == (3, 1, 0)
    places = [(row["hyplabel"], row["hypstart"], row["hypend"], row["hypcontent"]) for row in found.tables["details"]]
    assert ("Knows", 0, 10, "Ann saw Bo") in places


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("R1\tKnows Arg1:T1", "not valid BRAT: expected R1<TAB>type and two arguments, ROLE:ID each"),
        ("R1\tKnows Arg1:T1 T2", "not valid BRAT: 'T2' is not ROLE:ID"),
        ("R1 Knows", "not valid BRAT: expected R1<TAB>type and what it is about"),
        ("R1\tKnows Arg1:T1 Arg2:T9", "not valid BRAT: no annotation 'T9' in this file"),
        ("R1\tKnows Arg1:T1 Arg2:R1", "not valid BRAT: no annotation 'R1' in this file"),
        ("E1\tSee", "not valid BRAT: 'See' is not ROLE:ID"),
        ("E1\tSee:T8", "not valid BRAT: no annotation 'T8' in this file"),
        ("E1\tSee:E1 Agent:E1", "not valid BRAT: no annotation 'E1' in this file"),
        ("A1\tNegated", "not valid BRAT: expected A1<TAB>type, the ID of an annotation, perhaps a value"),
        ("A1\tNegated E7", "not valid BRAT: no annotation 'E7' in this file"),
    ],
)
def test_what_is_refused(line, message):
    chosen = {"gold_format": "brat", "structures": "count", "content_annotations": tuple(LABELS.split(","))}
    files = {"a.ann": f"{ENTITIES}{line}\n", "a.txt": TEXT}
    assert problems_of(gold_of, files, **chosen) == [("a.ann", 6, None, message)]
    assert gold_of(files, **chosen | {"structures": "ignore"})


def test_structures_need_brat_on_both_sides():
    with pytest.raises(scoring.ConfigurationError, match="count needs the format brat for gold and system"):
        scoring.FAMILIES["mat"].configure({"structures": "count", "gold_format": "brat"})
