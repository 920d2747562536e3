"""Reference cases of coreference, written to a folder and compared with what an evaluation gives."""

import base64
import json
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest

import scoring

REFERENCE = Path(__file__).parent / "reference" / "coreference"


def cases_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_side(folder, side):
    """The path to pass."""
    folder.mkdir(parents=True)
    for name, content in side["files"].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes_of(content))
    if side.get("zip"):
        archive = folder.with_suffix(".zip")
        with zipfile.ZipFile(archive, "w") as file:
            for name in side["files"]:
                file.write(folder / name, name)
        return archive
    return folder / side["path"] if "path" in side else folder


def bytes_of(content):
    if isinstance(content, str):
        return content.encode()
    if isinstance(content, dict) and set(content) == {"base64"}:
        return base64.b64decode(content["base64"])
    return json.dumps(content).encode()


def check_run(run, gold, system):
    """Return what one run of a case expects."""
    if "error" in run:
        check_refusal(run, gold, system)
        return
    result = scoring.evaluate("coreference", gold=gold, system=system, options=run["options"])
    assert result.scores == approximate(run["scores"])
    assert {kind: result.counts[kind] for kind in run.get("counts", {})} == approximate(run.get("counts", {}))
    assert result.tables["errors"] == run.get("errors", result.tables["errors"])
    if "documents" in run:
        expected = [approximate(record) for record in run["documents"]]
        by_name = {record["document"]: record for record in result.tables["documents"]}
        assert [by_name[record["document"]] for record in run["documents"]] == expected
        assert len(by_name) == len(expected)
    assert result.warnings or not run.get("warns")


def check_refusal(run, gold, system):
    with pytest.raises(getattr(scoring, run["error"])) as refused:
        scoring.evaluate("coreference", gold=gold, system=system, options=run["options"])
    assert all(part in str(refused.value) for part in run.get("message_contains", []))
    if "problem" in run:
        places = [(Path(problem.file or "").name, problem.line) for problem in refused.value.problems]
        assert (run["problem"]["file"], run["problem"]["line"]) in places
    if run["error"] != "ConfigurationError":
        assert all("\n" not in str(problem) for problem in refused.value.problems)


def approximate(values):
    """Within 1e-9, of fractions too; relative for values above 1."""
    return {key: value if key == "document" else _near(value) for key, value in values.items()}


def _near(value):
    number = float(Fraction(value)) if isinstance(value, str) else value
    return pytest.approx(number, abs=1e-9, rel=1e-9)
