"""The demonstration data of the span task: well-formed, complete, repeatable, and graded as meant."""

import json
import re
from itertools import combinations

import pytest

import scoring
from demo import mat
from demo.mat.task import TASK
from demo.plan import zip_of

PHASES = ("development", "test")


def read(files, tags=mat.TAGS[1]):
    """{document: (text, tokens, {(start, end, tag)})}, parsed from the files alone."""
    documents = {}
    for path, content in files.items():
        document = json.loads(content)
        tokens, spans = [], []
        for annotations in document["asets"]:
            if annotations["type"] == "lex":
                tokens = [tuple(row) for row in annotations["annots"]]
            elif annotations["type"] in tags:
                spans += [(start, end, annotations["type"]) for start, end, _ in annotations["annots"]]
        assert len(spans) == len(set(spans))
        documents[path] = (document["signal"], tokens, set(spans))
    return documents


def f1(gold, system, tags):
    """Of exact spans: enough to tell the grades of the systems."""
    wanted, given = (
        {(path, *span) for path, (_, _, spans) in read(files, tags).items() for span in spans}
        for files in (gold, system)
    )
    return 2 * len(wanted & given) / (len(wanted) + len(given))


def grades(phase, scenario, tags=None):
    gold = mat.gold(phase, scenario)
    return {
        f"{system.team} {system.run}": f1(gold, system.content, tags or mat.TAGS[scenario])
        for system in mat.systems(phase)
        if scenario in system.scenarios
    }


def sentences(text):
    return re.split(r"(?<=[.])\s+", text.split("\n\n", 1)[1].strip())


def test_there_are_enough_bulletins_of_three_to_eight_sentences():
    texts = {phase: [text for text, _, _ in read(mat.gold(phase, 1)).values()] for phase in PHASES}
    assert len(texts["test"]) >= 60
    assert len(texts["development"]) >= 30
    for text in texts["test"] + texts["development"]:
        assert 3 <= len(sentences(text)) <= 8
        assert not re.search(r"[{}<>|]|  |\ba [aeiou]|\.[^ \n]|[ (]\.", text)
        assert all(sentence[0].isupper() or sentence[0].isdigit() for sentence in sentences(text))


def test_bulletins_do_not_repeat_one_another():
    said = [
        sentence for phase in PHASES for text, _, _ in read(mat.gold(phase, 1)).values() for sentence in sentences(text)
    ]
    assert len(set(said)) > 0.9 * len(said)
    for phase in PHASES:
        for text, _, _ in read(mat.gold(phase, 1)).values():
            assert len(sentences(text)) == len(set(sentences(text)))


@pytest.mark.parametrize("phase", PHASES)
def test_spans_begin_and_end_with_words_in_gold_and_runs(phase):
    for files in (mat.gold(phase, 1), *(system.content for system in mat.systems(phase))):
        for _, tokens, spans in read(files).values():
            starts, ends = zip(*tokens, strict=True)
            assert all(start in starts and end in ends for start, end, _ in spans)


def test_the_test_gold_has_all_tags_and_spans_that_nest_and_cross():
    nested, crossing, seen = set(), set(), set()
    for _, _, spans in read(mat.gold("test", 1)).values():
        seen |= {tag for _, _, tag in spans}
        for first, second in combinations(sorted(spans), 2):
            if first[0] < second[0] < first[1] < second[1]:
                crossing.add((first[2], second[2]))
            elif second[1] <= first[1]:
                nested.add((first[2], second[2]))
    assert seen == set(mat.TAGS[1])
    assert nested >= {("ORGANISATION", "PLACE"), ("VESSEL", "PLACE"), ("EVENT", "VESSEL"), ("CAUSE", "PLACE")}
    assert crossing == {("CAUSE", "EVENT")}


def test_names_of_one_place_and_one_person_are_marked_as_that():
    for phase in PHASES:
        for text, _, spans in read(mat.gold(phase, 1)).values():
            marked = {text[start:end] for start, end, tag in spans if tag == "PLACE"}
            assert not any(name.startswith("the ") for name in marked)
            for name in ("Captain", "Coxswain", "Inspector"):
                for found in re.finditer(rf"{name} ([A-Z])", text):
                    assert any(start == found.start(1) and tag == "PERSON" for start, _, tag in spans)


@pytest.mark.parametrize("scenario", mat.TAGS)
def test_gold_names_its_tags_and_scores_one(tmp_path, scenario):
    files = mat.gold("development", scenario)
    metadata = [json.loads(content)["metadata"] for content in files.values()]
    assert all(each["content_annotations"] == list(mat.TAGS[scenario]) for each in metadata)
    path = tmp_path / "gold.zip"
    path.write_bytes(zip_of(files))
    options = TASK.scenarios[scenario - 1].options
    assert options["content_annotations"].split(",") == list(mat.TAGS[scenario])
    evaluation = scoring.evaluate("mat", gold=path, system=path, options=options)
    assert evaluation.scores["f1"] == evaluation.scores["token_f1"] == 1.0
    assert evaluation.warnings == []


def test_participants_get_the_bulletins_without_annotation():
    given = mat.inputs("test")
    assert "synthetic data" in given.pop("README.txt")
    gold = read(mat.gold("test", 1))
    assert read(given) == {path: (text, tokens, set()) for path, (text, tokens, _) in gold.items()}


def test_runs_hold_all_bulletins_unaltered():
    gold = read(mat.gold("test", 1))
    for system in mat.systems("test"):
        assert {path: found[:2] for path, found in read(system.content).items()} == {
            path: wanted[:2] for path, wanted in gold.items()
        }


def test_grades_of_all_tags_are_spread_in_the_order_that_is_meant():
    f1s = grades("test", 1)
    assert sorted(f1s, key=f1s.get, reverse=True) == [
        "Organisers annotator",
        "Plimsoll run1",
        "Sextant Group run1",
        "Faro NLP run2",
        "Capstan run1",
        "Faro NLP run1",
        "Bosun run1",
        "Ropewalk run1",
        "Keelson run1",
        "Organisers baseline",
    ]
    ranked = sorted(f1s.values())[1:-1]
    assert all(0.001 < higher - lower < 0.05 for lower, higher in zip(ranked, ranked[1:], strict=False))
    assert 0.4 < f1s["Organisers baseline"] < ranked[0] - 0.1
    assert 0.92 < f1s["Organisers annotator"] < 1


def test_grades_of_names_are_another_order():
    f1s = grades("test", 2)
    assert f1s["Organisers annotator"] > f1s["Sextant Group run1"] > f1s["Plimsoll run1"] > f1s["Faro NLP run2"]
    assert f1s["Keelson run1"] > f1s["Organisers baseline"]
    assert "Driftwood run1" in f1s


def test_systems_are_good_at_different_tags():
    dates, vessels, causes, places = (grades("test", 1, [tag]) for tag in ("DATE", "VESSEL", "CAUSE", "PLACE"))
    assert dates["Keelson run1"] > dates["Plimsoll run1"]
    assert vessels["Sextant Group run1"] > vessels["Plimsoll run1"]
    assert causes["Plimsoll run1"] > causes["Sextant Group run1"]
    assert places["Organisers baseline"] > places["Faro NLP run1"]
    assert causes["Organisers baseline"] == 0


def test_systems_err_in_every_way():
    gold = read(mat.gold("test", 1))
    bosun = read(next(s for s in mat.systems("test") if s.team == "Bosun").content)
    ways = set()
    for path, (_, _, wanted) in gold.items():
        _, _, given = bosun[path]
        extents = {span[:2]: span[2] for span in given}
        for start, end, tag in wanted - given:
            overlapping = [span for span in given if span[0] < end and start < span[1] and span[2] == tag]
            ways.add("label" if (start, end) in extents else "boundary" if overlapping else "missing")
        ways |= {"spurious" for a, b, _ in given if not any(start < b and a < end for start, end, _ in wanted)}
    assert ways == {"label", "boundary", "missing", "spurious"}
