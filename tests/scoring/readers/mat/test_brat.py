"""BRAT's standoff lines: which are read, and what is refused, with its line."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from scoring.errors import SubmissionError
from scoring.readers.archive import open_files
from scoring.readers.mat import read_gold
from tests.scoring.readers.mat.documents import (
    annotation_set,
    document,
    gold_of,
    options,
    problems_of,
    spans_of,
    system_of,
    tokens_of,
)
from tests.thoroughness import n_inputs

BRAT = {"system_format": "brat", "suffix_off": ".ann", "suffix_on": ".json"}


def read(text, **chosen):
    return system_of({"a.ann": text}, **BRAT | chosen)


def refused(text, **chosen):
    return [(line, message) for _, line, _, message in problems_of(read, text, **chosen)]


def test_text_bound_lines_are_read_and_other_lines_are_ignored():
    system = read(
        "T1\tPER 0 7\tMirelle\r\nR1\tx Arg1:T1 Arg2:T2\n#1\tNote T1\t?\n\n*\tEquiv T1 T2\nT2\tZ 0 99\t\nT3\tlex 0 7\t\n"
        "T4\tLOC 13 20\tGorloin"
    )
    assert spans_of(system) == [(0, "PER", 0, 7), (0, "LOC", 13, 20)]
    assert system.n_ignored == 1
    assert tokens_of(system) == []
    assert system.names == ["a.ann"]


def test_newlines_of_the_text_are_shown_as_spaces():
    gold = {"a.json": document(signal="a\nb\tc\r\nd")}
    system = system_of({"a.ann": "T1\tPER 0 8\ta b\tc  d\n"}, gold, **BRAT)
    assert spans_of(system) == [(0, "PER", 0, 8)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T1 PER 0 7 Mirelle", "not valid BRAT"),
        ("T\tPER 0 7\tMirelle", "not valid BRAT"),
        ("T1\tPER 0\tMirelle", "not valid BRAT"),
        ("T1\tPER 0 7", "not valid BRAT"),
        ("T1\tPER 0 7.5\tMirelle", "not valid BRAT"),
        ("T1\tPER 0 7;\tMirelle", "not valid BRAT"),
        ("T1\tP R 0 7\tMirelle", "not valid BRAT"),
        ("1\tPER 0 7\tMirelle", "not valid BRAT"),
        (" T1\tPER 0 7\tMirelle", "not valid BRAT"),
        ("T1\tPER 7 7\t", "zero-length annotation: from 7 to 7"),
        ("T1\tPER 7 0\tMirelle", "offset out of range: from 7 to 0"),
        ("T1\tPER -1 7\tMirelle", "offset out of range"),
        ("T1\tPER 20 30\t harbour.", "offset out of range: from 20 to 30"),
        (f"T1\tPER 0 {'9' * 5000}\tMirelle", "offset out of range"),
        ("T1\tPER 0 3;8 11\tMir lef", "discontinuous annotation"),
    ],
)
def test_what_is_refused_and_where(line, message):
    [(found, text)] = refused(f"T9\tLOC 13 20\tGorloin\n{line}\n")
    assert found == 2
    assert text.startswith(message)


@pytest.mark.parametrize("words", ["Mirell", "Mirelle ", "", "mirelle", "Mirelle left"])
def test_words_that_differ_are_told_and_the_offsets_count(words):
    system = read(f"T9\tLOC 13 20\tGorloin\nT1\tPER 0 7\t{words}\n")
    assert spans_of(system) == [(0, "LOC", 13, 20), (0, "PER", 0, 7)]
    assert system.warnings == [
        "system: the words of 1 annotations are not what stands between their offsets, which count; first in a.ann, "
        "line 2, where 'Mirelle' stands"
    ]


LF, CRLF = "Ann runs.\nBob Lee sits.\nEve\n", "Ann runs.\r\nBob Lee sits.\r\nEve\r\n"
IN_LF = "T1\tPER 0 3\tAnn\nT2\tPER 10 17\tBob Lee\nT3\tLOC 24 27\tEve\n"
IN_CRLF = "T1\tPER 0 3\tAnn\nT2\tPER 11 18\tBob Lee\nT3\tLOC 26 29\tEve\n"
BOTH_BRAT = {"system_format": "brat", "gold_format": "brat"}


@pytest.mark.parametrize("gold_text", [LF, CRLF])
@pytest.mark.parametrize("own_text", [LF, CRLF, None])
@pytest.mark.parametrize("annotations", [IN_LF, IN_CRLF])
@pytest.mark.parametrize("gold_annotations", [IN_LF, IN_CRLF])
def test_line_ends_of_the_texts_make_no_difference(gold_text, own_text, annotations, gold_annotations):
    gold = {"a.ann": gold_annotations, "a.txt": gold_text}
    system = system_of({"a.ann": annotations} | ({"a.txt": own_text} if own_text else {}), gold, **BOTH_BRAT)
    places = [(0, 3), (10, 17), (24, 27)] if gold_text == LF else [(0, 3), (11, 18), (26, 29)]
    assert [span[2:] for span in spans_of(system)] == places
    assert [span[2:] for span in spans_of(gold_of(gold, **BOTH_BRAT))] == places
    fits = (annotations == IN_LF) == (gold_text == LF)
    assert system.warnings == (
        []
        if fits
        else [
            "system: offsets of 1 documents count other line ends (CRLF, LF) than the text has, and were moved; first"
            " in a.ann"
        ]
    )


def test_offsets_that_fit_neither_kind_of_line_ends_are_refused_in_one_sentence():
    gold = {"a.ann": IN_LF, "a.txt": LF}
    shifted = "T1\tPER 1 4\tAnn\nT2\tPER 14 21\tBob Lee\nT3\tLOC 90 93\tEve\n"
    [(file, line, _, message)] = problems_of(system_of, {"a.ann": shifted, "a.txt": CRLF}, gold, **BOTH_BRAT)
    assert (file, line) == ("a.ann", None)
    assert message.startswith("line ends: the text beside these annotations differs from the gold's")


def test_a_text_that_differs_in_more_than_line_ends_is_told_where():
    gold = {"a.ann": IN_LF, "a.txt": LF}
    [(_, _, _, message)] = problems_of(
        system_of, {"a.ann": IN_CRLF, "a.txt": CRLF.replace("Bob", "Bab")}, gold, **BOTH_BRAT
    )
    assert message == "signal differs from gold at offset 11, each CRLF counted as one character"


def test_offsets_of_utf16_move_with_the_line_ends_as_well():
    gold = {"a.ann": "", "a.txt": "🙂\nAnn\n"}
    system = system_of({"a.ann": "T1\tPER 4 7\tAnn\n"}, gold, offset_unit="utf16", **BOTH_BRAT)
    assert spans_of(system) == [(0, "PER", 2, 5)]


def test_annotations_in_several_parts_keep_their_parts():
    system = read("T1\tPER 13 20;0 7\tMirelle Gorloin\nT2\tLOC 8 12\tleft\n", discontinuous="parts")
    assert spans_of(system) == [(0, "PER", 0, 20), (0, "LOC", 8, 12)]
    assert [system.shapes[code] for code in system.spans.shape] == [((0, 7), (13, 20)), ()]
    assert system.warnings == []


def test_a_discontinuous_annotation_may_be_taken_from_its_first_start_to_its_last_end():
    system = read("T1\tPER 0 7;13 20\twhatever\n", discontinuous="outer")
    assert spans_of(system) == [(0, "PER", 0, 20)]
    assert refused("T1\tPER 0 7;13 40\tx\n", discontinuous="outer")[0][1].startswith("offset out of range")


def test_every_line_with_a_problem_is_reported():
    found = refused("T1 x\nT2\tPER 0 0\t\nT3\tLOC 0 7\tMirelle\nT4\tPER 0 99\tx\n")
    assert [line for line, _ in found] == [1, 2, 4]


def test_offsets_may_count_utf16_code_units():
    gold = {"a.json": document(signal="🙂 𝒳eno")}
    chosen = BRAT | {"offset_unit": "utf16"}
    assert spans_of(system_of({"a.ann": "T1\tPER 3 8\t𝒳eno\n"}, gold, **chosen)) == [(0, "PER", 2, 6)]
    [(_, line, _, message)] = problems_of(system_of, {"a.ann": "T1\tPER 4 8\teno\n"}, gold, **chosen)
    assert (line, message) == (1, "offset out of range: from 4 to 8")


def test_a_text_beside_the_annotations_has_to_be_the_golds():
    chosen = {"system_format": "brat", "gold_format": "brat"}
    gold = {"a.ann": "T1\tPER 0 2\tab\n", "a.txt": "ab\n", "other.txt": "x", "note.md": ""}
    assert sorted(gold_of(gold, **chosen).paths) == ["a.ann", "a.txt"]
    assert spans_of(system_of({"a.ann": "T1\tPER 1 2\tb\n", "a.txt": "ab\n"}, gold, **chosen)) == [(0, "PER", 1, 2)]
    assert spans_of(system_of({"a.ann": "T1\tPER 1 2\tb\n"}, gold, **chosen)) == [(0, "PER", 1, 2)]
    found = problems_of(system_of, {"a.ann": "T1\tPER 1 2\tc\n", "a.txt": "ac\n"}, gold, **chosen)
    words = "signal differs from gold at offset 1: 'ac\\n', where the task has 'ab\\n'"
    assert found == [("a.ann", None, None, words)]
    found = problems_of(system_of, {"a.ann": "", "a.txt": b"\xff"}, gold, **chosen)
    assert found == [("a.txt", 1, 1, "not valid UTF-8: byte 0xff; save the file as UTF-8")]


def test_the_gold_needs_its_texts():
    found = problems_of(gold_of, {"a.ann": "", "b.ann": ""}, gold_format="brat")
    assert found == [
        ("a.ann", None, None, "not valid BRAT: its text is missing, a.txt is expected beside it"),
        ("b.ann", None, None, "not valid BRAT: its text is missing, b.txt is expected beside it"),
    ]


def test_a_single_file_has_its_text_beside_it(tmp_path):
    (tmp_path / "a.ann").write_text("T1\tPER 0 2\tab\n")
    (tmp_path / "a.txt").write_text("ab")
    gold = read_gold(open_files(tmp_path / "a.ann"), options(gold_format="brat"))
    assert gold.signals == ["ab"]
    assert gold.paths == ["a.ann"]


def test_bytes_that_are_no_utf8_are_refused_with_their_place():
    found = problems_of(read, "T1\tPER 0 7\tMirelle\nÿ".encode("latin-1"))
    assert found == [("a.ann", 2, 1, "not valid UTF-8: byte 0xff; save the file as UTF-8")]


LINES = st.sampled_from(
    ["T1\tPER 0 7\tMirelle", "T1\tPER 0 7;8 9\tx", "T2\tlex 1 2\ti", "", "R1\tx", "# n", "T", "T1\t"]
)


@settings(max_examples=n_inputs(300))
@given(
    lines=st.lists(LINES | st.text(max_size=20), max_size=5),
    in_utf16=st.booleans(),
    discontinuous=st.sampled_from(["error", "outer", "parts"]),
)
def test_made_up_files_are_refused_and_nothing_else(lines, in_utf16, discontinuous):
    gold = {"a.json": document(annotation_set("PER", (0, 2)), signal="Mirelle 🙂\nleft")}
    chosen = {
        "offset_unit": "utf16" if in_utf16 else "code_points",
        "discontinuous": discontinuous,
    }
    with contextlib.suppress(SubmissionError):
        system_of({"a.ann": "\n".join(lines).encode(errors="replace")}, gold, **BRAT | chosen)


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
