"""python -m scoring audit: the board of a table of systems × units, and what is said of tables that are none."""

import json
import shlex
import xml.etree.ElementTree as ET
from contextlib import suppress

import pytest

from scoring.__main__ import main
from scoring.auditing import audit
from scoring.errors import SubmissionError
from scoring.readers.given.grid import MOST_SYSTEMS, Headings, read_grid
from tests.doubling import growth_of_memory, growth_of_time

N_UNITS = 60
RIGHT = {"good": 55, "fair": 52, "poor": 12}  # so many of the units, the first ones


def score(system, unit):
    return int(unit < RIGHT[system])


WIDE = "item,good,fair,poor\n" + "".join(
    f"u{unit},{score('good', unit)},{score('fair', unit)},{score('poor', unit)}\n" for unit in range(N_UNITS)
)
LONG = "system\tunit\tscore\n" + "".join(
    f"{system}\tu{unit}\t{score(system, unit)}\n" for system in RIGHT for unit in range(N_UNITS)
)
OBJECTS = "".join(
    json.dumps({"item": f"u{unit}"} | {system: score(system, unit) for system in RIGHT}) + "\n"
    for unit in range(N_UNITS)
)


@pytest.fixture
def run(tmp_path, capsys, monkeypatch):
    """Return a function that audits a table in the present folder: exit status, output, notes."""
    monkeypatch.chdir(tmp_path)

    def run(text, *arguments, name="table.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        status = main(["audit", name, "--resamples", "500", *arguments])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def test_the_text_has_the_finding_ranges_groups_pairs_power_and_the_command(run):
    status, printed, notes = run(WIDE)
    assert (status, notes) == (0, "")
    sentence, table, signature, pairs, power, needed, together, command = printed.rstrip("\n").split("\n\n")
    assert sentence == (
        "Shared first: good (0.917) and fair (0.867). 60 units cannot tell them apart; good is better than poor."
    )
    assert [line.split()[:2] + line.split()[-1:] for line in table.splitlines()[1:]] == [
        ["1–2", "good", "a"],
        ["1–2", "fair", "a"],
        ["3", "poor", "b"],
    ]
    assert "|systems:3|resamples:500|" in signature
    assert [(line[:11], line.split()[-1]) for line in pairs.splitlines()[1:]] == [
        ("good − fair", "no"),
        ("good − poor", "yes"),
        ("fair − poor", "yes"),
    ]
    assert power.startswith("With these 60 units, a difference of about ")
    assert command.startswith("Make it again: evalsite audit table.csv --resamples 500")


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_command_that_is_said_makes_the_same_board_again(run, capsys, form):
    _, printed, _ = run(WIDE, "--lower-is-better", "--confidence", "0.9", "--format", form)
    command = json.loads(printed)["command"] if form == "json" else printed.rpartition("again: ")[2].strip()
    assert main([*shlex.split(command)[1:], "--format", form]) == 0
    assert capsys.readouterr().out == printed


@pytest.mark.parametrize(("text", "name"), [(LONG, "table.tsv"), (OBJECTS, "table.jsonl")])
def test_all_forms_of_a_table_give_the_same_board(run, text, name):
    _, of_columns, _ = run(WIDE)
    _, of_others, _ = run(text, name=name)
    assert of_others.replace(name, "table.csv") == of_columns


def test_numbers_are_those_of_given_scores_on_the_same_draws(run, tmp_path, capsys):
    (tmp_path / "units.csv").write_text("unit\n" + "".join(f"u{unit}\n" for unit in range(N_UNITS)))
    for system in RIGHT:
        rows = "".join(f"u{unit},{score(system, unit)}\n" for unit in range(N_UNITS))
        (tmp_path / f"{system}.csv").write_text(f"unit,score\n{rows}")
    same = ["--resamples", "500", "--seed", "7", "--format", "csv"]
    runs = [f"{system}.csv" for system in RIGHT]
    assert main(["compare", "given", "--gold", "units.csv", *runs, *same]) == 0
    expected = capsys.readouterr().out
    assert run(WIDE, *same[2:])[1] == expected


def test_less_is_better_where_it_is_said(run):
    _, printed, _ = run(WIDE, "--lower-is-better")
    assert printed.startswith("First: poor (0.200), better than all 2 others.")


def test_units_of_a_group_are_drawn_together(run):
    lines = WIDE.splitlines()
    grouped = "\n".join([f"{lines[0]},text", *(f"{line},t{k // 2}" for k, line in enumerate(lines[1:]))])
    status, printed, _ = run(grouped, "--group", "text", "--format", "json")
    board = json.loads(printed)
    assert (status, board["n_units"], board["power"]["n_units"]) == (0, 30, 30)
    assert board["names"] == ["good", "fair", "poor"]


def test_latex_and_svg_show_the_board(run, tmp_path):
    _, printed, _ = run(WIDE, "--format", "latex", "--svg", "board.svg")
    assert printed.startswith("% evalsite audit table.csv ")
    assert "good & 0." in printed
    drawn = ET.parse(tmp_path / "board.svg")
    assert {"good", "fair", "poor"} <= {text.strip() for text in drawn.getroot().itertext()}


def test_a_heading_with_a_line_break_does_not_leave_the_comment_of_the_latex_table(run):
    heading = "mo\n\\input{x}\u2028y"
    rows = "".join(f"u{unit},{system},{unit % n}\n" for unit in range(30) for system, n in (("a", 2), ("b", 3)))
    _, printed, _ = run(f'unit,"{heading}",score\n{rows}', "--format", "latex", "--system", heading)
    comment, *others = printed.splitlines()
    assert comment.startswith("% evalsite audit table.csv ")
    assert "\\input{x} y" in comment
    assert not any("input{x}" in line for line in others)


@pytest.mark.parametrize(
    "text", ["model,accuracy\nA,0.9\nB,0.8\n", "system,score\nA,0.9\nB,0.8\n", "Team,f1,recall\nA,1,2\n"]
)
def test_totals_are_answered_by_what_cannot_be_said(run, text):
    status, printed, notes = run(text)
    assert (status, printed) == (1, "")
    assert notes.startswith("table.csv:1: totals of systems, without units: whether they differ cannot be said.")


BAD = {
    "unit,A,B\nu1,1,0\nu2,1\nu3,1,nan\n": ["3: 2 fields instead of 3", "4: score of 'B': 'nan' is not a number"],
    "unit,A,B\nu1,1,0\nu1,1,\n": [
        "3: duplicate unit 'u1' (first on line 2)",
        "3: score of 'B': empty value",
    ],
    "unit,A,A\nu1,1,1\n": ["1: column 'A' stands twice"],
    "unit,A,\nu1,1,1\n": ["1: a column without a name"],
    "unit,A\nu1,1\n": [
        "1: 1 system, expected two or more: a row for each unit and a column for each system,"
        " or the columns unit, system and score"
    ],
    "unit,system,score\nu1,A,1\nu1,B,0\nu1,A,1\nu2,B,0\n": [
        "4: a second score of 'A' for unit 'u1' (first on line 2)",
        "5: unit 'u2' has scores of 1 of 2 systems; that of 'A' is missing",
    ],
    "unit,system,score\nu1,A,x\nu1,,0\n": ["2: score: 'x' is not a number", "3: empty system"],
}


@pytest.mark.parametrize("text", BAD)
def test_bad_tables_are_told_with_their_lines(run, text):
    status, printed, notes = run(text)
    assert (status, printed) == (1, "")
    assert notes.splitlines() == [f"table.csv:{problem}" for problem in BAD[text]]


def test_a_column_that_is_not_there_is_named(run):
    assert run("unit,A,B\nu1,1,0\n", "--group", "text")[2] == (
        "table.csv:1: no column 'text'; the table has 'unit', 'A', 'B'\n"
    )


@pytest.mark.parametrize("text", ["unit,A,B\nu1,1,0\n", "unit,system,score\nu1,A,1\nu1,B,1\n"])
def test_one_column_cannot_hold_units_and_groups(run, text):
    assert run(text, "--group", "unit") == (2, "", "column 'unit' cannot serve for two things\n")


def test_a_group_that_differs_within_a_unit_is_refused(run):
    text = "unit,system,score,text\nu1,A,1,t1\nu1,B,0,t2\n"
    assert run(text, "--group", "text")[2] == "table.csv:3: unit 'u1' has another group on line 2\n"


def test_ten_thousand_systems_are_refused_before_their_scores_are_read(run):
    heading = ",".join(["unit", *(f"s{k}" for k in range(10_000))])
    status, _, notes = run(f"{heading}\nu1,x\n")
    assert status == 1
    assert notes.startswith(f"table.csv:1: 10000 systems, expected at most {MOST_SYSTEMS}: all pairs are tested.")


def test_constant_systems_are_told_and_kept(run):
    status, printed, notes = run("unit,A,B\n" + "".join(f"u{k},1,{k % 2}\n" for k in range(40)))
    assert status == 0
    assert notes == "warning: A has the score 1 for each unit\n"
    assert printed.startswith("First: A (1.00")


def test_few_units_separate_nothing(run):
    status, printed, notes = run("task,A,B\nmmlu,1,0\n")
    assert status == 0
    assert "fewer than 20 units: nothing is separated" in notes
    assert "1 unit is too few to tell systems apart." in printed


def test_the_order_of_units_changes_no_score():
    grid = read_grid({"t.csv": WIDE.encode()}, Headings())
    first, *rows = WIDE.splitlines()
    turned = read_grid({"t.csv": "\n".join([first, *reversed(rows)]).encode()}, Headings())
    assert audit(grid, 100).scores == audit(turned, 100).scores


FORMS = {
    "units": lambda n: "unit,A,B\n" + "".join(f"u{k},1,0\n" for k in range(n)),
    "scores": lambda n: "unit,system,score\n" + "".join(f"u{k // 2},{'AB'[k % 2]},1\n" for k in range(n)),
    "lacking": lambda n: "unit,system,score\n" + "".join(f"u{k},s{k % 200},1\n" for k in range(n)),
    "equal": lambda n: "unit,system,score\n" + "u1,A,1\n" * n,
    "columns": lambda n: ",".join(f"s{k}" for k in range(n)) + "\n",
}


@pytest.mark.thorough
@pytest.mark.parametrize("form", FORMS)
def test_reading_grows_no_faster_than_the_table(form):
    def work(n):
        files = {"t.csv": FORMS[form](n).encode()}

        def read():
            # A refusal takes time, too.
            with suppress(SubmissionError):
                read_grid(files, Headings())

        return read

    assert growth_of_time(work, [20_000, 80_000]).is_linear
    assert growth_of_memory(work, 80_000).is_linear
