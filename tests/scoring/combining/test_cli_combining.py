"""python -m scoring combine and mean-rank, on evaluations that `evaluate --save` has stored."""

import csv
import io
import json
from dataclasses import replace

import pytest

import scoring
from scoring.__main__ import main
from tests.scoring.cli.test_compare import N_SENTENCES, make_side


@pytest.fixture
def teams(tmp_path, capsys):
    """Folders of three teams with stored evaluations of two scenarios."""
    gold = make_side(tmp_path / "gold", N_SENTENCES)
    folders = []
    for team, found in {"ours": (38, 30), "theirs": (36, 20), "third": (9, 8)}.items():
        (tmp_path / team).mkdir()
        for scenario, n_found in zip(("en", "de"), found, strict=True):
            run = make_side(tmp_path / f"{team}-{scenario}", n_found)
            arguments = ["evaluate", "ehealthkd", "--gold", gold, "--system", run, "-o", "scenario=2"]
            stored = str(tmp_path / team / f"{scenario}.npz")
            assert main([*arguments, "--resamples", "200", "--save", stored, "--keep", "recall"]) == 0
        folders.append(str(tmp_path / team))
    capsys.readouterr()
    return folders


def test_evaluate_stores_the_draws_of_the_scores_to_keep(teams):
    stored = scoring.Evaluation.load(f"{teams[0]}/en.npz")
    assert list(stored.kept_draws) == ["recall"]
    without = replace(stored, kept_draws={})
    from_rows = scoring.combine("recall", {"en": without}, n_resamples=200).draws
    assert from_rows == pytest.approx(stored.kept_draws["recall"])


def test_one_team_has_a_score_with_its_interval_and_parts(teams, capsys):
    assert main(["combine", "mean(*.recall)", teams[0], "--resamples", "200"]) == 0
    score, parts, signature = capsys.readouterr().out.rstrip("\n").split("\n\n")
    assert score.startswith("mean(*.recall)  0.850 [0.")
    assert parts.splitlines() == ["de.recall  0.750", "en.recall  0.950"]
    assert signature.startswith("family:combined|formula:mean(*.recall)|scenarios:de,en|units:40,40|")


def test_several_teams_are_compared(teams, capsys):
    arguments = ["combine", "mean(*.recall)", *teams, "--resamples", "200"]
    assert main([*arguments, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    scores = {row["name"]: float(row["score"]) for row in rows}
    assert scores == pytest.approx({"ours": 0.85, "theirs": 0.7, "third": 0.2125})
    assert main(arguments) == 0
    assert capsys.readouterr().out.startswith("Over 2 scenarios, ours")


def test_ranks_say_among_how_many_teams_they_are(teams, capsys):
    assert main(["mean-rank", *teams, "--resamples", "200", "--format", "json"]) == 0
    assert [row["mean_rank"] for row in json.loads(capsys.readouterr().out)["table"]] == [1.0, 2.0, 3.0]
    assert main(["mean-rank", *teams, "--resamples", "200"]) == 0
    assert capsys.readouterr().out.startswith("Ranks among 3 teams in 2 scenarios.")
    assert main(["mean-rank", *teams, "--resamples", "200", "--format", "latex", "--score", "en=recall"]) == 0
    assert r"\begin{tabular}{llrrrr}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["combine", "mean(*.x)"], "formula: de has no score 'x'"),
        (["mean-rank", "--score", "en"], "--score en: write SCENARIO=SCORE"),
    ],
)
def test_wrong_usage_is_told(arguments, told, teams, capsys):
    assert main([*arguments, *teams]) == 2
    assert told in capsys.readouterr().err


def test_a_folder_without_evaluations_says_how_to_make_them(tmp_path, capsys):
    assert main(["combine", "f1", str(tmp_path)]) == 2
    assert "use evaluate --save" in capsys.readouterr().err
