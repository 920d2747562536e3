import io
import json
import subprocess
import sys

import pytest

from scoring.commands import scorch_convert
from tests.scoring.coreference_cases import REFERENCE, cases_of

CASES = {case["id"]: case for case in cases_of(REFERENCE / "convert.jsonl")}
SMALL = "#begin document (a); part 000\nx 0 0 w (0\nx 0 1 w 0)\n#end document\n"
WRITTEN = '{"name": "a-000", "type": "clusters", "clusters": {"0": ["0.0-1"]}}'


@pytest.mark.parametrize("name", CASES)
def test_the_files_are_those_of_scorch(name, tmp_path):
    case = CASES[name]
    (tmp_path / "out").mkdir()
    (tmp_path / "in.conll").write_bytes(case["convert"].encode())
    assert scorch_convert.main([str(tmp_path / "in.conll"), str(tmp_path / "out")]) == case["rc"]
    written = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir()}
    assert written == case["files_out"]


def test_files_go_beside_the_input_and_replace_older_ones(tmp_path):
    (tmp_path / "in.conll").write_text(SMALL)
    (tmp_path / "a-000.json").write_text("older")
    assert scorch_convert.main([str(tmp_path / "in.conll")]) == 0
    assert (tmp_path / "a-000.json").read_text() == WRITTEN


def test_the_standard_input_is_converted_into_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SMALL.encode())))
    assert scorch_convert.main(["-"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a-000.json"]


def test_the_package_hands_over_to_the_command(tmp_path):
    (tmp_path / "in.conll").write_text(SMALL)
    subprocess.run([sys.executable, "-m", "scoring", "scorch-convert", tmp_path / "in.conll"], check=True)
    assert (tmp_path / "a-000.json").read_text() == WRITTEN


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#begin document (a) part 0\n#end document\n", "in.conll:1: a document without a name: write (NAME);"),
        ("#begin document ();\n#end document\n", "in.conll:1: a document without a name"),
        ("#begin document (a);\nx (0+1)\n#end document\n", "in.conll:2: cannot read the coreference cell '(0+1)'"),
        ("#begin document (a);\nx (0\n\nx 0)\n#end document\n", "in.conll:2: the mention of entity 0 is not closed"),
        ("#begin document (a);\nx (0)\n", 'in.conll:1: document "a" is not closed'),
        ("x (0)\n#begin document (a);\n#end document\n", "in.conll:1: text outside a document"),
        ("\n", "in.conll: no document in this file"),
        (SMALL + SMALL, 'in.conll:5: document "a-000" twice'),
        ("#begin document (a/b);\n#end document\n#begin document (a_b);\n#end document\n", "(a_b.json is taken)"),
        ("#begin document (a);\nx (0)|(1)\n#end document\n", "all mentions of entity 1 belong to earlier entities"),
    ],
)
def test_what_would_lose_data_is_refused_and_nothing_is_written(text, message, tmp_path, capsys):
    (tmp_path / "in.conll").write_text(text)
    assert scorch_convert.main([str(tmp_path / "in.conll")]) == 1
    assert message in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["in.conll"]


def test_text_is_escaped_and_mentions_are_sorted_as_texts_within_their_sentences(tmp_path):
    rows = "".join(f"x 0 {k} w (0)\n" for k in (9, 10, 2))
    (tmp_path / "in.conll").write_text(f"#begin document (é);\n{rows}\n{rows}#end document\n", encoding="utf-8")
    assert scorch_convert.main([str(tmp_path / "in.conll")]) == 0
    text = (tmp_path / "é.json").read_text(encoding="ascii")
    assert text.startswith('{"name": "\\u00e9", ')
    assert json.loads(text)["clusters"]["0"] == [f"{block}.{k}-{k}" for block in (0, 1) for k in (10, 2, 9)]


def test_bytes_that_are_not_utf8_are_refused_with_their_line(tmp_path, capsys):
    (tmp_path / "in.conll").write_bytes(b"#begin document (a);\n\xff\n")
    assert scorch_convert.main([str(tmp_path / "in.conll")]) == 1
    assert "in.conll:2:1: not UTF-8: byte 0xff" in capsys.readouterr().err


@pytest.mark.parametrize("argv", [[], ["a", "b", "c"], ["--column", "a"]])
def test_wrong_usage_ends_with_status_1_and_the_usage(argv, capsys):
    assert scorch_convert.main(argv) == 1
    assert capsys.readouterr().err.startswith("usage: python -m scoring scorch-convert CONLL [OUT_DIR]")


def test_folders_and_files_that_do_not_exist_end_with_status_1(tmp_path, capsys):
    assert scorch_convert.main([str(tmp_path / "absent.conll")]) == 1
    (tmp_path / "in.conll").write_text(SMALL)
    assert scorch_convert.main([str(tmp_path / "in.conll"), str(tmp_path / "absent")]) == 1
    assert capsys.readouterr().err.count("absent") == 2
