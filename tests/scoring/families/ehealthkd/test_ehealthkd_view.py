"""Tests what the page of one sentence shows."""

import json

import pytest

import scoring

FAMILY = scoring.FAMILIES["ehealthkd"]
SENTENCES = "La anemia leve cansa\nNada\nLa tos y la fiebre cansan mucho\n"
GOLD = {
    "input_scenario1.txt": SENTENCES.encode(),
    # In the third sentence, which begins at 26: tos, fiebre, cansan, and mucho.
    "output_a_scenario1.txt": (
        b"1\t3 9;10 14\tConcept\tx\n2\t29 32\tConcept\tx\n3\t38 44\tConcept\tx\n"
        b"4\t45 51\tAction\tx\n5\t52 57\tReference\tx\n"
    ),
    "output_b_scenario1.txt": b"subject\t4\t2\nsubject\t4\t3\n",
}


def shown(system_phrases: bytes, system_relations: bytes, unit: str = "sentence 3", **options: object) -> dict:
    system = {"output_a_scenario1.txt": system_phrases, "output_b_scenario1.txt": system_relations}
    return FAMILY.views.unit_record(GOLD, system, unit, FAMILY.configure(options))


def test_the_phrases_of_a_sentence_are_shown_with_what_became_of_each():
    record = shown(
        b"11\t29 32\tAction\tx\n12\t35 44\tConcept\tx\n13\t45 51\tAction\tx\n14\t33 34\tConcept\tx\n"
        b"1\t3 9\tConcept\tx\n",
        b"",
    )
    assert (record["line"], record["text"]) == (3, "La tos y la fiebre cansan mucho")
    assert record["gold"][1] == {"id": 3, "label": "Concept", "spans": [[12, 18]]}
    assert record["system"][1] == {"id": 12, "label": "Concept", "spans": [[9, 18]]}
    assert record["phrases"] == [
        {"kind": "incorrect", "gold": 0, "system": 0},
        {"kind": "partial", "gold": 1, "system": 1},
        {"kind": "correct", "gold": 2, "system": 2},
        {"kind": "missing", "gold": 3, "system": None},
        {"kind": "spurious", "gold": None, "system": 3},
    ]


def test_a_broken_phrase_keeps_its_pieces():
    assert shown(b"", b"", "sentence 1")["gold"] == [{"id": 1, "label": "Concept", "spans": [[3, 9], [10, 14]]}]


def test_relations_are_shown_between_the_phrases_of_either_side():
    record = shown(
        b"1\t45 51\tAction\tx\n2\t29 32\tConcept\tx\n3\t52 57\tReference\tx\n", b"subject\t1\t2\nin-context\t1\t3\n"
    )
    assert record["relations"] == [
        {"kind": "correct", "label": "subject", "gold": [2, 0], "system": [0, 1]},
        {"kind": "spurious", "label": "in-context", "gold": None, "system": [0, 2]},
        {"kind": "missing", "label": "subject", "gold": [2, 1], "system": None},
    ]


def test_the_kinds_add_up_to_the_counts_of_the_sentence(tmp_path):
    phrases, relations = b"1\t45 51\tAction\tx\n2\t29 44\tConcept\tx\n", b"subject\t1\t2\n"
    for name, files in (
        ("gold", GOLD),
        ("system", {"output_a_scenario1.txt": phrases, "output_b_scenario1.txt": relations}),
    ):
        (tmp_path / name).mkdir()
        for path, content in files.items():
            (tmp_path / name / path).write_bytes(content)
    result = scoring.evaluate("ehealthkd", gold=tmp_path / "gold", system=tmp_path / "system")
    [row] = [row for row in result.tables["sentences"] if row["sentence"] == 3]
    record = shown(phrases, relations)
    for part, suffix in (("phrases", "_A"), ("relations", "_B")):
        for kind in ("correct", "incorrect", "partial", "missing", "spurious"):
            n = sum(pair["kind"] == kind for pair in record[part])
            assert n == row.get(kind + suffix, 0), (part, kind)


def test_there_is_no_page_of_a_sentence_that_is_not_scored():
    with pytest.raises(KeyError):
        shown(b"", b"", "sentence 2")


def test_the_record_is_ready_for_json():
    record = shown(b"1\t45 51\tAction\tx\n", b"")
    assert json.loads(json.dumps(record)) == record
