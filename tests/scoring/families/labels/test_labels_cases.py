"""The family labels against its reference cases: numbers by scikit-learn and SciPy, and what is refused."""

import base64
import json
from pathlib import Path

import pytest

import scoring

FOLDER = Path(__file__).parents[2] / "reference" / "labels"
CASES = [
    json.loads(line)
    for path in sorted(FOLDER.glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
]
ERRORS = {name: getattr(scoring, name) for name in ("SubmissionError", "GoldError", "ConfigurationError")}


def written(folder, files):
    """A file of a case, or a folder with its members."""
    if "folder" in files:
        inside = folder / files["folder"]
        inside.mkdir()
        for member in files["members"]:
            written(inside, member)
        return inside
    path = folder / files["file"]
    path.write_bytes(base64.b64decode(files["base64"]) if "base64" in files else files["text"].encode())
    return path


def near(value):
    return value if value is None or isinstance(value, str) else pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.fixture
def arguments(request, tmp_path):
    case = request.param
    (tmp_path / "gold").mkdir()
    given = {
        "gold": written(tmp_path / "gold", case["gold"]),
        "system": written(tmp_path, case["system"]),
        "options": case["options"],
    }
    return case, given


def of(*kinds):
    chosen = [case for case in CASES if any(kind in case for kind in kinds)]
    return pytest.mark.parametrize("arguments", chosen, ids=lambda case: case["id"], indirect=True)


@pytest.mark.golden
@of("expected")
def test_the_numbers_are_those_of_the_case(arguments):
    case, given = arguments
    expected = case["expected"]
    result = scoring.evaluate("labels", **given, n_resamples=case.get("n_resamples", 0), seed=case.get("seed"))
    for name, value in expected.get("scores", {}).items():
        assert result.scores[name] == near(value), name
    for name, value in expected.get("counts", {}).items():
        assert result.counts[name] == near(value), name
    for name, value in expected.get("intervals", {}).items():
        assert result.intervals.get(name) == (None if value is None else tuple(map(near, value))), name
    for name, rows in expected.get("tables", {}).items():
        found = [{column: row[column] for column in rows[0]} for row in result.tables[name]]
        assert found == [{column: near(value) for column, value in row.items()} for row in rows]
    assert not set(expected.get("no_scores", [])) & result.scores.keys()
    for key in ("headline", "units", "lower_is_better"):
        assert getattr(result, key) == expected.get(key, getattr(result, key))
    for words in expected.get("warnings", []):
        assert any(words in warning for warning in result.warnings)
    assert scoring.check("labels", **given) == []


@of("error")
def test_what_is_wrong_is_refused_with_the_words_of_the_case(arguments):
    case, given = arguments
    with pytest.raises(ERRORS[case["error"]]) as refused:
        scoring.evaluate("labels", **given)
    said = str(refused.value)
    assert case.get("message", "").lower() in said.lower()
    for wanted in case.get("problems", []):
        assert any(
            wanted["message"].lower() in problem.message.lower() and wanted.get("line") in (None, problem.line)
            for problem in refused.value.problems
        ), said
    assert not [words for words in case.get("absent", []) if words in said]
