"""`evalsite audit` on the logs of evaluation harnesses, all of them made up."""

import json
import shlex
import zipfile

import pytest

from scoring.__main__ import main

RIGHT = {"llama": 30, "mistral": 10}  # so many of 40 units, the first ones
N_UNITS = 40


def lines(rows) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def harness(n_right: int, **further) -> list[dict]:
    return [
        {"doc_id": k, "doc": {"q": k}, "filter": "none", "metrics": ["acc", "acc_norm"], "doc_hash": f"h{k}"}
        | {"acc": float(k < n_right), "acc_norm": float(k % 2)}
        | further
        for k in range(N_UNITS)
    ]


def inspect(system: str, n_right: int) -> dict:
    """Return a log of two epochs, the second of which is always right."""
    samples = [
        {"id": k, "epoch": epoch, "scores": {"match": {"value": "C" if k < n_right or epoch == 2 else "I"}}}
        for k in range(N_UNITS)
        for epoch in (1, 2)
    ]
    return {"version": 2, "eval": {"model": system, "task": "made-up"}, "samples": samples}


def every(system: str, n_right: int) -> list[dict]:
    fixed = {"schema_version": "0.3.0", "model_id": system, "evaluation_name": "made-up"}
    return [
        fixed | {"sample_id": f"s{k}", "evaluation_result_id": name, "evaluation": {"score": score, "is_correct": True}}
        for k in range(N_UNITS)
        for name, score in (("accuracy", float(k < n_right)), ("length", k))
    ]


def resolved(n_right: int) -> dict:
    return {"resolved": [f"i-{k}" for k in range(n_right)], "no_generation": [f"i-{N_UNITS - 1}"], "no_logs": []}


DATE = "2026-01-02T03-04-05.678"
LOGS = {
    "lm-evaluation-harness": {
        f"out/{system}/samples_arc_{DATE}.jsonl": lines(harness(n)) for system, n in RIGHT.items()
    },
    "inspect_ai": {f"{system}.json": json.dumps(inspect(system, n)) for system, n in RIGHT.items()},
    "Every Eval Ever": {f"{n}_samples.jsonl": lines(every(system, n)) for system, n in RIGHT.items()},
    "SWE-bench": {f"lite/{system}/results/results.json": json.dumps(resolved(n)) for system, n in RIGHT.items()},
}


@pytest.fixture
def run(tmp_path, capsys, monkeypatch):
    """Write files below a folder, audit that, and give the status, the board and what was told."""
    monkeypatch.chdir(tmp_path)

    def run(files, *arguments, paths=("logs",)):
        for name, content in files.items():
            path = tmp_path / "logs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        status = main(["audit", *paths, "--resamples", "200", "--format", "json", *arguments])
        printed = capsys.readouterr()
        return status, json.loads(printed.out) if printed.out else {}, printed.err

    return run


def scores(board) -> dict[str, float]:
    return {row["name"]: round(row["score"], 6) for row in board["table"]}


@pytest.mark.parametrize(
    ("format_", "llama", "mistral", "n_units"),
    [
        ("lm-evaluation-harness", 30 / 40, 10 / 40, 40),
        ("inspect_ai", (30 / 40 + 1) / 2, (10 / 40 + 1) / 2, 40),
        ("Every Eval Ever", 30 / 40, 10 / 40, 40),
        ("SWE-bench", 30 / 31, 10 / 31, 31),
    ],
)
def test_logs_of_each_harness_give_the_board_of_their_systems(run, format_, llama, mistral, n_units):
    status, board, _ = run(LOGS[format_])
    assert (status, board["n_units"]) == (0, n_units)
    assert scores(board) == {"llama": round(llama, 6), "mistral": round(mistral, 6)}
    assert board["sentence"].startswith("First: llama")


def test_a_zip_archive_of_the_folders_gives_the_same_board(run, tmp_path):
    _, of_folder, _ = run(LOGS["lm-evaluation-harness"])
    with zipfile.ZipFile(tmp_path / "logs.zip", "w") as archive:
        for name, content in LOGS["lm-evaluation-harness"].items():
            archive.writestr(name, content)
    _, of_zip, _ = run({}, paths=["logs.zip"])
    assert of_zip["table"] == of_folder["table"]


def test_several_files_are_one_command_which_makes_the_board_again(run, capsys):
    paths = [f"logs/{name}" for name in LOGS["lm-evaluation-harness"]]
    _, board, _ = run(LOGS["lm-evaluation-harness"], paths=paths)
    assert main([*shlex.split(board["command"])[1:], "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == board


def test_the_first_metric_is_read_and_told_and_another_can_be_named(run):
    _, board, notes = run(LOGS["lm-evaluation-harness"])
    assert "warning: arc: acc,none is read; the score may name another: acc_norm,none" in notes
    _, other, _ = run({}, "--score", "acc_norm")
    assert scores(board) != scores(other) == {"llama": 0.5, "mistral": 0.5}
    assert "--score=acc_norm" in other["command"]


def test_of_several_filters_one_is_read(run):
    of_both = [
        row
        for strict, loose in zip(harness(10, filter="strict"), harness(20, filter="loose"), strict=True)
        for row in (strict, loose)
    ]
    files = {f"{system}/samples_arc_{DATE}.jsonl": lines(of_both) for system in RIGHT}
    assert set(scores(run(files)[1]).values()) == {0.25}
    assert set(scores(run({}, "--score", "acc,loose")[1]).values()) == {0.5}


def test_units_of_several_tasks_are_kept_apart_and_results_left_aside(run):
    files = {
        f"{system}/samples_{task}_{DATE}.jsonl": lines(harness(n)) for system, n in RIGHT.items() for task in ("a", "b")
    }
    results = {f"llama/results_{DATE}.json": json.dumps({"results": {}, "configs": {}})}
    status, board, notes = run(files | results)
    assert (status, board["n_units"]) == (0, 80)
    assert f"left aside, not read: llama/results_{DATE}.json" in notes


HARNESS = LOGS["lm-evaluation-harness"]
LLAMA, MISTRAL = HARNESS
BAD = {
    "missing units": (
        {MISTRAL: lines(harness(9)[:-2])},
        f"{MISTRAL}: system 'mistral' has 38 of 40 units; those that it lacks and others have: '38', '39'",
    ),
    "no JSON": ({MISTRAL: HARNESS[MISTRAL] + "{\n"}, f"{MISTRAL}:41:2: not JSON"),
    "no unit": ({MISTRAL: HARNESS[MISTRAL] + "[1]\n"}, f"{MISTRAL}:41: found no unit with its scores; expected"),
    "no number": (
        {MISTRAL: lines(harness(9, acc="high"))},
        f"{MISTRAL}:1: acc,none of unit '0': found 'high', expected a number",
    ),
    "twice": ({MISTRAL: HARNESS[MISTRAL] * 2}, f"{MISTRAL}:41: a second score of 'mistral' for unit '0'"),
    "other data": (
        {MISTRAL: lines(harness(9, doc_hash="h0"))},
        f"{MISTRAL}:2: unit '1' is another than that of 'llama': its doc_hash differs",
    ),
    "two formats": (LOGS["inspect_ai"], "logs of inspect_ai, lm-evaluation-harness: give those of one"),
}


@pytest.mark.parametrize("fault", BAD)
def test_bad_logs_are_told_with_file_and_line(run, fault):
    files, message = BAD[fault]
    status, board, notes = run(HARNESS | files)
    assert (status, board) == (1, {})
    assert message in notes


OF_SAMPLE = {"id": 1, "epoch": 1, "scores": {"match": {"value": float("nan")}}}
OTHERS = {
    "unscored": (
        {"a.json": json.dumps(inspect("x", 1)), "b.json": json.dumps(inspect("y", 1) | {"samples": [OF_SAMPLE]})},
        "b.json: match of unit '1': found nan, expected a number",
    ),
    "ids": ({"results.json": '{"resolved": [7]}'}, "list resolved: found 7, expected the id of an instance"),
    "one": ({"a.json": json.dumps(inspect("x", 1))}, "one system, 'x', expected two or more"),
    "unknown": ({"a.csv": "unit,A,B\n", "b.csv": "unit,A,B\n"}, "2 files, and none is a log that is read"),
    "packed": ({"a.eval": "", "b.eval": ""}, "a.eval: a packed log of inspect_ai (.eval); expected it as JSON"),
}


@pytest.mark.parametrize("fault", OTHERS)
def test_what_is_no_log_of_several_systems_is_told(run, fault):
    files, message = OTHERS[fault]
    status, _, notes = run(files)
    assert status == 1
    assert message in notes


@pytest.mark.parametrize(
    "totals",
    [
        {"results": {"arc": {"acc,none": 0.5}}, "configs": {}},
        {"schema_version": "0.3.0", "evaluation_results": []},
        {"eval": {"model": "x", "task": "t"}, "results": {}, "samples": None},
        {"resolved_instances": 7, "total_instances": 9},
    ],
)
def test_totals_of_harnesses_are_answered_by_what_cannot_be_said(run, totals):
    status, _, notes = run({"a.json": json.dumps(totals)})
    assert status == 1
    assert "totals of systems, without units: whether they differ cannot be said" in notes


def test_columns_of_logs_cannot_be_named(run):
    status, _, notes = run(HARNESS, "--group", "doc")
    assert (status, notes) == (2, "logs have no columns to name; only a metric may be named, as the score\n")


def test_a_report_of_all_units_needs_no_warning(run):
    reports = {
        f"{system}.run-1.json": json.dumps(
            {"resolved_ids": [f"i-{k}" for k in range(n)], "unresolved_ids": [f"i-{k}" for k in range(n, N_UNITS)]}
            | {"total_instances": N_UNITS, "resolved_instances": n}
        )
        for system, n in RIGHT.items()
    }
    _, board, notes = run(reports)
    assert scores(board) == {"llama.run-1": 0.75, "mistral.run-1": 0.25}
    assert notes == ""
    assert "31 instances that the lists name" in run(LOGS["SWE-bench"], paths=["logs/lite"])[2]
