"""The printed tables and the JSON file of the command that follows `spacy evaluate`."""

import importlib.util
import io
import json
from pathlib import Path

import pytest

from scoring import evaluate
from scoring.commands.spacy import main
from scoring.readers.spacy.sides import CONVERTER

REFERENCE = Path(__file__).parents[1] / "reference" / "spacy"
CASES = [
    json.loads(line)
    for path in sorted(REFERENCE.glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]
DOCUMENT = {"id": "a", "words": ["Ann", "runs"], "spaces": [True, False], "ents": [[0, 1, "PER"]]}


def write(folder, name, side):
    if isinstance(side, dict):
        path = folder / side["file"]
        path.write_text(side["text"], encoding="utf-8", newline="")
        return str(path)
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(document) + "\n" for document in side), encoding="utf-8")
    return str(path)


def stripped(text):
    return [line.rstrip() for line in text.splitlines()]


def close(value):
    if isinstance(value, dict):
        return {key: close(inner) for key, inner in value.items()}
    return pytest.approx(value, abs=1e-9) if isinstance(value, float) else value


@pytest.mark.parametrize("case", [case for case in CASES if "command" in case], ids=lambda case: case["id"])
def test_the_command_prints_and_writes_what_spacy_does(case, tmp_path, capsys):
    output = tmp_path / "scores.json"
    sides = [write(tmp_path, name, case[name]) for name in ("gold", "system")]

    assert main([*sides, "--output", str(output)]) == 0
    printed = capsys.readouterr().out
    assert printed.endswith(f"✔ Saved results to {output}\n")
    assert stripped(printed)[:-1] == stripped(case["command"]["text"])
    assert json.loads(output.read_text(encoding="utf-8")) == {
        key: close(value) for key, value in case["command"]["json"].items()
    }


@pytest.mark.parametrize("case", [case for case in CASES if "exit" in case], ids=lambda case: case["id"])
def test_a_refused_file_is_named_on_standard_error(case, tmp_path, capsys):
    sides = [write(tmp_path, name, case[name]) for name in ("gold", "system")]

    assert main(sides) == case["exit"]
    captured = capsys.readouterr()
    assert not captured.out
    assert Path(sides[case["exit"] == 1]).name in captured.err


def test_scores_and_spans_key_can_be_chosen(tmp_path, capsys):
    document = DOCUMENT | {"spans": {"own": [[0, 2, "X"]]}}
    path = write(tmp_path, "gold", [document])

    assert main([path, path, "-sk", "own", "--scores", '[{"name": "spancat", "key": "own"}]']) == 0
    printed = capsys.readouterr().out
    assert "SPAN F   100.00" in printed
    assert "SPANS (per type)" in printed
    assert "NER" not in printed


def test_unknown_scores_are_wrong_usage(tmp_path, capsys):
    path = write(tmp_path, "gold", [DOCUMENT])

    assert main([path, path, "--scores", '[{"name": "nerr"}]']) == 2
    assert "unknown item 'nerr'" in capsys.readouterr().err


def test_an_output_that_cannot_be_written_is_wrong_usage(tmp_path, capsys):
    path = write(tmp_path, "gold", [DOCUMENT])

    assert main([path, path, "-o", str(tmp_path / "absent" / "scores.json")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_a_terminal_without_the_check_mark_gets_a_plus(tmp_path, monkeypatch):
    path = write(tmp_path, "gold", [DOCUMENT])
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", terminal)

    assert main([path, path, "-o", str(tmp_path / "scores.json")]) == 0
    terminal.flush()
    assert b"[+] Saved results" in terminal.buffer.getvalue()


def test_counts_and_extensions_stay_out_of_the_json_file(tmp_path):
    path, output = write(tmp_path, "gold", [DOCUMENT]), tmp_path / "scores.json"

    main([path, path, "-o", str(output), "--scores", '[{"name": "ner"}, {"name": "seqeval"}, {"name": "links"}]'])
    found = json.loads(output.read_text(encoding="utf-8"))
    assert found["ents_per_type"] == {"PER": {"p": 1.0, "r": 1.0, "f": 1.0}}
    assert found["nel_score_desc"] == "micro F"
    assert not [key for key in found if key.startswith(("seqeval", "nel_strict", "errors", "descriptions"))]


@pytest.fixture
def converted(tmp_path, capsys, monkeypatch):
    """Return what the converter makes of a document with these words and annotations."""
    if importlib.util.find_spec("spacy") is None:
        pytest.skip("needs spaCy")
    spacy = importlib.import_module("spacy")
    tokens = importlib.import_module("spacy.tokens")

    def convert(change, attrs=("LEMMA", "TAG", "HEAD", "DEP", "ENT_IOB", "ENT_TYPE"), **annotations):
        doc = tokens.Doc(spacy.blank("xx").vocab, **annotations)
        change(doc)
        tokens.DocBin(attrs, docs=[doc]).to_disk(tmp_path / "gold.spacy")
        monkeypatch.setattr("sys.argv", ["convert", str(tmp_path / "gold.spacy")])
        exec(CONVERTER, {})
        path = tmp_path / "gold.jsonl"
        path.write_text(capsys.readouterr().out, encoding="utf-8")
        return path

    return convert


@pytest.mark.filterwarnings("ignore")
def test_the_converter_keeps_sentences_unknown(converted):
    def label(doc):
        for token in doc:
            token.dep_ = "dep"

    path = converted(label, attrs=["DEP"], words=["Ann", "runs"])
    result = evaluate("spacy", gold=path, system=path)
    assert (result.scores["dep_las"], result.scores["sents_f"]) == (1.0, None)


@pytest.mark.filterwarnings("ignore")
def test_the_converter_writes_what_the_reader_takes(converted, capsys):
    def annotate(doc):
        doc.spans["sc"] = [doc.char_span(0, 8, label="X")]
        doc.cats = {"A": 1.0}

    path = converted(
        annotate,
        words=["Ann", "runs"],
        spaces=[True, False],
        tags=["N", "V"],
        heads=[1, 1],
        deps=["nsubj", "ROOT"],
        ents=["B-PER", "O"],
    )

    assert main([str(path), str(path)]) == 0
    printed = capsys.readouterr().out
    assert all(f"{row}" in printed for row in ("TOK ", "TAG ", "LAS ", "NER F", "SENT F", "SPAN F", "TEXTCAT"))
