"""Spans in tables: rows for all documents of a side, in CSV, TSV and JSON, and lists of spans in JSON Lines."""

import json

import pytest

import scoring
from scoring.errors import ConfigurationError
from tests.scoring.describing.oddities import one_oddity
from tests.scoring.readers.mat.documents import gold_of, problems_of, spans_of, system_of

TABLES = {"gold_format": "table", "system_format": "table"}
HEAD = "filename\tlabel\tstart_span\tend_span\ttext\n"
GOLD = {
    "spans.tsv": f"{HEAD}a\tPER\t0\t7\tMirelle\na\tLOC\t13\t20\tGorloin\n",
    "texts/a.txt": "Mirelle left Gorloin harbour.",
    "texts/b.txt": "Nobody came.",
}
LISTS = {**TABLES, "columns": ("_id", "marks[].type", "marks[].from", "marks[].to"), "text_column": "text"}


def read(content, name="run.tsv", gold=GOLD, **chosen):
    return system_of({name: content}, gold, **TABLES | chosen)


def refused(content, name="run.tsv", gold=GOLD, **chosen):
    return [(line, message) for _, line, _, message in problems_of(read, content, name, gold, **chosen)]


ROWS = [("a", "PER", 0, 7), ("b.txt", "LOC", 0, 6)]


@pytest.mark.parametrize(
    ("name", "content", "chosen"),
    [
        ("run.tsv", HEAD + "a\tPER\t0\t7\tMirelle\nb.txt\tLOC\t0\t6\tNobody\n", {}),
        ("deep/run.csv", "end_span,start_span,label,filename\n7,0,PER,a\n6,0,LOC,b.txt\n", {}),
        ("run.csv", "a,PER,0,7,Mirelle,x\nb.txt,LOC,0,6,Nobody,y\n", {"header": False, "gold": ""}),
        ("run.csv", "a,PER,0,7\nb.txt,LOC,0,6\n", {"header": False, "gold": ""}),
        (
            "run.csv",
            "doc,tag,from,to\na,PER,0,7\nb.txt,LOC,0,6\n",
            {"columns": ("doc", "tag", "from", "to"), "gold": "doc,tag,from,to\n"},
        ),
        (
            "run.jsonl",
            "".join(json.dumps(dict(zip(HEAD.split(), row, strict=False))) + "\n" for row in ROWS),
            {},
        ),
        ("run.json", json.dumps([dict(zip(HEAD.split(), row, strict=False)) for row in ROWS]), {}),
    ],
)
def test_rows_are_spans_of_the_document_that_they_name(name, content, chosen):
    gold = GOLD
    if "gold" in chosen:
        gold = {
            "gold.csv": f"{chosen.pop('gold')}a,PER,0,7\n",
            "a.txt": GOLD["texts/a.txt"],
            "b.txt": GOLD["texts/b.txt"],
        }
    system = read(content, name, gold, **chosen)
    assert spans_of(system) == [(0, "PER", 0, 7), (1, "LOC", 0, 6)]
    assert system.warnings == []
    assert not system.missing.any()


def test_every_text_of_the_gold_is_a_document_and_one_without_rows_has_no_spans():
    gold = gold_of(GOLD, **TABLES)
    assert gold.documents == ["a", "b"]
    assert gold.signals == [GOLD["texts/a.txt"], "Nobody came."]
    assert gold.paths == sorted(GOLD)
    assert spans_of(gold) == [(0, "PER", 0, 7), (0, "LOC", 13, 20)]
    assert spans_of(read(HEAD + "b\t\t\t\t\n")) == []


def test_without_a_list_of_labels_every_label_of_a_table_counts():
    run = read(HEAD + "a\tPER\t0\t7\t\nb\tNEW\t0\t6\t\n", content_annotations=None)
    assert spans_of(run) == [(0, "PER", 0, 7), (1, "NEW", 0, 6)]
    assert run.labels == ["LOC", "PER", "NEW"]


def test_a_table_goes_with_gold_in_files_of_their_own():
    gold = {"a.ann": "T1\tPER 0 7\tMirelle\n", "a.txt": "Mirelle left."}
    system = read(HEAD + "a\tPER\t0\t7\t\na.ann\tPER\t0\t7\t\n", gold=gold, gold_format="brat")
    assert spans_of(system) == [(0, "PER", 0, 7)] * 2
    named = read(HEAD + "a.out\tPER\t0\t7\t\n", gold=gold, gold_format="brat", suffix_off=".out", suffix_on=".ann")
    assert spans_of(named) == [(0, "PER", 0, 7)]


def test_everything_wrong_is_told_with_its_line():
    rows = (
        "a\tPER\t0\t99\t\nc\tPER\t0\t1\t\na\tPER\t5\t5\t\na\tPER\t1.0\tx\t\n"
        "a\t\t1\t2\t\nb\tPER\t-1\t2\nb\tPER\t0\t2\t\n"
    )
    assert refused(HEAD + rows) == [
        (2, "offset out of range: from 0 to 99"),
        (3, "document 'c' is not in the gold"),
        (4, "zero-length annotation: from 5 to 5"),
        (5, "the offset '1.0' is not an integer"),
        (5, "the offset 'x' is not an integer"),
        (6, "empty label"),
        (7, "4 fields instead of 5"),
    ]
    assert refused("x", "run.txt")[0][1].startswith("no table of spans: a file is expected that ends in one of .tsv")
    long = "9" * 5000
    assert refused(f"{HEAD}a\tPER\t{long}\t{long}9\t\n")[0][1].startswith("zero-length annotation")


def test_rows_of_documents_that_the_gold_lacks_may_be_left_out():
    rows = HEAD + "a\tPER\t0\t7\t\nbackground-1\tPER\t0\t900\t\nbackground-2\tPER\tx\t1\t\n"
    system = read(rows.replace("\tx\t", "\t0\t"), extra_documents="ignore")
    assert spans_of(system) == [(0, "PER", 0, 7)]
    assert system.warnings == ["system: 2 rows are of documents that the gold does not have, and are left out"]


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ({"spans.tsv": GOLD["spans.tsv"]}, "the texts are missing: they are expected beside the table, as NAME.txt"),
        ({"spans.tsv": f"{HEAD}x\tPER\t0\t1\t\n", "a.txt": "a"}, "document 'x' has no text: x.txt is expected beside"),
        ({**GOLD, "more/a.txt": "a"}, "two texts have the name 'a'"),
        ({"a.txt": "a"}, "no table of spans"),
        ({"spans.tsv": GOLD["spans.tsv"], "a.txt": b"\xff"}, "not valid UTF-8"),
    ],
)
def test_a_gold_needs_a_table_and_the_text_of_each_document(gold, message):
    assert problems_of(gold_of, gold, **TABLES)[0][3].startswith(message)


def objects(*lines):
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_lists_of_spans_in_objects_with_their_texts():
    gold = {
        "gold.jsonl": objects(
            {"_id": "a", "text": " Mirelle left ", "marks": [{"type": "PER", "from": 1, "to": 8}]},
            {"_id": "b", "text": "cafe\u0301 is closed", "marks": []},
        )
    }
    assert gold_of(gold, **LISTS).signals == [" Mirelle left ", "cafe\u0301 is closed"]
    marks = [{"type": "PER", "from": 0, "to": 3}, {"type": "LOC", "from": 0, "to": 5}]
    run = objects({"_id": "a", "marks": None}, {"_id": "b", "marks": marks})
    assert spans_of(read(run, "run.jsonl", gold, **LISTS)) == [(1, "PER", 0, 3), (1, "LOC", 0, 5)]
    wrong = objects({"_id": "a"}, {"_id": "a", "marks": [3]}, {"_id": "b", "marks": [{"type": "PER", "from": 0}]})
    assert refused(wrong, "run.jsonl", gold, **LISTS) == [
        (1, "no key 'marks'; the object has '_id'"),
        (2, 'marks must be a list of objects, such as [{"type": "…", "from": "…", "to": "…"}]'),
        (3, "no key 'to'; the object has 'type', 'from'"),
    ]
    twice = {"gold.jsonl": gold["gold.jsonl"] * 2}
    assert problems_of(gold_of, twice, **LISTS)[0][1:] == (3, None, "id 'a' twice (first on line 1)")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": "a,b,c"}, "four or five names"),
        ({"columns": "a,b[].x,c,d"}, "all but the document has to be in the list"),
        ({"columns": "a,b[].x,c[].y,b[].z"}, "two lists"),
        ({"text_column": "text"}, "text_column needs"),
        ({"system_format": "table", "system_pattern": "a"}, "whatever its name"),
    ],
)
def test_options_that_do_not_go_together(options, message):
    with pytest.raises(ConfigurationError, match=message):
        scoring.FAMILIES["mat"].configure({"content_annotations": "PER"} | options)


NAMES = [f"Person{number:02} of town {'x' * number}" for number in range(40)]


@pytest.mark.parametrize(
    ("move", "words", "kind", "question"),
    [
        (lambda start, end: (start + 1, end + 1), True, "offsets", "are your offsets counted from 1?"),
        (lambda start, end: (start, end - 1), True, "offsets", "do your ends name the last character?"),
        (lambda start, end: (start, end - 1), False, "offsets", "do your ends name the last character?"),
    ],
)
def test_offsets_that_count_otherwise_are_told_with_and_without_words(move, words, kind, question, tmp_path):
    def rows(move):
        places = [move(4 + 5 * (k % 4), 12 + 5 * (k % 4)) for k in range(len(NAMES))]
        cells = ([f"d{k:02}", "PER", *place, *([f"Person{k:02}"] * words)] for k, place in enumerate(places))
        return "".join("\t".join(map(str, row)) + "\n" for row in cells)

    def put(folder, files):
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_text(content, encoding="utf-8")
        return folder

    head = HEAD if words else HEAD.replace("\ttext", "")
    texts = {f"d{k:02}.txt": f"The {'very ' * (k % 4)}{name}" for k, name in enumerate(NAMES)}
    paths = {"gold": put(tmp_path / "gold", {**texts, "spans.tsv": head + rows(lambda *span: span)})}
    paths["options"] = TABLES | {"content_annotations": "PER"}
    right = put(tmp_path / "right", {"run.tsv": head + rows(lambda *span: span)})
    assert scoring.describe("mat", system=right, **paths).oddities == []
    moved = put(tmp_path / "moved", {"run.tsv": head + rows(move)})
    one_oddity(scoring.describe("mat", system=moved, **paths), kind, question)
