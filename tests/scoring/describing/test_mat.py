"""Perfect runs of spans without text broken in one way each: only words can tell."""

import json

import pytest

import scoring
from demo.plan import read_task
from tests.scoring.describing.oddities import one_oddity

TASK = read_task("mat")
GOLD = {name: json.loads(text) for name, text in TASK.gold("test", 1).texts().items()}
LABELS, NAMES = (scenario.options["content_annotations"] for scenario in TASK.scenarios)


def write(folder, documents):
    return put(folder, {name: json.dumps(document, ensure_ascii=False) for name, document in documents.items()})


def put(folder, texts):
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def describe(tmp_path):
    def described(system, gold=GOLD, **options):
        paths = {"gold": write(tmp_path / "gold", gold), "system": write(tmp_path / "system", system)}
        return scoring.describe("mat", **paths, options={"content_annotations": LABELS, **options})

    return described


def changed(move=lambda text, start, end: (start, end), label=lambda label: label, signal=lambda text: text, gold=GOLD):
    """The gold with other offsets, labels or texts; spans that would leave their text are left out."""
    documents = {}
    for name, document in gold.items():
        text = document["signal"]
        sets = []
        for aset in document["asets"]:
            if aset["type"] == "lex":
                continue
            rows = [[*move(text, *row[:2]), *row[2:]] for row in aset["annots"]]
            rows = [row for row in rows if 0 <= row[0] < row[1] <= len(signal(text))]
            sets.append(aset | {"type": label(aset["type"]), "annots": rows})
        documents[name] = document | {"signal": signal(text), "asets": sets, "metadata": {}}
    return documents


def test_a_perfect_run_is_summed_up_and_nothing_is_odd(describe):
    description = describe(changed())
    n = sum(len(aset["annots"]) for document in changed().values() for aset in document["asets"])
    assert description.summary == f"{n} spans in 64 of 64 documents."
    assert description.oddities == []


@pytest.mark.parametrize(
    ("move", "question"),
    [
        (lambda text, start, end: (start + 1, end + 1), "counted from 1?"),
        (lambda text, start, end: (start - 1, end - 1), "something before the text left out"),
        (lambda text, start, end: (start + 2, end + 2), "something before the text counted"),
        (lambda text, start, end: (start, end - 1), "name the last character"),
        (lambda text, start, end: (start + 1, end), "counted from 1, with ends that name the last"),
        (
            lambda text, start, end: tuple(place + text.count("\n", 0, place) for place in (start, end)),
            "line ends count as two characters (CRLF)",
        ),
    ],
)
def test_spans_off_their_words_are_told_with_the_way_of_counting_that_mends_them(move, question, describe):
    one_oddity(describe(changed(move)), "offsets", question)


def in_brat(move):
    """The gold's spans as standoff lines, whose words are right, at other offsets."""
    files = {}
    for name, document in changed().items():
        text = document["signal"]
        rows = [(aset["type"], *row[:2]) for aset in document["asets"] for row in aset["annots"]]
        lines = [(label, *move(start, end), text[start:end]) for label, start, end in rows if end < len(text)]
        files[name.removesuffix(".json") + ".ann"] = "".join(
            f"T{k}\t{label} {start} {end}\t{words}\n" for k, (label, start, end, words) in enumerate(lines, start=1)
        )
    return files


@pytest.mark.parametrize(
    ("move", "kind", "words"),
    [
        (lambda start, end: (start + 1, end + 1), "offsets", "are your offsets counted from 1?"),
        (lambda start, end: (start, end - 1), "offsets", "do your ends name the last character?"),
        (lambda start, end: (start % 7, start % 7 + 3), "span-text", "no way of counting explains it"),
    ],
)
def test_standoff_lines_whose_words_stand_elsewhere_are_told(move, kind, words, tmp_path):
    texts = {name.replace(".json", ".txt"): document["signal"] for name, document in GOLD.items()}
    right = in_brat(lambda *span: span)
    paths = {"gold": put(tmp_path / "gold", texts | right), "options": {"content_annotations": LABELS}}
    paths["options"] |= {"gold_format": "brat", "system_format": "brat"}
    assert scoring.describe("mat", system=put(tmp_path / "right", right), **paths).oddities == []
    moved = scoring.describe("mat", system=put(tmp_path / "moved", in_brat(move)), **paths)
    oddity = one_oddity(moved, kind, words)
    assert oddity.file.endswith(".ann")
    assert oddity.line == 1


def accented(gold):
    """The documents with a word in front that UTF-8 and UTF-16 count in different ways, and their spans behind it."""
    head = "áéíóú🙂🙂 "
    return changed(lambda text, start, end: (start + len(head), end + len(head)), signal=lambda text: head + text)


@pytest.mark.parametrize(
    ("count", "question"),
    [
        (lambda text: len(text.encode()), "bytes of UTF-8"),
        (lambda text: len(text.encode("utf-16-le")) // 2, "UTF-16 code units"),
    ],
)
def test_bytes_and_units_are_told_where_code_points_are_wanted(count, question, describe):
    gold = accented(GOLD)
    run = changed(lambda text, start, end: (count(text[:start]), count(text[:end])), gold=gold)
    assert question in one_oddity(describe(run, gold)).message


def test_code_points_are_told_where_utf16_units_are_wanted(describe):
    gold = accented(GOLD)
    one_oddity(
        describe(gold, gold={name: utf16(document) for name, document in gold.items()}, offset_unit="utf16"),
        "offsets",
        "are your offsets code points?",
    )


def utf16(document):
    text = document["signal"]

    def moved(row):
        return [*(len(text[:place].encode("utf-16-le")) // 2 for place in row[:2]), *row[2:]]

    sets = [aset | {"annots": [moved(row) for row in aset["annots"]]} for aset in document["asets"]]
    return document | {"asets": sets}


def lines_of(texts):
    """Documents of several lines, from those of one."""
    names = list(GOLD)
    merged = {}
    for k in range(0, len(names) - 3, 4):
        text, rows = "", {}
        for name in names[k : k + 4]:
            own = GOLD[name]["signal"].replace("\n", " ").rstrip()
            for aset in GOLD[name]["asets"]:
                if aset["type"] != "lex":
                    rows.setdefault(aset["type"], []).extend(
                        [row[0] + texts(text), row[1] + texts(text)] for row in aset["annots"]
                    )
            text += own + "\n"
        sets = [
            {"type": kind, "hasID": False, "hasSpan": True, "attrs": [], "annots": own} for kind, own in rows.items()
        ]
        merged[names[k]] = {"version": 2, "metadata": {}, "signal": text, "asets": sets}
    return merged


def test_offsets_that_begin_anew_in_each_line_are_told(describe):
    gold = lines_of(len)
    one_oddity(describe(lines_of(lambda before: 0), gold), "offsets", "begin anew in each line")


def test_labels_in_another_case_are_told_though_they_are_left_aside(describe):
    oddity = one_oddity(describe(changed(label=str.lower)), "case", "did you mean PERSON?")
    assert "are not scored at all" in oddity.suggestion


def test_labels_of_another_task_are_told_where_nothing_else_is_there(describe):
    oddity = one_oddity(describe(changed(label=lambda label: "XY")), "labels")
    assert oddity.n == oddity.of


def test_labels_far_from_the_task_s_own_are_told_beside_right_ones(describe):
    run = changed(label=lambda label: label if label == "PERSON" else "XY")
    oddity = next(odd for odd in describe(run).oddities if odd.kind == "labels")
    assert "XY" in oddity.message
    assert "are not scored at all" in oddity.suggestion


def test_what_the_gold_leaves_aside_too_is_ordinary(describe):
    assert describe(GOLD, content_annotations=NAMES).oddities == []


def test_an_empty_run_and_one_that_repeats_itself_are_told(describe, tmp_path):
    none = changed(lambda text, start, end: (0, 0))
    one_oddity(describe(none), "empty")


def test_documents_that_all_have_the_same_spans_are_told(describe):
    row = {"type": "PERSON", "hasID": False, "hasSpan": True, "attrs": [], "annots": [[0, 8], [9, 12]]}
    same = {name: document | {"asets": [row], "metadata": {}} for name, document in GOLD.items()}
    oddity = next(odd for odd in describe(same).oddities if odd.kind == "duplicates")
    assert oddity.message == "64 of 64 documents have the very same spans."


def test_spans_that_are_stated_twice_are_told(describe):
    twice = changed()
    for document in twice.values():
        document["asets"] += document["asets"]
    one_oddity(describe(twice), "duplicates")


def test_documents_of_another_phase_are_told_where_they_are_skipped(describe):
    first, *others = GOLD
    run = {first: changed()[first], **{f"other-{name}": changed()[name] for name in others}}
    description = describe(run, missing_documents="empty", extra_documents="ignore")
    one_oddity(description, "ids")
    assert "Only 1 of the 64 documents occurs in the input" in one_oddity(description).message


def test_japanese_has_no_words_to_stand_on_and_is_left_alone(describe):
    text = "東京都知事は昨日の会議で新しい計画を発表した" * 3
    rows = [[start, start + 2] for start in range(1, 60, 5)]
    aset = {"type": "PERSON", "hasID": False, "hasSpan": True, "attrs": [], "annots": rows}
    document = {"version": 2, "metadata": {}, "signal": text, "asets": [aset]}
    assert describe({"a.json": document}, {"a.json": document}).oddities == []


def test_the_description_is_the_same_whatever_the_gold_annotates(tmp_path):
    run = write(tmp_path / "run", changed(lambda text, start, end: (start + 1, end + 1)))
    other = {}
    for k, (name, document) in enumerate(GOLD.items()):
        lex = [aset for aset in document["asets"] if aset["type"] == "lex"]
        kinds = [
            {"type": kind, "hasID": False, "hasSpan": True, "attrs": [], "annots": [[k, k + 2]]}
            for kind in LABELS.split(",")
        ]
        other[name] = document | {"asets": [*lex, *(kinds if k % 2 == 0 else [])]}
    golds = [write(tmp_path / name, gold) for name, gold in (("one", GOLD), ("other", other))]
    one, another = (
        scoring.describe("mat", gold=gold, system=run, options={"content_annotations": LABELS}) for gold in golds
    )
    assert one == another
    # Names in the metadata are an inventory too.
    assert scoring.describe("mat", gold=golds[0], system=run) == scoring.describe("mat", gold=golds[1], system=run)


def test_a_label_that_the_open_gold_has_often_and_a_run_never_is_asked_about(tmp_path):
    run = {
        name: document | {"asets": [one for one in document["asets"] if one["type"] not in ("EVENT", "CAUSE")]}
        for name, document in GOLD.items()
    }
    sides = {"gold": write(tmp_path / "gold", GOLD), "system": write(tmp_path / "run", run)}
    options = {"content_annotations": LABELS}
    one_oddity(scoring.describe("mat", **sides, options=options, gold_is_open=True), "labels", "stand nowhere in the")
    assert scoring.describe("mat", **sides, options=options).oddities == []
