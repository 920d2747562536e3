"""python -m scoring compare: the finding, the table in each format, exit status."""

import csv
import io
import json
import re

import pytest

from scoring.__main__ import main

N_SENTENCES = 40


def make_side(folder, n_found):
    """Forty sentences of one word, each a phrase in the gold; a system finds the first of them."""
    folder.mkdir()
    (folder / "input_scenario2.txt").write_text("dolor\n" * N_SENTENCES, encoding="utf-8")
    phrases = [f"{k + 1}\t{6 * k} {6 * k + 5}\tConcept\tdolor\n" for k in range(n_found)]
    (folder / "output_a_scenario2.txt").write_text("".join(phrases), encoding="utf-8")
    (folder / "output_b_scenario2.txt").write_text("", encoding="utf-8")
    return str(folder)


@pytest.fixture
def arguments(tmp_path):
    found = {"gold": N_SENTENCES, "good_run": 38, "fair": 36, "poor": 9, "base&line": 8}
    paths = {name: make_side(tmp_path / name, n) for name, n in found.items()}
    systems = [paths[name] for name in ("poor", "good_run", "fair")]
    start = ["compare", "ehealthkd", "--gold", paths["gold"], *systems, "--reference", paths["base&line"]]
    return [*start, "-o", "scenario=2", "--resamples", "500"]


def test_the_text_begins_with_the_finding_and_ends_with_the_signature(arguments, capsys):
    assert main(arguments) == 0
    sentence, table, reference, signature = capsys.readouterr().out.rstrip("\n").split("\n\n")
    assert re.fullmatch(
        r"Shared first: good_run \(0\.974\) and fair \(0\.\d{3}\)\. "
        r"40 sentences cannot tell them apart; good_run is better than poor\.",
        sentence,
    )
    assert [re.split(r"  +", line)[:2] for line in table.splitlines()] == [
        ["rank", "system"],
        ["1–2", "good_run"],
        ["1–2", "fair"],
        ["3", "poor"],
    ]
    assert re.search(r"0\.974 \[0\.\d{3}, \d\.\d{3}\]  –", table)
    assert re.search(r"−0\.\d{3} \[−0\.\d{3}, −0\.\d{3}\]  b$", table)
    assert reference.startswith(
        "Reference base&line, 0.333: worse than good_run and fair; cannot be told apart from poor"
    )
    assert "|systems:3|resamples:500|confidence:0.95|test:max-t step-down|seed:" in signature


def test_csv_has_the_columns_of_the_table(arguments, tmp_path):
    assert main([*arguments, "--format", "csv", "--output", str(tmp_path / "board.csv")]) == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "board.csv").read_text(encoding="utf-8"))))
    assert [row["name"] for row in rows] == ["good_run", "fair", "poor"]
    assert rows[0]["difference_low"] == rows[0]["p_to_leader"] == ""
    assert float(rows[2]["difference_high"]) < 0


def test_json_holds_the_matrices(arguments, capsys):
    assert main([*arguments, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["separated"] == [[False, False, True], [False, False, True], [False, False, False]]
    assert [row["name"] for row in found["references"]] == ["base&line"]


def test_latex_escapes_names_and_says_how_it_was_made(arguments, tmp_path, capsys):
    odd = make_side(tmp_path / "100%_C#", 36)
    assert main([*arguments[:4], odd, *arguments[4:], "--format", "latex"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("% family:ehealthkd|")
    assert r"100\%\_C\# & " in printed
    assert r"good\_run & 0.974" in printed
    assert r"$-$0." in printed
    assert printed.count(r"\\") == 5


def test_randomisation_is_the_other_method(arguments, capsys):
    assert main([*arguments, "--method", "randomisation"]) == 0
    assert "|test:randomisation, holm|" in capsys.readouterr().out


def test_systems_of_equal_names_are_wrong_usage(arguments, capsys):
    assert main([*arguments, "--reference", arguments[4]]) == 2
    assert capsys.readouterr().err == "two systems are called poor: give their files different names\n"


def test_a_refused_system_is_named(arguments, tmp_path, capsys):
    (tmp_path / "fair" / "output_a_scenario2.txt").write_text("x\n")
    assert main(arguments) == 1
    assert capsys.readouterr().err.startswith("fair/output_a_scenario2.txt:1: ")
