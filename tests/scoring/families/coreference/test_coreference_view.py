"""Tests what the page of one document shows."""

import json

import pytest

import scoring
from scoring.readers.archive import open_files

FAMILY = scoring.FAMILIES["coreference"]


def test_a_document_is_shown_in_its_text_with_the_entities_of_both_sides(tmp_path):
    options = FAMILY.configure({"format": "conll"})
    text = FAMILY.example(options)["letters.conll"]
    (tmp_path / "gold.conll").write_bytes(text)
    (tmp_path / "system.conll").write_bytes(text.replace(b"(1)", b"(7)"))
    shown = FAMILY.views.unit_record(
        open_files(tmp_path / "gold.conll"), open_files(tmp_path / "system.conll"), "letter-000", options
    )

    assert shown["text"] == "Anna sees her mother\nShe waves"
    assert shown["gold"] == [
        {"entity": "0", "mention": "Anna", "other": "0", "start": 0, "end": 4, "pieces": [[0, 4]]},
        {"entity": "1", "mention": "her mother", "other": "1", "start": 10, "end": 20, "pieces": [[10, 20]]},
        {"entity": "0", "mention": "her", "other": "0", "start": 10, "end": 13, "pieces": [[10, 13]]},
        {"entity": "1", "mention": "She", "other": "7", "start": 21, "end": 24, "pieces": [[21, 24]]},
    ]
    assert shown["gold_entities"][1] == {"entity": "1", "mentions": 2, "found": 2, "others": "1 (1), 7 (1)"}
    assert [row["entity"] for row in shown["system_entities"]] == ["0", "1", "7"]
    assert json.dumps(shown)
    with pytest.raises(KeyError):
        FAMILY.views.unit_record(
            open_files(tmp_path / "gold.conll"), open_files(tmp_path / "system.conll"), "letter", options
        )


def test_a_document_without_a_text_is_shown_as_mentions(tmp_path):
    gold = write(tmp_path / "gold", {"0": ["a", "b"], "1": ["c"]})
    system = write(tmp_path / "system", {"0": ["a", "d"]})
    shown = FAMILY.views.unit_record(open_files(gold), open_files(system), "a", FAMILY.configure({}))
    assert shown == {
        "gold": [
            {"entity": "0", "mention": "a", "other": "0"},
            {"entity": "0", "mention": "b", "other": None},
            {"entity": "1", "mention": "c", "other": None},
        ],
        "system": [{"entity": "0", "mention": "a", "other": "0"}, {"entity": "0", "mention": "d", "other": None}],
        "gold_entities": [
            {"entity": "0", "mentions": 2, "found": 1, "others": "0 (1)"},
            {"entity": "1", "mentions": 1, "found": 0, "others": ""},
        ],
        "system_entities": [{"entity": "0", "mentions": 2, "found": 1, "others": "0 (1)"}],
    }


def test_what_has_no_word_is_shown_where_it_would_stand(tmp_path):
    rows = ["1\tcome\t", "1.1\t_\t", "2\tnow\t"]
    gold = ["(a)", "(b)", "(b)"]
    system = ["(a)", None, "(b)"]
    for side, entities in (("gold", gold), ("system", system)):
        lines = [row + "_\t" * 7 + f"Entity={entity}" for row, entity in zip(rows, entities, strict=True) if entity]
        (tmp_path / side).write_text("# newdoc id = d\n" + "\n".join(lines) + "\n")
    shown = FAMILY.views.unit_record(
        open_files(tmp_path / "gold"), open_files(tmp_path / "system"), "d", FAMILY.configure({})
    )
    assert shown["text"] == "come now"
    assert [(row["mention"], row["start"], row["end"]) for row in shown["gold"]] == [
        ("come", 0, 4),
        ("now", 5, 8),
        ("∅", 5, 5),
    ]
    assert [(row["mention"], row["start"], row["other"]) for row in shown["system"]] == [
        ("come", 0, "a"),
        ("now", 5, "b"),
    ]


def write(folder, clusters):
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps({"type": "clusters", "clusters": clusters}))
    return folder
