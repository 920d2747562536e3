"""What the logs of evaluation harnesses hold of each unit; docs/audit.md lists the formats.

A file's format follows from its content alone. Every reader here takes one file and says which system it is of, or
leaves that to the file's folder.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.json_text import fast_loads, fault_in_json
from scoring.readers.problems import Problems, decoded

HARNESS, INSPECT, EVERY, RESOLVED, TOTALS = (
    "lm-evaluation-harness",
    "inspect_ai",
    "Every Eval Ever",
    "SWE-bench",
    "totals",
)
_SAMPLES = re.compile(r"samples_(?P<task>.+?)(?:_(?P<date>\d{4}-\d\d-\d\dT[\d.-]+))?\.jsonl")
_NO_METRICS = frozenset(
    [
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash"),
    ]
)
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}  # correct, partial, incorrect, no answer, as inspect_ai counts them
_LISTS = (  # of SWE-bench's reports; the first two name what was resolved
    *("resolved", "resolved_ids", "unresolved_ids", "submitted_ids", "completed_ids", "incomplete_ids", "error_ids"),
    *("empty_patch_ids", "no_generation", "no_logs", "generated", "with_logs", "install_fail", "reset_failed"),
    *("no_apply", "applied", "test_errored", "test_timeout"),
)


class Row(NamedTuple):
    """The scores of one system on one unit."""

    system: str | None  # None: the file's folder says
    task: str
    unit: str
    scores: Mapping[str, Any]  # by metric, as logged; only the one that is read has to be a number
    line: int | None
    epoch: str = ""  # scores of one unit in several epochs are averaged
    digest: str | None = None  # of the unit itself, which should be the same for all systems


@dataclass
class Log:
    """What one file holds."""

    path: str
    format: str
    rows: list[Row] = field(default_factory=list)
    resolved: dict[str, bool] = field(default_factory=dict)  # of SWE-bench: whether, by each unit that is named
    total: int | None = None  # of SWE-bench: as many units as the report says there are


def log_of(path: str, content: bytes) -> Log | None:
    """Return what a file holds, None if it is no log; SubmissionError where a log is broken."""
    name = PurePosixPath(path).name
    if name.endswith((".jsonl", ".ndjson")):
        first = _first_object(content)
        if {"model_id", "sample_id", "evaluation"} <= first.keys():
            return Log(path, EVERY, _by_lines(path, content, _every_row))
        match = _SAMPLES.fullmatch(name)
        if match or ("doc_id" in first and not _NO_METRICS.isdisjoint({*first} - {"doc_id"})):
            task = match["task"] if match else PurePosixPath(name).stem
            return Log(path, HARNESS, _by_lines(path, content, lambda row: _harness_row(row, task)))
    elif name.endswith(".json") and content.lstrip()[:1] == b"{":
        value = _json_object(content)
        return None if value is None else _log_of_object(path, value)
    return None


def own_name(log: Log) -> str:
    """Return what a file's own name says of its system, where no folder does: a run's date, or the name.

    >>> own_name(Log("samples_gsm8k_2026-01-21T03-44-18.458309.jsonl", HARNESS))
    '2026-01-21T03-44-18.458309'
    >>> own_name(Log("samples_llama.jsonl", HARNESS)), own_name(Log("llama.run-1.json", RESOLVED))
    ('llama', 'llama.run-1')
    """
    name = PurePosixPath(log.path).name
    match = _SAMPLES.fullmatch(name) if log.format == HARNESS else None
    return (match["date"] or match["task"]) if match else PurePosixPath(name).stem


def _log_of_object(path: str, value: dict[str, Any]) -> Log | None:
    run = value.get("eval")
    if isinstance(run, dict) and isinstance(run.get("model"), str):
        if not value.get("samples"):
            return Log(path, TOTALS)
        return Log(path, INSPECT, _inspect_rows(path, run, value["samples"]))
    if isinstance(value.get("resolved"), list) or isinstance(value.get("resolved_ids"), list):
        return _resolved_log(path, value)
    are_totals = any(
        {*keys} <= value.keys()
        for keys in (("evaluation_results",), ("results", "configs"), ("resolved_instances",), ("eval", "results"))
    )
    return Log(path, TOTALS) if are_totals else None


def _by_lines(path: str, content: bytes, row_of: Any) -> list[Row]:
    """Return a row for each line of JSON Lines; SubmissionError with every line that is none."""
    problems, rows = Problems(path), []
    for number, line in enumerate(decoded(content, path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = _loaded(line)
        except json.JSONDecodeError as error:
            message = Message("not-json", "not JSON: {msg}", msg=fault_in_json(error))
            problems.add(message, number, error.colno)
            continue
        except RecursionError:
            problems.add(Message("not-json-nested-too", "not JSON: nested too deeply"), number)
            continue
        row = row_of(value) if isinstance(value, dict) else None
        if row is None:
            problems.add(
                Message(
                    "line-of-log-expected",
                    "found no unit with its scores; expected an object of JSON with {expected}",
                    expected='"doc_id"' if row_of is not _every_row else '"model_id", "sample_id", "evaluation"',
                ),
                number,
            )
        else:
            rows.append(row._replace(line=number))
    problems.raise_all()
    return rows


def _harness_row(row: dict[str, Any], task: str) -> Row | None:
    """Take a sample of lm-evaluation-harness; a metric is called as in its results: `exact_match,strict-match`."""
    if not isinstance(row.get("doc_id"), int | str):
        return None
    named = row.get("metrics")
    metrics = named if isinstance(named, list) and named else [name for name in row if name not in _NO_METRICS]
    scores = {f"{name},{row.get('filter', 'none')}": row.get(name) for name in metrics if isinstance(name, str)}
    digest = row.get("doc_hash")
    return Row(None, task, str(row["doc_id"]), scores, None, digest=digest if isinstance(digest, str) else None)


def _every_row(row: dict[str, Any]) -> Row | None:
    """Take a record of Every Eval Ever; a unit has one for each metric."""
    texts = [row.get(name) for name in ("model_id", "evaluation_name", "sample_id")]
    evaluation = row.get("evaluation")
    if not isinstance(evaluation, dict) or not all(isinstance(text, str) and text for text in texts):
        return None
    system, task, unit = map(str, texts)
    metric = row.get("evaluation_result_id")
    return Row(system, task, unit, {metric if isinstance(metric, str) else task: evaluation.get("score")}, None)


def _inspect_rows(path: str, run: dict[str, Any], samples: Any) -> list[Row]:
    problems, rows = Problems(path), []
    for number, sample in enumerate(samples if isinstance(samples, list) else [samples], start=1):
        if not isinstance(sample, dict) or not isinstance(sample.get("id"), int | str):
            problems.add(Message("sample-without-id", "sample {number} has no id", number=number))
            continue
        scores = sample.get("scores")
        values = dict(_inspect_scores(scores if isinstance(scores, dict) else {}))
        epoch = str(sample.get("epoch", 1))
        rows.append(Row(run["model"], str(run.get("task", "")), str(sample["id"]), values, None, epoch))
    problems.raise_all()
    return rows


def _inspect_scores(scores: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the values by scorer, of one with several values by `scorer/name`; letters are numbers."""
    for scorer, score in scores.items():
        value = score.get("value") if isinstance(score, dict) else None
        parts = {f"{scorer}/{key}": part for key, part in value.items()} if isinstance(value, dict) else {scorer: value}
        for name, part in parts.items():
            yield name, _LETTERS.get(part, part) if isinstance(part, str) else part


def _resolved_log(path: str, report: dict[str, Any]) -> Log:
    units: dict[str, bool] = {}
    problems = Problems(path)
    for name in _LISTS:
        listed = report.get(name)
        if not isinstance(listed, list):
            continue  # a number in some reports
        for unit in listed:
            if isinstance(unit, str) and unit:
                units[unit] = units.get(unit, False) or name in _LISTS[:2]
            else:
                problems.add(
                    Message(
                        "instance-expected",
                        "list {name}: found {found}, expected the id of an instance",
                        name=name,
                        found=repr(unit)[:40],
                    )
                )
    problems.raise_all()
    total = report.get("total_instances")
    return Log(path, RESOLVED, resolved=units, total=total if isinstance(total, int) else None)


def _first_object(content: bytes) -> dict[str, Any]:
    """Return the object on the first line, {} if there is none."""
    return _json_object(content.lstrip().partition(b"\n")[0]) or {}


def _json_object(content: bytes) -> dict[str, Any] | None:
    try:
        value = _loaded(content)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _loaded(text: str | bytes) -> Any:
    """Parse JSON; what the fast parser refuses, such as NaN, may be read by the standard one."""
    if fast_loads is not None:
        try:
            return fast_loads(text)
        except ValueError:
            pass
    return json.loads(text)


def refusal(message: Message, path: str | None = None) -> SubmissionError:
    return SubmissionError(Finding(message, path))
