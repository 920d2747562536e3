"""Tests that nothing which steers a terminal reaches it from a file, a name or an answer, whichever command it is."""

import ast
import json
import zipfile
from pathlib import Path

import pytest

from scoring.cli.main import main
from scoring.display import terminal
from scoring.display.printable import one_line, printable
from scoring.remote.answers import board_lines, state_lines

# Clears the screen, sets the title, moves up, and writes a verdict of its own; the same in C1; directions turned round.
STEERING = "Ada\x1b[2J\x1b]0;x\x07\x9b1A\u202egnihton\u2066\x7f\x85\u2028\ud800"
WELL_SPELT = "Ægir, 東京\u3000本, می\u200cخواهم, 1\u00a0000, 🧑\u200d🚀"


def steers(text: str) -> bool:
    return any(not sign.isprintable() and sign not in "\n\t" for sign in text)


def test_what_steers_is_shown_as_an_escape_and_what_is_spelt_stays():
    assert not steers(printable(STEERING))
    assert printable(WELL_SPELT) == WELL_SPELT
    assert printable("a\tb\r\nc\rd\n") == "a\tb\r\nc\\u000dd\n"
    assert one_line("a\nb\tc") == "a\\u000ab\\u0009c"


def test_the_escapes_leave_the_values_of_json_as_they_are():
    value = {"team": STEERING + "\U000e0041", "n": [1.5, None]}
    assert json.loads(printable(json.dumps(value, ensure_ascii=False, indent=2))) == value


@pytest.mark.parametrize("write", [terminal.say, terminal.note, terminal.warn, terminal.write])
def test_each_writer_of_the_terminal_escapes(write, capsys):
    write(STEERING)
    written = capsys.readouterr()
    assert "\\u001b" in written.out + written.err
    assert not steers(written.out + written.err)


def test_a_file_that_is_asked_for_gets_a_text_to_the_letter(tmp_path):
    terminal.write("Ada\x1b \u202e", output=tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == "Ada\x1b \u202e"
    terminal.write("half \ud800", output=tmp_path / "half.txt")
    assert (tmp_path / "half.txt").read_text() == "half \\ud800"


def test_no_command_prints_past_the_terminals_writers():
    folders = [Path("scoring/cli"), Path("scoring/remote"), Path("scoring/display"), Path("scoring/verifying")]
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        if path == Path("scoring/display/terminal.py"):
            continue
        calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        assert not [call for call in calls if isinstance(call, ast.Name) and call.id == "print"], path


def test_a_team_can_neither_steer_nor_add_a_line_to_a_board_in_the_terminal():
    name = "Ada\x1b[2J\n1  Eve  0.99"
    entry = {"team": name, "reference": "", "rank_range": None, "rank": 1, "group": "a", "method": name}
    entry |= {"scores": {"f1": 0.5}, "intervals": {}}
    board = {"task": name, "phase": name, "scenario": {"number": 1, "name": name}, "headline": "f1"}
    lines = list(board_lines(board | {"finding": name, "entries": [entry]}))
    assert len(lines) == 5
    assert not any(not line.isprintable() for line in lines)
    part = {"scenario": 1, "name": name, "state": "failed", "scores": [], "reference": name}
    assert not any(not line.isprintable() for line in state_lines({"scenarios": [part], "address": name}))


def test_labels_and_names_of_files_are_escaped_by_the_engines_own_commands(tmp_path, capsys):
    label = "wolf\x9b2J\u202e"
    gold, run = tmp_path / "gold.csv", tmp_path / "run\x1b[2J.csv"
    gold.write_text(f"id,label\n1,{label}\n2,deer\n")
    run.write_text(f"id,label\n1,{label}\n2,deer\n")
    paths = ["--gold", str(gold), "--system", str(run)]
    for command in (["evaluate", "labels", *paths], ["check", "labels", *paths]):
        assert main(command) == 0
        written = capsys.readouterr()
        assert not steers(written.out + written.err)
    run.write_text(f"id,label\n1,{label}\n3\u202e\x1b,deer\n")
    assert main(["check", "labels", *paths]) == 1
    assert not steers(capsys.readouterr().err)


def test_the_members_of_an_archive_have_printable_names(tmp_path, capsys):
    for sign in ("\x1b", "\x7f", "\x9b", "\u202e", "\u2028"):
        path = tmp_path / "odd.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(f"a{sign}b", b"")
        assert main(["verify", str(path)]) == 2
        written = capsys.readouterr().err
        assert "is no path inside the archive" in written
        assert not steers(written)
