import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.commands import qac

REFERENCE = Path(__file__).parents[1] / "reference" / "qac" / "cases.jsonl"
CASES = [json.loads(line) for line in REFERENCE.read_text(encoding="utf-8").splitlines()]
CALLS = [
    pytest.param(case, call, id=f"{case['id']}-{number}")
    for case in CASES
    for number, call in enumerate(case.get("cli", []))
]
GOLD = "Q-1-02\t?\tWo?\nQ-1-02\t2\tTsu\t6\nQ-1-02\t1\tMié\t5\nQ-1-02\t1\tMié\t7\nQ-1-01\t1\tA\t1\nQ-2-02\n"
RUN = 'Q-2-02: "x", 1\nQ-1-02: "Mié", 9, "Tsu", 6, "\\\\東", 6, "a", 1, "b", 1, "Tsu", 6\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return where the command runs, with a gold and a run."""
    monkeypatch.chdir(tmp_path)
    Path("gold.tsv").write_text(GOLD, encoding="utf-8")
    Path("run.txt").write_text(RUN, encoding="utf-8")
    return tmp_path


def content_of(value):
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value.encode()


def status_of(arguments):
    try:
        return qac.main(arguments)
    except SystemExit as stopped:
        return stopped.code


def printed(capsys, *arguments):
    assert qac.main(["-a", "gold.tsv", *arguments, "run.txt"]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(("case", "call"), CALLS)
def test_a_call_prints_and_writes_what_is_expected(case, call, folder, capsys):
    Path("gold.tsv").write_bytes(content_of(case["gold"]))
    Path("run.txt").write_bytes(content_of(case["system"]))
    places = {"{gold}": "gold.tsv", "{run}": "run.txt", "{out}": "out.dat"}

    assert status_of([places.get(argument, argument) for argument in call["args"]]) == call["exit"]
    out = capsys.readouterr().out
    if "stdout" in call:
        assert out.rstrip("\n") == call["stdout"].rstrip("\n")
    for name, text in call.get("files", {}).items():
        assert Path(name).read_text("utf-8").rstrip("\n") == text.rstrip("\n")
    written = {path.name for path in folder.iterdir()} - {"gold.tsv", "run.txt"}
    assert written == set(call.get("files", {}))


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["run.txt"],
        ["-a", "gold.tsv"],
        ["-a", "gold.tsv", "run.txt", "other.txt"],
        ["-a", "gold.tsv", "run.txt", "--taks", "1"],
        ["-a", "gold.tsv", "run.txt", "--tas", "1"],
        ["-a", "gold.tsv", "run.txt", "-t", "0"],
        ["-a", "gold.tsv", "run.txt", "-t", "4"],
        ["-a", "gold.tsv", "run.txt", "-e", "0"],
        ["-a", "gold.tsv", "run.txt", "-e", "6"],
        ["-a", "gold.tsv", "run.txt", "-e", "4"],
        ["-a", "gold.tsv", "run.txt", "-e", "5", "-t", "2"],
        ["-a", "gold.tsv", "run.txt", "-e", "5", "-t", "3"],
        ["-a", "gold.tsv", "run.txt", "--article", "both"],
        ["-a", "gold.tsv", "run.txt", "--encoding", "latin-1"],
        ["-a", "nowhere.tsv", "run.txt"],
    ],
)
def test_wrong_usage_and_no_gold_end_with_status_2_and_a_message(arguments, folder, capsys):
    assert status_of(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err
    assert not (folder / "res.dat").exists()


def test_a_run_that_does_not_exist_is_refused(folder, capsys):
    assert qac.main(["-a", "gold.tsv", "nowhere.txt"]) == 1
    assert "no such file" in capsys.readouterr().err


def test_problems_name_file_line_and_column(folder, capsys):
    Path("run.txt").write_text('Q-1-02: "a" 5\nx\n')
    assert qac.main(["-a", "gold.tsv", "run.txt"]) == 1
    err = capsys.readouterr().err.splitlines()
    assert err[0].startswith("run.txt:1:13: cannot read answers")
    assert err[1].startswith("run.txt:2: no question ID")


def test_the_gold_is_looked_at_first(folder, capsys):
    Path("run.txt").write_text("x\n")
    Path("gold.tsv").write_text("y\n")
    assert qac.main(["-a", "gold.tsv", "run.txt"]) == 2
    assert "run.txt" not in capsys.readouterr().err


@pytest.mark.parametrize(("option", "shown"), [("-h", "--res-dat"), ("--help", "usage"), ("-v", "qac 1")])
def test_help_and_version_need_no_files(option, shown, capsys):
    assert status_of([option]) == 0
    assert shown in capsys.readouterr().out


def test_the_package_hands_over_to_the_command(folder):
    finished = subprocess.run(
        [sys.executable, "-m", "scoring", "qac", "--answer", "gold.tsv", "--extract", "3", "run.txt"],
        capture_output=True,
        check=True,
        cwd=folder,
        env={"PYTHONPATH": str(Path(__file__).parents[3]), "PYTHONIOENCODING": "ascii"},
    )
    assert finished.stdout.decode("utf-8").splitlines() == ["Mié | -1", "Tsu | 2"]


def test_warnings_go_to_the_error_stream(folder, capsys):
    Path("run.txt").write_text("X-1-01\n")
    assert qac.main(["-a", "gold.tsv", "run.txt"]) == 0
    assert "warning: 1 question not in the gold, not counted: X-1-01" in capsys.readouterr().err


def test_extract_1_shows_the_gold_by_question_with_its_lines_in_order(folder, capsys):
    assert printed(capsys, "-e", "1", "-t", "3") == [
        *("Q-1-01 1 1", "1 A 1"),
        *("Q-1-02 3 2", "2 Tsu 6", "1 Mié 5", "1 Mié 7"),
        "Q-2-02 0 0",
    ]


def test_extract_2_shows_the_whole_run_with_escapes_resolved(folder, capsys):
    assert printed(capsys, "-e", "2") == [
        *("Q-1-02 6", "0 Mié 9", "1 Tsu 6", "2 \\東 6", "3 a 1", "4 b 1", "5 Tsu 6"),
        *("Q-2-02 1", "0 x 1"),
    ]


def test_extract_3_shows_the_numbers_of_right_strings(folder, capsys):
    assert printed(capsys, "-e", "3") == ["Mié | -1", "Tsu | 2"]
    assert printed(capsys, "-e", "3", "-t", "2") == ["Mié | -1", "Tsu | 2", "Tsu | 2"]


@pytest.mark.parametrize(("task", "opening"), [("2", ["Q-1-01: 1 0 0 0.000000"]), ("3", [])])
def test_extract_4_shows_the_counts_of_each_scored_question(task, opening, folder, capsys):
    assert printed(capsys, "-e", "4", "-t", task) == [*opening, "Q-1-02: 2 6 2 0.500000", "Q-2-02: 0 1 0 0.000000"]


def test_extract_5_shows_both_sides_of_each_question_with_all_answers(folder, capsys):
    assert printed(capsys, "-e", "5", "--article", "require") == [
        *('Q-1-01 ""', "CORRECT ANSWER:", "A", ""),
        *('Q-1-02 "Wo?"', "CORRECT ANSWER:", "Mié", "Tsu", "", "Mié", "Tsu *", "\\東", "a", "b", "Tsu"),
        *('Q-2-02 ""', "CORRECT ANSWER:", "", "x"),
    ]


def test_extracts_write_no_file_and_may_have_nothing_to_print(folder, capsys):
    Path("run.txt").write_text("")
    assert printed(capsys, "-e", "2") == []
    assert printed(capsys, "-e", "3") == []
    assert not (folder / "res.dat").exists()


def test_no_res_dat_leaves_the_folder_alone(folder, capsys):
    assert printed(capsys, "--no-res-dat")[0] == "Task1 Results:"
    assert not (folder / "res.dat").exists()


@pytest.mark.parametrize(
    ("encoding", "name", "acute"),
    [("utf-8", "utf-8", "é"), ("euc-jp", "euc_jp", "é"), ("shift_jis", "shift_jis", "〓")],
)
def test_res_dat_is_written_in_the_encoding_asked_for(encoding, name, acute, folder, capsys):
    printed(capsys, "-t", "2", "--res-dat-encoding", encoding)
    assert Path("res.dat").read_bytes().decode(name).split("\n") == [
        "Q-1-01: φ ×",
        f"Q-1-02: Mi{acute} ○, Tsu ○, \\東 ×, a ×, b ×, Tsu ○",
        "Q-2-02: x ×",
        "",
    ]


def test_characters_that_res_dat_lacks_are_named_in_a_warning(folder, capsys):
    assert qac.main(["-a", "gold.tsv", "--res-dat-encoding", "shift_jis", "--res-dat", "out.dat", "run.txt"]) == 0
    assert "warning: out.dat: shift_jis lacks é" in capsys.readouterr().err


def test_a_res_dat_that_cannot_be_written_is_wrong_usage(folder, capsys):
    assert qac.main(["-a", "gold.tsv", "--res-dat", "nowhere/res.dat", "run.txt"]) == 2
    assert "nowhere/res.dat: No such file or directory" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["euc-jp", "shift_jis"])
def test_files_are_read_in_the_encodings_given(encoding, folder, capsys):
    Path("gold.tsv").write_text("Q-1-02\t1\t京\t5\n", encoding="utf-8")
    Path("run.txt").write_bytes('Q-1-02: "京", 5\n'.encode(encoding))
    arguments = ["-a", "gold.tsv", "--encoding", encoding, "run.txt"]
    assert qac.main([*arguments, "--gold-encoding", "utf-8"]) == 0
    assert capsys.readouterr().out.splitlines()[2] == "Average score: 1.000"
    Path("gold.tsv").write_bytes("Q-1-02\t1\t京\t5\n".encode(encoding))
    assert qac.main(arguments) == 0
    assert Path("res.dat").read_text("utf-8") == "Q-1-02: 京 ○\n"
