"""The reference cases of the family spacy, and what holds for every run."""

import json
import math
import zipfile
from pathlib import Path

import pytest

import scoring

REFERENCE = Path(__file__).parents[1] / "reference" / "spacy"
CALLS = [
    pytest.param(case, call, id=f"{case['id']}-{number}")
    for path in sorted(REFERENCE.glob("*.jsonl"))
    for case in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    for number, call in enumerate(case["calls"])
]


def write_side(folder, name, side):
    """A list of documents, a file, or several files in a folder or archive."""
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(side, list):
        side = {"file": f"{name}.jsonl", "text": "".join(json.dumps(d, ensure_ascii=False) + "\n" for d in side)}
    if "file" in side:
        path = folder / side["file"]
        path.write_text(side["text"], encoding="utf-8", newline="")
        return path
    path = folder / side.get("zip", side.get("folder"))
    if "zip" in side:
        with zipfile.ZipFile(path, "w") as archive:
            for member in side["members"]:
                archive.writestr(member["file"], member["text"])
        return path
    for member in side["members"]:
        (path / member["file"]).parent.mkdir(parents=True, exist_ok=True)
        (path / member["file"]).write_text(member["text"], encoding="utf-8", newline="")
    return path


def evaluate(folder, gold, system, options=None, **further):
    return scoring.evaluate(
        "spacy",
        gold=write_side(folder / "gold", "gold", gold),
        system=write_side(folder / "system", "system", system),
        options=options or {},
        **further,
    )


def close(expected):
    if expected is None or expected == "NaN":
        return None
    return pytest.approx(expected, abs=1e-9)


def assert_table(found, expected):
    """The types agree, and so do the scores of each."""
    if expected is None:
        assert not found
        return
    by_type = {record["type"]: record for record in found or []}
    assert by_type.keys() == expected.keys()
    for name, scores in expected.items():
        if isinstance(scores, dict):
            assert {key: by_type[name][key] for key in scores} == {key: close(value) for key, value in scores.items()}
        else:
            assert by_type[name]["auc"] == close(scores)


def assert_rows(found, expected):
    left = list(found)
    for row in expected:
        wanted = {key: close(value) if isinstance(value, float) else value for key, value in row.items()}
        match = next((other for other in left if {key: other[key] for key in wanted} == wanted), None)
        assert match is not None, row
        left.remove(match)
    assert not left


@pytest.mark.parametrize(("case", "call"), CALLS)
def test_reference_cases_have_the_expected_outcome(case, call, tmp_path):
    resamples = {"n_resamples": call["n_resamples"]} if "n_resamples" in call else {}
    if "raises" in call:
        with pytest.raises(getattr(scoring, call["raises"])) as refused:
            evaluate(tmp_path, case["gold"], case["system"], call["options"])
        if "line" in call:
            assert call["line"] in [problem.line for problem in refused.value.problems]
        return
    result = evaluate(tmp_path, case["gold"], case["system"], call["options"], **resamples)
    expected = call["expect"]

    scores = expected.get("scores", {})
    assert {key: result.scores[key] for key in scores} == {key: close(value) for key, value in scores.items()}
    assert expected.get("counts", {}).items() <= result.counts.items()
    for name, types in expected.get("tables", {}).items():
        assert_table(result.tables.get(name), types)
    for name, rows in expected.get("rows", {}).items():
        assert_rows(result.tables[name], rows)
    descriptions = {
        record["score"] + "_desc": record["description"] for record in result.tables.get("descriptions", [])
    }
    assert expected.get("descriptions", {}).items() <= descriptions.items()
    assert result.units == expected.get("units", result.units)
    assert result.headline == expected.get("headline", result.headline)
    for key, ends in expected.get("intervals", {}).items():
        # Where all resamples agree there is no interval: one of no width would promise too much.
        assert result.intervals.get(key, (result.scores[key],) * 2) == pytest.approx(tuple(ends), abs=1e-9)
    assert not any(isinstance(value, float) and math.isnan(value) for value in result.scores.values())
