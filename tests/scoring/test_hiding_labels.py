"""Tests that a stranger's check tells nothing of which labels a hidden gold has, in any family that has labels."""

from pathlib import Path

import pytest

import scoring

N = 30
WORDS = ["Ann", "ran", "home", "."]


def rows(*labels: str) -> bytes:
    return b"id,label\n" + "".join(f"{k},{label}\n" for k, label in enumerate(labels, start=1)).encode()


def documents(annotation: str, last: str = "") -> bytes:
    lines = [f'{{"id":"d{k}","words":["Ann","ran","home","."],{annotation}}}' for k in range(N)]
    return "\n".join([*lines[:-1], (lines[-1] if not last else lines[-1].replace(annotation, last)), ""]).encode()


def spans(*labels: str) -> bytes:
    head = "filename\tlabel\tstart_span\tend_span\ttext\n"
    return (head + "".join(f"d\t{label}\t{k * 4}\t{k * 4 + 3}\tAnn\n" for k, label in enumerate(labels))).encode()


def json_spans(**labels: int) -> bytes:
    sets = ",".join(f'{{"type":"{label}","annots":[[{k * 4},{k * 4 + 3}]]}}' for label, k in labels.items())
    return f'{{"signal":"{"Ann " * N}","asets":[{sets}]}}'.encode()


def phrases(*labels: str) -> bytes:
    return "".join(f"{k}\t{k * 4} {k * 4 + 3}\t{label}\tAnn\n" for k, label in enumerate(labels)).encode()


def health(labels: list[str], relation: str) -> dict[str, bytes]:
    return {
        "input_scenario1.txt": ("Ann " * N).strip().encode() + b"\n",
        "output_a_scenario1.txt": phrases(*labels),
        "output_b_scenario1.txt": "".join(f"{relation}\t{k}\t{k + 1}\n" for k in range(10)).encode(),
    }


A, B, X = "wolf", "deer", "zebra"
GOLD, OTHER = rows(*[A, B] * (N // 2)), rows(*[A, B] * (N // 2 - 1), A, X)
ALL_X = rows(*[X] * N)
TEXT = ("Ann " * N).encode()
SPANS = {"content": {"d.txt": TEXT}, "options": {"gold_format": "table", "system_format": "table"}}
TAGS = ['"tags":["N","V","N","."]', '"tags":["N","V","X","."]', '"tags":["X","X","X","X"]']
HEADS = [f'"heads":[1,1,1,1],"deps":["s","ROOT","{dep}","p"]' for dep in ("obj", "X", "X")]
ENTITIES = [f'"ents":[[0,1,"{label}"]]' for label in ("PER", "X", "X")]
GROUPS = [f'"spans":{{"sc":[[0,1,"{label}"]]}}' for label in ("PER", "X", "X")]
CATEGORIES = ['"cats":{"P":1,"N":0}', '"cats":{"P":1,"X":0}', '"cats":{"X":1}']
RIGHT = health(["Concept"] * N, "is-a")

# Name, family, options, gold without the label, gold with it, and a run that gives it everywhere.
CASES = [
    ("labels", "labels", {}, {"g.csv": GOLD}, {"g.csv": OTHER}, {"r.csv": ALL_X}),
    ("wrong ones count", "labels", {"unknown_labels": "wrong"}, {"g.csv": GOLD}, {"g.csv": OTHER}, {"r.csv": ALL_X}),
    ("union", "labels", {"labels": "union"}, {"g.csv": GOLD}, {"g.csv": OTHER}, {"r.csv": ALL_X}),
    (
        *("twice in a set", "labels", {"task": "multi", "separator": ";", "unknown_labels": "wrong"}),
        *({"g.csv": GOLD}, {"g.csv": OTHER}, {"r.csv": rows(*[f"{X};{X}"] * N)}),
    ),
    (
        *("in other letters", "labels", {"case": "ignore"}),
        *({"g.csv": GOLD}, {"g.csv": OTHER}, {"r.csv": rows(*[X.upper()] * N)}),
    ),
    (
        *("probabilities", "labels", {"probabilities": "p_"}, {"g.csv": GOLD}, {"g.csv": OTHER}),
        {"r.csv": b"id,label,p_zebra,p_wolf\n" + b"".join(b"%d,zebra,0.5,0.5\n" % k for k in range(1, N + 1))},
    ),
    *(
        (
            *(f"spacy {name}", "spacy", {}, {"g.jsonl": documents(kinds[0])}),
            *({"g.jsonl": documents(kinds[0], kinds[1])}, {"r.jsonl": documents(kinds[2])}),
        )
        for name, kinds in {
            **{"tags": TAGS, "heads": HEADS, "entities": ENTITIES, "groups": GROUPS, "categories": CATEGORIES}
        }.items()
    ),
    (
        *("exclusive categories", "spacy", {"scores": [{"name": "cats", "multi_label": False}]}),
        *({"g.jsonl": documents(CATEGORIES[0])}, {"g.jsonl": documents(CATEGORIES[0], CATEGORIES[1])}),
        {"r.jsonl": documents(CATEGORIES[2])},
    ),
    (
        *("mat tables", "mat", {"gold_format": "table", "system_format": "table"}),
        *({"s.tsv": spans(*["PER"] * 9), "d.txt": TEXT}, {"s.tsv": spans(*["PER"] * 8, "X"), "d.txt": TEXT}),
        {"r.tsv": spans(*["X"] * N)},
    ),
    (
        *("mat left aside", "mat", {"content_annotations": "PER"}),
        *({"d.json": json_spans(PER=0)}, {"d.json": json_spans(PER=0, X=3)}, {"d.json": json_spans(X=5)}),
    ),
    (
        *("phrases", "ehealthkd", {"scenario": 1}, RIGHT, health(["Concept"] * (N - 1) + ["X"], "is-a")),
        {**health(["X"] * N, "is-a")},
    ),
    (
        *("relations", "ehealthkd", {"scenario": 1}, RIGHT),
        {**RIGHT, "output_b_scenario1.txt": RIGHT["output_b_scenario1.txt"] + b"zebra\t11\t12\n"},
        health(["Concept"] * N, "zebra"),
    ),
]


@pytest.fixture(params=CASES, ids=lambda case: case[0])
def case(request, tmp_path):
    """Return a family and its options, the two golds and the run."""
    _, family, options, *sides = request.param
    paths = []
    for name, files in zip(("without", "with", "run"), sides, strict=True):
        (tmp_path / name).mkdir()
        for path, content in files.items():
            (tmp_path / name / path).write_bytes(content)
        paths.append(tmp_path / name)
    return family, options, *paths


def told(family: str, options: dict, gold: Path, run: Path, **how: bool) -> object:
    """Return all that a check says of a run: its problems, or its description."""
    given = {"gold": gold, "system": run, "options": options} | how
    if problems := scoring.check(family, **given):
        return [str(problem) for problem in problems]
    return scoring.describe(family, **given).as_dict()


def test_a_stranger_is_told_the_same_whether_hidden_gold_has_the_label_or_not(case):
    family, options, without, having, run = case
    assert told(family, options, without, run, hides_labels=True) == told(
        family, options, having, run, hides_labels=True
    )


def test_who_takes_part_is_told_of_labels_that_the_task_does_not_have(tmp_path):
    for name, content in (("gold.csv", GOLD), ("run.csv", ALL_X)):
        (tmp_path / name).write_bytes(content)
    gold, run = tmp_path / "gold.csv", tmp_path / "run.csv"
    assert told("labels", {}, gold, run)[0] == "run.csv:2: unknown label 'zebra'"
    listed = {"labels": f"{A}, {B}"}
    assert told("labels", listed, gold, run, hides_labels=True) == told("labels", listed, gold, run)
    assert "the labels are 'wolf', 'deer'" in told("labels", listed, gold, run, hides_labels=True)[0]


def test_labels_that_options_name_are_told_to_strangers_too(tmp_path):
    for name, content in (("gold", json_spans(PER=0)), ("run", json_spans(PERS=0, PERSO=1, PERSON=2))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "d.json").write_bytes(content)
    options = {"content_annotations": "PER,PERS,PERSO,PERSONS"}
    told_openly = told("mat", options, tmp_path / "gold", tmp_path / "run")
    assert told("mat", options, tmp_path / "gold", tmp_path / "run", hides_labels=True) == told_openly
