"""Labels that a system invents: one row of every table, and no score is another one for it."""

import json

import pytest

import scoring
from scoring.labels import NOT_IN_GOLD

WORDS = ["Mirelle", "left", "Gorloin", "for", "Tasmin", "Bay"]
TEXT = " ".join(WORDS)
MARK = "Z0"  # begins each label that is made up
SPACY_ITEMS = [
    {"name": "ner"},
    {"name": "nervaluate"},
    {"name": "seqeval"},
    {"name": "confusion"},
    {"name": "parser"},
    {"name": "morphologizer"},
    {"name": "spancat", "key": "sc"},
    {"name": "textcat_multilabel"},
    {"name": "entity_linker"},
]


def ehealthkd(labels):
    spans, phrases, relations = ["0 7", "13 20", "25 35"], [], []
    for number, (span, label) in enumerate(zip(spans, labels, strict=True), start=1):
        phrases.append(f"{number}\t{span}\t{label}\tx\n")
        relations.append(f"{label}\t{number}\t{number % 3 + 1}\n")
    return {
        "input_scenario1.txt": TEXT + "\n",
        "output_a_scenario1.txt": "".join(phrases),
        "output_b_scenario1.txt": "".join(relations),
    }


def mat(labels):
    spans = [(0, 7), (13, 20), (25, 35)]
    asets = [
        {"type": label, "hasID": False, "hasSpan": True, "attrs": [], "annots": [list(span)]}
        for span, label in zip(spans, labels, strict=True)
    ]
    return {"a.json": json.dumps({"signal": TEXT, "version": 2, "asets": asets})}


def spacy(labels):
    found = [
        {"start": start, "end": end, "label": label}
        for (start, end), label in zip([(0, 1), (2, 3), (4, 6)], labels, strict=True)
    ]
    document = {
        "id": "a",
        "words": WORDS,
        "ents": [each | {"kb_id": "Q1"} for each in found],
        "spans": {"sc": found},
        "deps": [labels[number % 3].lower() for number in range(6)],
        "heads": [1, 1, 1, 1, 5, 3],
        "morphs": [f"{labels[number % 3]}=x" for number in range(6)],
        "pos": ["X"] * 6,
        "cats": {"A": 1.0, "B": 0.0},
    }
    return {
        "file.jsonl": json.dumps(document)
        + "\n"
        + json.dumps(document | {"id": "b", "cats": {"A": 0.0, "B": 1.0}})
        + "\n"
    }


CASES = {
    "ehealthkd": (ehealthkd, {"scenario": "1", "details": "true"}),
    "mat": (mat, {"details": "true", "content_annotations": "PER,LOC,Z00,Z01,Z02"}),
    "spacy": (spacy, {"scores": SPACY_ITEMS, "headline": "ents_f"}),
}
RUNS = {
    "the gold's labels": ["PER", "LOC", "LOC"],
    "some of the gold's": ["LOC", "LOC", "PER"],
    "a label of its own for each": [f"{MARK}{number}" for number in range(3)],
    "one that is made up": ["PER", f"{MARK}1", "LOC"],
}


def written(folder, files):
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


def evaluated(tmp_path, family, labels, **further):
    make, options = CASES[family]
    gold = written(tmp_path / "gold", make(RUNS["the gold's labels"]))
    system = written(tmp_path / "system", make(labels))
    both = [folder if family != "spacy" else folder / "file.jsonl" for folder in (gold, system)]
    return [
        scoring.evaluate(
            family, gold=both[0], system=both[1], options=options, n_resamples=50, gold_labels_only=folds, **further
        )
        for folds in (False, True)
    ]


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("family", CASES)
def test_no_score_depends_on_what_the_tables_list(tmp_path, family, run):
    listed, folded = evaluated(tmp_path, family, RUNS[run])
    for name in ("scores", "intervals", "counts", "signature", "units"):
        assert getattr(listed, name) == getattr(folded, name)
    assert (listed.rows == folded.rows).all()
    assert (listed.draws == folded.draws).all()


@pytest.mark.parametrize("run", ["the gold's labels", "some of the gold's"])
@pytest.mark.parametrize("family", CASES)
def test_labels_of_the_gold_keep_their_rows(tmp_path, family, run):
    listed, folded = evaluated(tmp_path, family, RUNS[run])
    assert listed.tables == folded.tables
    assert listed.table_intervals == folded.table_intervals
    assert listed.warnings == folded.warnings


@pytest.mark.parametrize("family", CASES)
def test_labels_that_are_made_up_are_one_row_of_every_table_by_label(tmp_path, family):
    listed, folded = evaluated(tmp_path, family, RUNS["a label of its own for each"])
    items = scoring.FAMILIES[family].table_notes.item_tables
    found = {name for name, table in listed.tables.items() if name not in items and MARK in json.dumps(table)}
    found |= {name for name, table in listed.tables.items() if name not in items and MARK.lower() in json.dumps(table)}
    assert found
    for name in found:
        rows = folded.tables[name]
        assert MARK not in json.dumps(rows).upper()
        named = [row for row in rows if NOT_IN_GOLD in row.values()]
        assert named
        counts = {key for key, value in rows[0].items() if isinstance(value, int)} - {"test_docs", "test_toks"}
        for key in counts:
            assert sum(row[key] for row in rows) == sum(row[key] for row in listed.tables[name])


@pytest.mark.parametrize("family", CASES)
def test_participants_are_told_of_their_labels_that_the_gold_lacks(tmp_path, family):
    listed, folded = evaluated(tmp_path, family, RUNS["one that is made up"])
    (told,) = set(folded.warnings) - set(listed.warnings)
    assert f"{MARK}1".lower() in told.lower()
    assert NOT_IN_GOLD in told


def test_of_many_labels_a_few_are_named_and_long_ones_are_cut(tmp_path):
    words = [f"w{number}" for number in range(9)]
    text = " ".join(words) + "\n"
    phrases = [f"{k + 1}\t{3 * k} {3 * k + 2}\tPER\tx\n" for k in range(9)]
    invented = [f"{k + 1}\t{3 * k} {3 * k + 2}\t{MARK}{k}{'x' * 500}\tx\n" for k in range(9)]
    sides = [
        {"input_scenario2.txt": text, "output_a_scenario2.txt": "".join(own), "output_b_scenario2.txt": ""}
        for own in (phrases, invented)
    ]
    paths = [written(tmp_path / name, side) for name, side in zip(("gold", "system"), sides, strict=True)]
    found = scoring.evaluate(
        "ehealthkd", gold=paths[0], system=paths[1], options={"scenario": "2"}, gold_labels_only=True
    )
    told = next(warning for warning in found.warnings if NOT_IN_GOLD in warning)
    assert told.startswith("9 labels of the run are not in the gold, ")
    assert told.count(MARK) == 5
    assert len(told) < 400
