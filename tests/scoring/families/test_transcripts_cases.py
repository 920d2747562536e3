"""The reference cases of transcripts: files, options and expected numbers, as their README lays them down."""

import json
from pathlib import Path

import pytest

import scoring
from scoring import cli
from tests.scoring.reference_cases import close, only, write

pytest.importorskip("rapidfuzz", reason="the family aligns words with RapidFuzz")

REFERENCE = Path(__file__).parents[1] / "reference" / "transcripts"
GROUPS = ("score", "rule", "format", "speaker", "interval", "error")


def cases(*groups):
    texts = [(REFERENCE / f"{group}.jsonl").read_text(encoding="utf-8") for group in groups]
    return [json.loads(line) for text in texts for line in text.rstrip("\n").split("\n")]


def call_of(case, call, folder):
    paths = {side: write(folder / side, case[side]) for side in ("gold", "system")}
    arguments = {key: call[key] for key in ("options", "n_resamples", "seed") if key in call}
    return paths, arguments


CALLS = [
    pytest.param(case, call, id=f"{case['id']}-{number}")
    for case in cases(*GROUPS)
    for number, call in enumerate(case["calls"])
]


@pytest.mark.parametrize(("case", "call"), [each for each in CALLS if "expect" in each.values[1]])
def test_a_case_gives_what_is_expected(case, call, tmp_path):
    paths, arguments = call_of(case, call, tmp_path)
    result, expected = scoring.evaluate("transcripts", **paths, **arguments), call["expect"]
    for name in ("scores", "counts"):
        found = getattr(result, name)
        assert only(found, expected.get(name, {})) == close(expected.get(name, {}))
    for name in ("headline", "units"):
        assert getattr(result, name) == expected.get(name, getattr(result, name))
    if "lower_is_better" in expected:
        assert sorted(result.lower_is_better) == sorted(expected["lower_is_better"])
    for name, rows in expected.get("tables", {}).items():
        assert [only(record, rows[0]) for record in result.tables[name]] == close(rows) if rows else True
        assert len(result.tables[name]) == len(rows)
    for name, ends in expected.get("intervals", {}).items():
        assert result.intervals.get(name) == (None if ends is None else pytest.approx(tuple(ends), abs=1e-9))
    if "draws" in expected:
        assert result.draws[: len(expected["draws"])].tolist() == close(expected["draws"])
    for words in expected.get("warnings", ()):
        assert any(words in warning.lower() for warning in result.warnings)


@pytest.mark.parametrize(("case", "call"), [each for each in CALLS if "raises" in each.values[1]])
def test_a_bad_case_is_refused_with_every_problem(case, call, tmp_path, capsys):
    paths, arguments = call_of(case, call, tmp_path)
    with pytest.raises(getattr(scoring, call["raises"])) as refused:
        scoring.evaluate("transcripts", **paths, **arguments)
    problems = getattr(refused.value, "problems", [])
    for wanted in call.get("problems", ()):
        assert any(fits(problem, wanted) for problem in problems), [str(each) for each in problems]
    assert all(words in str(refused.value).lower() for words in call.get("text", ()))
    if "exit" in call:
        options = [part for key, value in call.get("options", {}).items() for part in ("-o", f"{key}={value}")]
        given = ["--gold", str(paths["gold"]), "--system", str(paths["system"]), *options]
        assert cli.main(["evaluate", "transcripts", *given]) == call["exit"]
        assert "Traceback" not in capsys.readouterr().err


def fits(problem, wanted):
    message = problem.message.lower()
    return all(words.lower() in message for words in wanted["words"]) and (
        "line" not in wanted or abs((problem.line or 0) - wanted["line"]) <= wanted.get("near", 0)
    )


@pytest.mark.parametrize("case", cases("compare"), ids=lambda case: case["id"])
def test_a_comparison_gives_what_is_expected(case, tmp_path):
    gold = write(tmp_path / "gold", case["gold"])
    drawn = {"n_resamples": case["n_resamples"], "seed": case["seed"]}
    results = {
        name: scoring.evaluate(
            "transcripts",
            gold=gold,
            system=write(tmp_path / name, given),
            options=case["options"],
            **(drawn if case.get("stored") else {}),
        )
        for name, given in case["systems"].items()
    }
    arguments = {key: case[key] for key in ("method", "references") if key in case}
    found, expected = scoring.compare(results, **drawn, **arguments), case["expect"]
    for name in ("names", "scores", "ranks", "groups", "rank_ranges"):
        value = getattr(found, name)
        value = [list(each) for each in value] if name in ("groups", "rank_ranges") else value
        value = list(value) if name in ("names", "scores", "ranks") else value
        assert value == close(expected.get(name, value))
    for name in ("difference", "p_adjusted", "separated"):
        assert getattr(found, name).tolist() == close(expected.get(name, getattr(found, name).tolist()))
    for record, wanted in zip(found.table, expected.get("table", found.table), strict=True):
        assert only(record, wanted) == close(wanted)
    if "pair" in expected:
        pair = found.pair(*expected["pair"]["of"])
        assert {name: getattr(pair, name) for name in expected["pair"]["is"]} == close(expected["pair"]["is"])
    for record, wanted in zip(found.references, expected.get("references", found.references), strict=True):
        assert record["name"] == wanted["name"]
        for own, other in zip(record["against"], wanted["against"], strict=True):
            assert only(own, other) == close(other)
