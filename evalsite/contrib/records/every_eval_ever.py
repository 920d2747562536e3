"""Entries as records for Every Eval Ever, once the results are released.

It collects results of evaluations, a JSON object for each system (schema 0.3.0 of github.com/evaleval/every_eval_ever).
They hold what the board shows, and nothing else.
"""

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext_lazy

from evalsite.base.contrib import BoardFormat
from evalsite.board_pages.board.access import PhaseAccess
from evalsite.board_pages.board.exports import Exported, exported
from evalsite.board_pages.board.rows import Row, find_links
from evalsite.challenges.models import Task
from evalsite.challenges.task_page.citing import authors_of
from evalsite.leaderboard.making.editions import edition_of
from evalsite.wording import enumerated
from scoring.signature import parsed

VERSION = "0.3.0"  # of Every Eval Ever's schema
Place = tuple[Exported, Row]  # a board, and the row of an entry on it
_METHODS = {"jackknife": "grouped jackknife", "mover": "MOVER of bootstrap and Wilson intervals"}


def as_every_eval_ever(board: Exported) -> str:
    """Write a record for each entry, a line each."""
    find_links(board.rows)
    source = _source(board.phase.task)
    records = (record_of([(board, row)], source) for row in _scored_rows(board))
    return "".join(f"{json.dumps(record, ensure_ascii=False, allow_nan=False)}\n" for record in records)


def entry_as_every_eval_ever(places: Sequence[Place]) -> str:
    """Write one record of an entry, with its results on all these boards."""
    board, row = places[0]
    find_links([row])
    record = record_of(places, _source(board.phase.task))
    return json.dumps(record, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def places_of(access: PhaseAccess, pk: UUID) -> list[Place]:
    """Return the boards on which the run stands with a score, and its row on each."""
    places: list[Place] = []
    for scored in access.boards:
        board = exported(edition_of(access.phase, scored), access.phase, scored, access.visibility)
        rows = [row for row in board.rows if row.entry["submission"] == str(pk) and not row.is_gold]
        places += [(board, row) for row in rows if row.headline is not None]
    return places


def _scored_rows(board: Exported) -> list[Row]:
    """Return the rows without the gold itself, and without entries that have no score."""
    return [row for row in board.rows if not row.is_gold and row.headline is not None]


def _source(task: Task) -> dict[str, Any]:
    return {
        "source_name": f"{task.title} ({settings.SITE_NAME})",
        "source_type": "evaluation_run",
        "source_organization_name": enumerated(authors_of(task)),
        "source_organization_url": settings.SITE_URL + task.get_absolute_url(),
        "evaluator_relationship": "third_party",
    }


def record_of(places: Sequence[Place], source: dict[str, Any]) -> dict[str, Any]:
    """Return the record of an entry with its results on these boards."""
    board, row = places[0]
    relationship = {} if row.is_of_team else {"evaluator_relationship": "first_party"}
    made = str(board.edition.made.timestamp())
    model = _model(row)
    return {
        "schema_version": VERSION,
        "evaluation_id": f"{board.phase.task.slug}/{model['id']}/{made}",
        "evaluation_timestamp": row.entry["date"],
        "retrieved_timestamp": made,
        "source_metadata": source | relationship,
        "eval_library": {"name": "evalsite", "version": _engine(row, board)},
        "model_info": model,
        "evaluation_results": [result for place in places for result in _results(*place)],
    }


def _engine(row: Row, board: Exported) -> str:
    return str(parsed(row.entry["signature"] or board.signature).get("engine", "unknown"))


def _model(row: Row) -> dict[str, Any]:
    developer = row.team or "organisers"
    method = row.method or row.name
    details = {"deployment_type": "unknown", "model_availability": "unknown"}
    return {
        "name": f"{row.name}: {method}" if row.team else method,
        "id": f"{slugify(developer) or 'team'}/{slugify(method) or 'run'}-{row.entry['submission'][:8]}",
        "developer": developer,
        "additional_details": details | ({"paper_or_code": row.link} if row.link else {}),
    }


def _results(board: Exported, row: Row) -> list[dict[str, Any]]:
    return [_result(board, row, name) for name in board.scores if row.score(name) is not None]


def _result(board: Exported, row: Row, name: str) -> dict[str, Any]:
    phase, scenario = board.phase, board.scenario
    return {
        "evaluation_result_id": f"{row.entry['submission']}/{scenario.number}/{name}",
        "evaluation_name": f"{phase.task.title}: {phase.name}, {scenario}",
        "source_data": {
            "dataset_name": f"{phase.task.title}: {phase.name}",
            "source_type": "url",
            "url": [settings.SITE_URL + phase.task.get_absolute_url()],
        },
        "evaluation_timestamp": row.entry["date"],
        "metric_config": {
            "metric_id": f"evalsite.{scenario.family}.{name}",
            "metric_name": scenario.score_titles.get(name, name),
            "lower_is_better": name in scenario.lower_scores,
            "additional_details": {"decides_the_rank": "true" if name == scenario.headline else "false"},
        },
        "score_details": {"score": row.score(name), "details": _details(board, row), **_uncertainty(row, name)},
    }


def _details(board: Exported, row: Row) -> dict[str, str]:
    """Return texts, as the schema wants them."""
    details = {
        "rank_range": row.rank_range,
        "group": row.group,
        "reference": row.reference,
        "finding": board.sentence,
        "signature": row.entry["signature"] or board.signature,
        "url": _page(row),
    }
    return {name: value for name, value in details.items() if value}


def _uncertainty(row: Row, name: str) -> dict[str, Any]:
    ends, entry = row.interval_of(name), row.entry
    if ends is None:
        return {}
    (low, high), how = ends, entry["interval_method"] if name == row.context.headline else ""
    interval_ = {"lower": low, "upper": high, "confidence_level": entry["confidence_level"]}
    return {
        "uncertainty": {
            "confidence_interval": interval_ | ({"method": _METHODS.get(how, f"bootstrap, {how}")} if how else {}),
            "num_samples": entry["n_units"],
            "num_bootstrap_samples": entry["n_resamples"],
        }
    }


def _page(row: Row) -> str:
    phase = row.context.visibility.phase
    return settings.SITE_URL + reverse("entry", args=[row.task.slug, phase.slug, row.entry["submission"]])


RECORDS = BoardFormat(
    "application/jsonl; charset=utf-8",
    as_every_eval_ever,
    title=gettext_lazy("Records for Every Eval Ever (JSON Lines)"),
    is_of_released=True,
)
