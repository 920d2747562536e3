"""The reference cases of rankings: files, options and expected numbers, as their README says."""

import json
from pathlib import Path

import pytest

import scoring
from scoring import cli
from tests.scoring.reference_cases import close, only, write

REFERENCE = Path(__file__).parents[1] / "reference" / "ranking"


def cases(*groups):
    return [json.loads(line) for group in groups for line in (REFERENCE / f"{group}.jsonl").read_bytes().splitlines()]


CALLS = [
    pytest.param(case, call, id=f"{case['id']}-{number}")
    for case in cases("score", "rule", "format", "interval", "error")
    for number, call in enumerate(case["calls"])
]


@pytest.fixture
def given(case, call, tmp_path):
    """The arguments of `evaluate`, with the files of a case written."""
    paths = {side: write(tmp_path / side, case[side]) for side in ("gold", "system")}
    return paths | {key: call[key] for key in ("options", "n_resamples", "seed") if key in call}


@pytest.mark.parametrize(("case", "call"), [each for each in CALLS if "expect" in each.values[1]])
def test_a_case_gives_what_is_expected(given, call):
    result, expected = scoring.evaluate("ranking", **given), call["expect"]
    for name in ("scores", "counts", "options"):
        assert only(getattr(result, name), expected.get(name, {})) == close(expected.get(name, {}))
    assert not set(expected.get("absent_scores", ())) & set(result.scores)
    assert result.headline == expected.get("headline", result.headline)
    assert result.units == expected.get("units", result.units)
    assert set(expected.get("signature", ())) <= set(result.signature.split("|"))
    assert not (expected.get("no_warnings") and result.warnings)
    for words in expected.get("warnings", ()):
        assert any(words.lower() in warning.lower() for warning in result.warnings), words
    for name, rows in expected.get("tables", {}).items():
        assert [only(row, rows[0]) for row in result.tables[name]] == close(rows)
    for score, ends in expected.get("intervals", {}).items():
        assert result.intervals.get(score) == (None if ends is None else pytest.approx(tuple(ends), abs=1e-9))
    if draws := expected.get("draws"):
        assert result.draws[: len(draws)].tolist() == close(draws)


@pytest.mark.parametrize(("case", "call"), [each for each in CALLS if "raises" in each.values[1]])
def test_a_bad_case_is_refused_with_its_problems(given, call, capsys):
    with pytest.raises(getattr(scoring, call["raises"])) as refused:
        scoring.evaluate("ranking", **given)
    problems = getattr(refused.value, "problems", [])
    assert all(words.lower() in str(refused.value).lower() for words in call.get("text", ()))
    assert len(problems) == call.get("n_problems", len(problems))
    for wanted in call.get("problems", ()):
        fitting = [each for each in problems if all(words in each.message for words in wanted["words"])]
        assert fitting, wanted
        if "line" in wanted:
            assert any(abs(each.line - wanted["line"]) <= wanted.get("near", 0) for each in fitting)
        assert fitting[0].file == wanted.get("file", fitting[0].file)
    if "exit" in call:
        arguments = ["evaluate", "ranking", "--gold", str(given["gold"]), "--system", str(given["system"])]
        assert cli.main(arguments) == call["exit"]
        assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("case", cases("compare"), ids=lambda case: case["id"])
def test_runs_are_compared_as_expected(case, tmp_path):
    gold = write(tmp_path / "gold", case["gold"])
    results = {
        name: scoring.evaluate("ranking", gold=gold, system=write(tmp_path / name, files), options=case["options"])
        for name, files in case["systems"].items()
    }
    arguments = {key: case[key] for key in ("n_resamples", "seed", "method") if key in case}
    compared, expected = scoring.compare(results, **arguments), case["expect"]
    # The sentence has words of its own, which have a test of theirs.
    for name in ("names", "ranks", "rank_ranges", "groups"):
        assert as_lists(getattr(compared, name)) == expected.get(name, as_lists(getattr(compared, name)))
    for name in ("scores", "separated", "p_adjusted"):
        if name in expected:
            assert as_lists(getattr(compared, name)) == close(expected[name])
    for row, wanted in zip(compared.table, expected.get("table", compared.table), strict=True):
        assert as_lists(only(row, wanted)) == close(as_lists(wanted))
    if pair := expected.get("pair"):
        found = compared.pair(*pair["of"])
        assert {name: getattr(found, name) for name in pair["is"]} == close(pair["is"])


def as_lists(value):
    """Tuples and arrays as lists, as JSON has them."""
    if isinstance(value, dict):
        return {key: as_lists(inner) for key, inner in value.items()}
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return value.item() if hasattr(value, "item") else value
    return [as_lists(inner) for inner in value]
