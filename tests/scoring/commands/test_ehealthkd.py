import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.commands import ehealthkd

REFERENCE = Path(__file__).parents[1] / "reference" / "ehealthkd"
FOLDERS = {1: "scenario1-main", 2: "scenario2-taskA", 3: "scenario3-taskB"}
OUTPUTS = {
    "json": [],
    "json_pretty": ["--pretty"],
    "best": ["--best"],
    "csv": ["--best", "--csv"],
    "html": ["--best", "--csv", "--pretty"],
    "final": ["--best", "--csv", "--final"],
    "single_pretty": ["--single", "--pretty"],
    "single_best_csv": ["--single", "--best", "--csv"],
}
PHRASES = "1\t0 5\tConcept\tdolor\n2\t6 10\tAction\tbaja\n"
SMALL = {"sentences": "dolor baja\n", "output_a": PHRASES, "output_b": "target\t2\t1\n"}
NOTHING = {"sentences": "dolor baja\n", "output_a": "", "output_b": ""}
EMPTY = {"sentences": "", "output_a": "", "output_b": ""}


def lines_of(name):
    with (REFERENCE / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


TREES = {tree["id"]: tree for tree in lines_of("trees.jsonl")}
CASES = {case["id"]: case for case in lines_of("cases.jsonl")}


@pytest.fixture
def submits(tmp_path):
    """The folder with a perfect run; a small gold lies beside it."""
    return write_small(tmp_path)[1]


@pytest.fixture
def gold(submits):
    return submits.parent / "gold"


@pytest.fixture
def command(submits, gold, capsys):
    """Call the command, which has to end with this status, and return what it prints."""

    def called(status, *options):
        assert ehealthkd.main([str(submits), str(gold), *options]) == status
        return capsys.readouterr()

    return called


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("tree", TREES)
def test_the_printed_text_is_that_of_the_official_program(tree, output, tmp_path, capsys):
    gold, submits = write_tree(tmp_path, TREES[tree])
    passed = submits / TREES[tree]["single"] if output.startswith("single") else submits

    assert ehealthkd.main([str(passed), str(gold), *OUTPUTS[output]]) == 0
    assert capsys.readouterr().out == TREES[tree]["expected_stdout"][output]


@pytest.mark.parametrize("case", CASES)
def test_a_single_scenario_counts_as_in_the_official_program(case, tmp_path, capsys):
    case = CASES[case]
    stem = case["system_sentence_file"]
    system = case["system"] if stem else case["system"] | {"sentences": None}
    others = {scenario: EMPTY for scenario in FOLDERS if scenario != case["scenario"]}
    write_scenarios(tmp_path / "gold", others | {case["scenario"]: case["gold"]}, "input")
    write_scenarios(tmp_path / "submits" / "team" / "run", others, "output")
    write_scenarios(tmp_path / "submits" / "team" / "run", {case["scenario"]: system}, stem)

    status = ehealthkd.main([str(tmp_path / "submits"), str(tmp_path / "gold")])
    printed = capsys.readouterr()
    expected = case["expected"]["command"]
    if "json" in expected:
        entry = json.loads(printed.out)["team"][0][f"scenario{case['scenario']}"]
        assert entry.pop("submit") == "run"
        assert json.dumps(entry, sort_keys=True) == expected["json"]
    else:
        assert (status in (1, 2), printed.out) == (True, "")
        assert printed.err


def test_the_package_hands_over_to_the_command(tmp_path):
    gold, submits = write_tree(tmp_path, TREES["tree-n01"])
    finished = subprocess.run(
        [sys.executable, "-m", "scoring", "ehealthkd", submits, gold, "--best", "--csv"],
        capture_output=True,
        check=True,
    )
    assert finished.stdout.decode() == TREES["tree-n01"]["expected_stdout"]["csv"]


@pytest.mark.parametrize(
    "options", [["--csv"], ["--final"], ["--best", "--final"], ["--csv", "--final"], ["--rules", "2020"]]
)
def test_options_that_do_not_fit_together_are_wrong_usage(options, tmp_path, capsys):
    gold, submits = write_small(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        ehealthkd.main([str(submits), str(gold), *options])
    assert stopped.value.code == 2
    assert capsys.readouterr().out == ""


def test_a_folder_of_runs_that_does_not_exist_is_wrong_usage(tmp_path, capsys):
    gold, _ = write_small(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        ehealthkd.main([str(tmp_path / "elsewhere"), str(gold)])
    assert stopped.value.code == 2
    assert "elsewhere" in capsys.readouterr().err


def test_a_gold_that_does_not_exist_ends_with_status_2(submits, tmp_path, capsys):
    assert ehealthkd.main([str(submits), str(tmp_path / "elsewhere")]) == 2
    assert capsys.readouterr().out == ""


def test_a_broken_gold_ends_with_status_2_and_names_the_line(command, gold):
    (gold / FOLDERS[2] / "output_a_scenario2.txt").write_text("1\t0 5\tConcept\n")
    printed = command(2)
    assert printed.out == ""
    assert "scenario2-taskA/output_a_scenario2.txt:1: " in printed.err


def test_one_refused_run_leaves_all_without_a_result_and_is_named(command, submits):
    write_scenarios(submits / "team" / "worse", dict.fromkeys(FOLDERS, SMALL), "output")
    (submits / "team" / "worse" / FOLDERS[1] / "output_a_scenario1.txt").write_text("1\t0 x\tConcept\ty\n")
    printed = command(1)
    assert printed.out == ""
    assert "team/worse/scenario1-main/output_a_scenario1.txt:1: " in printed.err


def test_all_refused_runs_are_named(command, submits):
    for run, scenario in (("first", 1), ("second", 3)):
        write_scenarios(submits / "team" / run, dict.fromkeys(FOLDERS, SMALL), "output")
        (submits / "team" / run / FOLDERS[scenario] / f"output_b_scenario{scenario}.txt").unlink()
    err = command(1).err
    assert "team/first" in err and "output_b_scenario1.txt" in err  # noqa: PT018
    assert "team/second" in err and "output_b_scenario3.txt" in err  # noqa: PT018


def test_a_folder_in_the_place_of_a_file_is_refused(command, submits):
    path = submits / "team" / "run" / FOLDERS[1] / "output_a_scenario1.txt"
    path.unlink()
    path.mkdir()
    assert "output_a_scenario1.txt" in command(1).err


@pytest.mark.parametrize("missing", ["output_{}.txt", "output_a_{}.txt", "output_b_{}.txt"])
@pytest.mark.parametrize("scenario", FOLDERS)
def test_a_run_needs_all_nine_files(scenario, missing, command, submits):
    name = missing.format(f"scenario{scenario}")
    (submits / "team" / "run" / FOLDERS[scenario] / name).unlink()
    assert name in command(1).err


def test_an_empty_run_is_refused(command, submits):
    (submits / "team" / "empty").mkdir()
    assert "team/empty" in command(1).err


@pytest.mark.parametrize(
    ("options", "expected"), [([], "{}\n"), (["--best"], "{}\n"), (["--best", "--csv", "--final"], None)]
)
def test_without_runs_the_result_is_empty(options, expected, tmp_path, capsys):
    gold, submits = write_small(tmp_path, runs=())
    assert ehealthkd.main([str(submits), str(gold), *options]) == 0
    printed = capsys.readouterr().out
    assert printed == (expected or "".join(f"{final_header(scenario)}\n\n" for scenario in FOLDERS))


def test_a_team_without_runs_has_no_best_run(command, submits):
    (submits / "absent").mkdir()
    assert json.loads(command(0).out)["absent"] == []

    printed = command(0, "--best")
    assert list(json.loads(printed.out)) == ["team"]
    assert "absent" in printed.err


def test_files_and_hidden_entries_beside_the_runs_are_skipped_with_a_note(command, submits):
    (submits / "notes.txt").write_text("x")
    (submits / ".git").mkdir()
    (submits / "team" / "README").write_text("x")
    printed = command(0)
    assert [(team, len(runs)) for team, runs in json.loads(printed.out).items()] == [("team", 1)]
    assert all(name in printed.err for name in ("notes.txt", ".git", "team/README"))


def test_an_altered_sentence_is_left_out_and_reported(command, submits):
    altered = SMALL | {"sentences": "dolor  baja\n"}
    write_scenarios(submits / "team" / "run", {1: altered}, "output")
    printed = command(0)
    entry = json.loads(printed.out)["team"][0]["scenario1"]
    assert (entry["correct_A"], entry["missing_A"], entry["precision"]) == (0, 0, 0)
    assert "team/run/scenario1-main/output_scenario1.txt:1: " in printed.err


def test_checked_sentences_refuse_what_the_official_program_leaves_out(command, submits):
    write_scenarios(submits / "team" / "run", {1: SMALL | {"sentences": "dolor  baja\n"}}, "output")
    printed = command(1, "--sentences", "checked")
    assert printed.out == ""
    assert "team/run/scenario1-main/output_scenario1.txt:1: " in printed.err


@pytest.mark.parametrize(("rules", "partial"), [("2019", 1), ("documented", 0)])
def test_the_rules_are_passed_on(rules, partial, command, submits):
    overlapping = SMALL | {"output_a": "1\t0 4\tAction\tdolo\n", "output_b": ""}
    write_scenarios(submits / "team" / "run", {1: overlapping}, "output")
    assert json.loads(command(0, "--rules", rules).out)["team"][0]["scenario1"]["partial_A"] == partial


def test_a_row_with_a_float_prints_all_its_zeros_as_floats(command, submits):
    write_scenarios(submits / "other" / "run", dict.fromkeys(FOLDERS, NOTHING), "output")
    assert '"f1": 0, ' in command(0, "--best").out

    assert "scenario1-f1,0.0,1.0\n" in command(0, "--best", "--csv").out


def test_names_with_separators_and_quotes_are_quoted(tmp_path, capsys):
    gold, submits = write_small(tmp_path, runs=('a "b", c/run',))
    assert ehealthkd.main([str(submits), str(gold), "--best", "--csv"]) == 0
    assert capsys.readouterr().out.startswith(',"a ""b"", c"\n')


def test_the_single_team_is_named_after_the_folder_passed(tmp_path, capsys, monkeypatch):
    gold, submits = write_small(tmp_path)
    monkeypatch.chdir(submits / "team")
    assert ehealthkd.main([".", str(gold), "--single"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == ["team"]


def test_teams_inside_the_folder_of_one_are_scored_as_such_and_folders_without_a_run_are_named(tmp_path, capsys):
    runs = ("baseline", "human/001", "all/a/1", "all/a/2", "all/b/1")
    gold, submits = write_small(tmp_path, runs=runs)
    (submits / "all" / "c").mkdir()
    assert ehealthkd.main([str(submits), str(gold), "--single"]) == 0
    printed = capsys.readouterr()
    named = {team: [run["submit"] for run in runs] for team, runs in json.loads(printed.out).items()}
    assert named == {"submits": ["baseline", "human"], "all/a": ["1", "2"], "all/b": ["1"]}
    assert printed.err.splitlines() == [
        "all/a: scored as a team, with its runs 1, 2",
        "all/b: scored as a team, with its runs 1",
        "all/c: left out, it holds no run",
    ]


def final_header(scenario):
    name = f"scenario{scenario}"
    return f"name,{name}-f1,{name}-precision,{name}-recall"


def write_small(folder, runs=("team/run",)):
    """GOLD of one sentence a scenario and SUBMITS with perfect runs."""
    write_scenarios(folder / "gold", dict.fromkeys(FOLDERS, SMALL), "input")
    (folder / "submits").mkdir()
    for run in runs:
        write_scenarios(folder / "submits" / run, dict.fromkeys(FOLDERS, SMALL), "output")
    return folder / "gold", folder / "submits"


def write_tree(folder, tree):
    write_scenarios(folder / "gold", tree["gold"], "input")
    for team, runs in tree["users"].items():
        for run, scenarios in runs.items():
            write_scenarios(folder / "submits" / team / run, scenarios, "output")
    return folder / "gold", folder / "submits"


def write_scenarios(folder, scenarios, stem):
    for scenario, contents in scenarios.items():
        place = folder / FOLDERS[int(scenario)]
        place.mkdir(parents=True, exist_ok=True)
        for key, content in contents.items():
            if content is not None:
                name = stem if key == "sentences" else key
                (place / f"{name}_scenario{scenario}.txt").write_bytes(as_bytes(content))


def as_bytes(content):
    return content.encode() if isinstance(content, str) else base64.b64decode(content["b64"])
