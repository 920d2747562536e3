"""Checking a run without gold: beside the input that participants have."""

import json
from pathlib import Path

import pytest

import scoring
from scoring.__main__ import main
from scoring.readers.archive import Made

SENTENCES = "dolor agudo\nfiebre alta\n"
PHRASES = "1\t0 5\tConcept\tdolor\n2\t12 18\tConcept\tfiebre\n"
GOLDS = {
    "ehealthkd": (
        {"scenario": "1"},
        {
            "input_scenario1.txt": SENTENCES,
            "output_a_scenario1.txt": "1\t0 5\tSecret\tcanary\n",
            "output_b_scenario1.txt": "",
        },
    ),
    "mat": (
        {"content_annotations": "PER"},
        {
            "one.json": json.dumps(
                {
                    "metadata": {"note": "Secret"},
                    "signal": "Ann met Lee.",
                    "asets": [{"type": "PER", "annots": [[0, 3]]}],
                }
            ),
            "two.json": json.dumps({"signal": "Nobody.", "asets": [{"type": "PER", "annots": []}]}),
        },
    ),
    "coreference": (
        {"format": "conll"},
        {"gold.conll": "#begin document (d);\nAnn\t(7\nLee\t7)\nshe\t(7)\n\n#end document\n"},
    ),
    "spacy": (
        {"scores": [{"name": "ner"}]},
        {"gold.jsonl": json.dumps({"id": "d", "words": ["Ann", "Lee"], "ents": [[0, 2, "Secret"]]}) + "\n"},
    ),
    "text": ({}, {"gold.jsonl": '{"id": "a", "refs": ["Secret", "canary"]}\n{"id": "b", "ref": "Secret too"}\n'}),
    "labels": ({"text": "said"}, {"gold.csv": "id,label,said\na,Secret,Ah\nb,canary,Oh\n"}),
    "numbers": (
        {"text": "said", "tolerance_column": "spread", "slices": "kind", "gold_columns": "mean"},
        {"gold.csv": "id,mean,spread,kind,said\na,12345,1,Secret,Ah\nb,3,0.5,canary,Oh\n"},
    ),
    "ranking": ({}, {"qrels.txt": "q1 0 Secret 1\nq2 0 canary 0\n"}),
    "qac": ({"task": 1}, {"gold.txt": "QAC1-1001-01\t?\tWho?\nQAC1-1001-01\t1\tSecret\t9\nQAC1-1002-01\n"}),
}


def made(files: dict[str, str | bytes]) -> Made:
    return Made({path: text.encode() if isinstance(text, str) else text for path, text in files.items()})


@pytest.fixture(params=GOLDS)
def case(request):
    """(family, options, files of the gold, files of the input)"""
    options, gold = GOLDS[request.param]
    family = scoring.FAMILIES[request.param]
    return request.param, options, made(gold), made(family.files.inputs(made(gold), family.configure(options)))


def test_an_input_has_nothing_that_is_to_be_found(case):
    _, _, _, inputs = case
    text = b"".join(inputs.values())
    for found in (b"Secret", b"canary", b"(7", b"ents", b"PER"):
        assert found not in text


def test_the_family_s_sample_is_in_order_beside_its_input(case):
    name, options, gold, inputs = case
    family = scoring.FAMILIES[name]
    sample = made(family.files.sample(gold, family.configure(options)))
    read = scoring.read_against(name, inputs=inputs, system=sample, options=options)
    assert read.summary


def test_a_run_for_another_input_is_refused(case):
    name, options, gold, inputs = case
    other = {path: text.replace(b"Ann", b"Bea").replace(b"(d)", b"(e)") for path, text in gold.items()}
    other |= {"input_scenario1.txt": b"otra cosa\nfiebre alta\n"} if name == "ehealthkd" else {}
    if name == "ranking":
        run = made({"run.txt": "q7 Q0 d1 1 1.5 ours\n"})
    elif name == "text":
        run = made({"run.jsonl": '{"id": "c", "text": "a text"}\n'})
    elif name == "labels":
        run = made({"run.csv": "id,label\nc,A\n"})
    elif name == "qac":
        run = made({"run.txt": 'QAC1-1001-01: "a" "b"\n'})
    elif name == "spacy":
        run = made({"run.jsonl": json.dumps({"id": "other", "words": ["Ann"], "ents": []}) + "\n"})
    else:
        run = made(other)
    with pytest.raises(scoring.SubmissionError):
        scoring.read_against(name, inputs=inputs, system=run, options=options)


def test_what_only_the_gold_can_tell_is_not_held_against_a_run():
    _, gold = GOLDS["ehealthkd"]
    run = made({"output_a_scenario1.txt": PHRASES.replace("Concept", "concept"), "output_b_scenario1.txt": ""})
    inputs = made({"input_scenario1.txt": gold["input_scenario1.txt"]})
    read = scoring.read_against("ehealthkd", inputs=inputs, system=run, options={"scenario": 1})
    assert read.summary.startswith("2 phrases")
    assert not [oddity for oddity in read.oddities if oddity.kind in ("labels", "case")]


def test_documents_of_a_ranking_are_not_asked_about_since_no_input_names_any():
    queries = "".join(f"q{k}\tquery {k}\n" for k in range(30))
    run = made({"run.txt": "".join(f"q{k} Q0 clueweb-{k}-{r} {r} {9 - r} ours\n" for k in range(30) for r in (1, 2))})
    read = scoring.read_against("ranking", inputs=made({"queries.tsv": queries}), system=run)
    assert read.summary.startswith("60 documents to 30 of 30 queries")
    assert read.oddities == []
    gold = made({"qrels.txt": "".join(f"q{k} 0 MED{k} 1\n" for k in range(30))})
    asked = [oddity.kind for oddity in scoring.describe("ranking", gold=gold, system=run).oddities]
    assert asked == ["ids"], "beside the gold they are"


def test_offsets_that_are_counted_from_one_are_told_without_gold():
    texts = "".join(f"palabra{k} otra{k}\n" for k in range(30))
    lines, start = [], 0
    for k, line in enumerate(texts.splitlines()):
        word = line.split()[0]
        lines.append(f"{k + 1}\t{start + 1} {start + 1 + len(word)}\tConcept\t{word}\n")
        start += len(line) + 1
    run = made({"output_a_scenario1.txt": "".join(lines), "output_b_scenario1.txt": ""})
    inputs = made({"input_scenario1.txt": texts})
    read = scoring.read_against("ehealthkd", inputs=inputs, system=run, options={"scenario": 1})
    assert [oddity.kind for oddity in read.oddities][:1] == ["offsets"]


def test_an_input_that_is_none_is_the_input_s_problem(tmp_path: Path, capsys):
    (tmp_path / "input").mkdir()
    (tmp_path / "input" / "other.txt").write_text("x")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "output_a_scenario1.txt").write_text(PHRASES)
    words = ["check", "ehealthkd", "--input", str(tmp_path / "input"), "--system", str(tmp_path / "run")]
    assert main(words) == 2
    assert "input_scenario1.txt" in capsys.readouterr().err


def test_either_gold_or_input_is_needed(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["check", "ehealthkd", "--system", "run"])
    assert ended.value.code == 2
    assert "--gold" in capsys.readouterr().err
