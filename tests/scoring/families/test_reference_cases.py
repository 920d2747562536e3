"""Reference cases of edits, rankings, texts and transcripts: files, options, expected numbers, as their READMEs say."""

import json
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

import scoring
from scoring.cli import main as cli
from tests.scoring.reference_cases import close, only, write

REFERENCE = Path(__file__).parents[1] / "reference"
GROUPS = {
    "edits": ("score", "rule", "format", "interval", "error", "maxmatch"),
    "ranking": ("score", "rule", "format", "interval", "error"),
    "text": ("score", "rule", "format", "unit", "interval", "error"),
    "transcripts": ("score", "rule", "format", "speaker", "interval", "error"),
}
NEEDS = {"transcripts": ["rapidfuzz"]}  # what a family aligns words with


def cases(family, *groups):
    lines = [line for group in groups for line in (REFERENCE / family / f"{group}.jsonl").read_bytes().splitlines()]
    # The cases were made with 2.6.0 of sacreBLEU, which stands in the signatures.
    for made in (b"version:2.6.0", b"sacrebleu:2.6.0"):
        name, _ = made.split(b":")
        lines = [line.replace(made, name + f":{version('sacrebleu')}".encode()) for line in lines]
    return [json.loads(line) for line in lines]


def marks(family, case):
    needs = [*NEEDS.get(family, ()), *case.get("needs", ())]
    return [pytest.mark.skipif(not find_spec(module), reason=f"the case needs {module}") for module in needs]


CALLS = [
    pytest.param(family, case, call, id=f"{family}-{case['id']}-{number}", marks=marks(family, case))
    for family, groups in GROUPS.items()
    for case in cases(family, *groups)
    for number, call in enumerate(case["calls"])
]
COMPARED = [
    pytest.param(family, case, id=f"{family}-{case['id']}", marks=marks(family, case))
    for family in GROUPS
    for case in cases(family, "compare")
]


@pytest.fixture
def given(case, call, tmp_path):
    """The arguments of `evaluate`, with the files of a case written."""
    paths = {side: write(tmp_path / side, case[side]) for side in ("gold", "system")}
    return paths | {key: call[key] for key in ("options", "n_resamples", "seed") if key in call}


@pytest.mark.golden
@pytest.mark.parametrize(("family", "case", "call"), [each for each in CALLS if "expect" in each.values[2]])
def test_a_case_gives_what_is_expected(family, given, call):
    result, expected = scoring.evaluate(family, **given), call["expect"]
    for name in ("scores", "counts", "options"):
        assert only(getattr(result, name), expected.get(name, {})) == close(expected.get(name, {}))
    assert not set(expected.get("absent_scores", ())) & set(result.scores)
    assert result.headline == expected.get("headline", result.headline)
    assert result.units == expected.get("units", result.units)
    assert sorted(expected.get("lower_is_better", result.lower_is_better)) == sorted(result.lower_is_better)
    assert set(expected.get("signature", ())) <= set(result.signature.split("|"))
    for name, ends in expected.get("intervals", {}).items():
        assert result.intervals.get(name) == (None if ends is None else pytest.approx(tuple(ends), rel=1e-9))
    draws = expected.get("draws", [])
    assert draws == [] or result.draws[: len(draws)].tolist() == close(draws)
    check_tables(result, expected)
    for words in expected.get("warnings", ()):
        assert any(words.lower() in warning.lower() for warning in result.warnings), words
    assert not (expected.get("no_warnings") and result.warnings)


def check_tables(result, expected):
    for name, rows in expected.get("tables", {}).items():
        found = result.tables[name]
        assert [only(record, wanted) for record, wanted in zip(found, rows, strict=True)] == close(rows)
    for name, rows in expected.get("rows_of", {}).items():
        for row in rows:
            [record] = [each for each in result.tables[name] if only(each, row["where"]) == row["where"]]
            assert only(record, row["is"]) == close(row["is"])


@pytest.mark.parametrize(("family", "case", "call"), [each for each in CALLS if "raises" in each.values[2]])
def test_a_bad_case_is_refused_with_every_problem(family, given, call, capsys):
    with pytest.raises(getattr(scoring, call["raises"])) as refused:
        scoring.evaluate(family, **given)
    problems = getattr(refused.value, "problems", [])
    for wanted in call.get("problems", ()):
        assert any(fits(problem, wanted) for problem in problems), [str(each) for each in problems]
    assert len(problems) == call.get("n_problems", len(problems))
    told = str(refused.value)
    assert [words for words in call.get("text", ()) if words not in told] == []
    assert not [words for words in call.get("not_words", ()) if words in told]
    if "exit" in call:
        options = [part for key, value in call.get("options", {}).items() for part in ("-o", f"{key}={value}")]
        paths = ["--gold", str(given["gold"]), "--system", str(given["system"])]
        assert cli.main(["evaluate", family, *paths, *options]) == call["exit"]
        assert "Traceback" not in capsys.readouterr().err


def fits(problem, wanted):
    return (
        all(words.lower() in problem.message.lower() for words in wanted.get("words", ()))
        and ("line" not in wanted or abs((problem.line or 0) - wanted["line"]) <= wanted.get("near", 0))
        and wanted.get("file", problem.file) == problem.file
    )


@pytest.mark.parametrize(("family", "case"), COMPARED)
def test_a_comparison_gives_what_is_expected(family, case, tmp_path):
    gold = write(tmp_path / "gold", case["gold"])
    drawn = {key: case[key] for key in ("n_resamples", "seed") if key in case}
    more = {"options": case["options"], **(drawn if case.get("stored") else {})}
    results = {
        name: scoring.evaluate(family, gold=gold, system=write(tmp_path / name, files), **more)
        for name, files in case["systems"].items()
    }
    arguments = {key: case[key] for key in ("method", "references") if key in case}
    found, expected = scoring.compare(results, **drawn, **arguments), case["expect"]
    # The sentence has words of its own, which have a test of theirs.
    for name in {"names", "scores", "ranks", "rank_ranges", "groups"} & expected.keys():
        assert json.loads(json.dumps(getattr(found, name))) == close(expected[name])
    for name in {"difference", "p_adjusted", "separated"} & expected.keys():
        assert getattr(found, name).tolist() == close(expected[name])
    for record, wanted in zip(found.table, expected.get("table", found.table), strict=True):
        assert json.loads(json.dumps(only(record, wanted))) == close(json.loads(json.dumps(wanted)))
    if "pair" in expected:
        pair, wanted = found.pair(*expected["pair"]["of"]), expected["pair"]["is"]
        assert {name: getattr(pair, name) for name in wanted} == close(wanted)
    for record, wanted in zip(found.references, expected.get("references", found.references), strict=True):
        assert record["name"] == wanted["name"]
        for own, other in zip(record["against"], wanted["against"], strict=True):
            assert only(own, other) == close(other)
