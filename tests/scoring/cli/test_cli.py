"""python -m scoring: output, messages and exit status."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import scoring
from scoring.__main__ import main

GOLDEN = Path(__file__).parents[1] / "reference" / "ehealthkd" / "evaluate.txt"


def make_side(folder, phrases):
    folder.mkdir()
    (folder / "input_scenario1.txt").write_text("dolor agudo\nfiebre alta\n", encoding="utf-8")
    (folder / "output_a_scenario1.txt").write_text(phrases, encoding="utf-8")
    (folder / "output_b_scenario1.txt").write_text("", encoding="utf-8")
    return str(folder)


@pytest.fixture
def sides(tmp_path):
    gold = make_side(tmp_path / "gold", "1\t0 5\tConcept\tx\n2\t6 11\tPredicate\tx\n3\t12 18\tConcept\tx\n")
    system = make_side(tmp_path / "system", "1\t0 5\tConcept\tx\n3\t12 18\tAction\tx\n")
    return ["ehealthkd", "--gold", gold, "--system", system]


def test_the_text_is_the_golden_one(sides, capsys):
    assert main(["evaluate", *sides, "-o", "rules=documented", "--resamples", "200"]) == 0
    printed = capsys.readouterr()
    assert printed.out == GOLDEN.read_text(encoding="utf-8")
    assert printed.err.startswith("warning: ")


def test_json_holds_the_whole_evaluation(sides, capsys):
    assert main(["evaluate", *sides, "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["counts"]["incorrect_A"] == 1
    assert result["tables"]["entity_labels"][0]["label"] == "Action"


def test_json_says_of_which_kind_each_warning_is(sides, capsys):
    assert main(["evaluate", *sides, "--format", "json", "--resamples", "200"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert len(result["warning_kinds"]) == len(result["warnings"]) > 0
    assert all(result["warning_kinds"])


@pytest.mark.thorough
def test_long_work_has_a_bar_on_a_terminal_and_nowhere_else(sides):
    command = [sys.executable, "-m", "scoring", "evaluate", *sides, "--resamples", "200"]
    outer, inner = pty.openpty()
    on_terminal = subprocess.run(command, stdout=subprocess.PIPE, stderr=inner, check=True)
    os.close(inner)
    assert "Scoring ━" in os.read(outer, 100_000).decode()
    os.close(outer)
    elsewhere = subprocess.run(command, capture_output=True, check=True)
    assert "━" not in elsewhere.stderr.decode()
    assert on_terminal.stdout == elsewhere.stdout


def test_csv_begins_with_the_headline(sides, tmp_path):
    assert main(["evaluate", *sides, "--format", "csv", "--output", str(tmp_path / "scores.csv")]) == 0
    lines = (tmp_path / "scores.csv").read_bytes().decode().split("\n")
    assert lines[0] == "name,value,low,high"
    assert lines[1] == "f1,0.4,,"
    assert "incorrect_A,1,," in lines


def test_a_refused_submission_is_status_1_with_each_cause_and_the_line_that_shows_it(sides, tmp_path, capsys):
    (tmp_path / "system" / "output_a_scenario1.txt").write_text("x\n1\t0 5\tConcept\n")
    for action in ("evaluate", "check"):
        assert main([action, *sides]) == 1
        printed = capsys.readouterr()
        assert printed.out == ""
        lines = printed.err.splitlines()
        assert [line.split(": ")[0] for line in lines if not line.startswith(" ")] == [
            "output_a_scenario1.txt:1",
            "output_a_scenario1.txt:2",
        ]
        assert [line.strip() for line in lines if " | " in line] == ["1 | x", "2 | 1⇥0 5⇥Concept"]


def test_equal_problems_are_one_cause_in_the_command_too(sides, tmp_path, capsys):
    (tmp_path / "system" / "output_a_scenario1.txt").write_text("1\t0 5\tConcept\n" * 30)
    assert main(["check", *sides]) == 1
    assert capsys.readouterr().err.count("output_a_scenario1.txt") == 1


def test_scores_without_interval_for_one_reason_are_one_warning_by_their_titles(sides, capsys):
    assert main(["evaluate", *sides, "--resamples", "200"]) == 0
    warnings = [line for line in capsys.readouterr().err.splitlines() if "no interval" in line]
    assert len(warnings) == 1
    assert "F1" in warnings[0]
    assert "_" not in warnings[0]


def test_a_sound_submission_passes_the_check_and_is_told_so(sides, capsys):
    assert main(["check", *sides]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines()[:2] == ["No problem found.", "2 phrases and 0 relations in 2 of 2 sentences."]
    assert printed.err == ""


def test_what_looks_odd_is_told_behind_the_summary_and_changes_no_status(sides, capsys):
    assert main(["check", *sides]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == [
        "output_b_scenario1.txt: There is no relation in any of the 2 sentences, and relations are scored;"
        " there are 2 phrases. (were the relations left out on purpose?)"
    ]


def test_a_quiet_check_gives_the_status_alone(sides, tmp_path, capsys):
    assert main(["check", *sides, "--quiet"]) == 0
    (tmp_path / "system" / "output_a_scenario1.txt").write_text("x\n")
    assert main(["check", *sides, "--quiet"]) == 1
    assert capsys.readouterr() == ("", "")


def test_a_byte_order_mark_is_refused_by_the_rules_and_taken_by_the_commands(sides, tmp_path, capsys):
    marked = tmp_path / "system" / "output_a_scenario1.txt"
    marked.write_bytes(b"\xef\xbb\xbf" + marked.read_bytes())
    [problem] = scoring.check("ehealthkd", gold=sides[2], system=sides[4])
    assert str(problem) == "output_a_scenario1.txt:1: Save as UTF-8 without byte order mark."
    assert main(["check", *sides]) == 0
    assert main(["evaluate", *sides]) == 0
    assert (
        "warning: files: a byte order mark at the beginning was taken away: output_a_scenario1.txt"
        in capsys.readouterr().err.splitlines()
    )


def test_a_bad_gold_is_status_2(sides, tmp_path, capsys):
    (tmp_path / "gold" / "output_a_scenario1.txt").unlink()
    assert main(["evaluate", *sides]) == 2
    assert "missing file output_a_scenario1.txt" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["-o", "rules"], ["-o", "rules=2024"], ["--resamples", "-1"], ["--confidence", "2"], ["--output", "/no/where"]],
)
def test_wrong_options_are_status_2_with_one_line(arguments, sides, capsys):
    assert main(["evaluate", *sides, *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["score"], ["evaluate"], ["evaluate", "parsing"], ["check", "--resamples"]])
def test_wrong_usage_is_status_2(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: python -m scoring")


def test_a_command_of_a_reproduced_system_gets_its_own_arguments(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["ehealthkd", "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("usage: python -m scoring ehealthkd")


def test_a_run_without_resamples_imports_no_scipy(sides):
    program = "import sys; from scoring.cli.main import main; main(sys.argv[1:]); sys.exit('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program, "evaluate", *sides], capture_output=True, check=False)
    assert done.returncode == 0
