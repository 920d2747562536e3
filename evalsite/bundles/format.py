"""The format of a bundle, docs/bundle.md: which fields of which rows it has, and where their texts and files lie."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import models

from evalsite.challenges.models import (
    Announcement,
    Download,
    EntryRules,
    FactSheet,
    Gold,
    GoldSplit,
    Page,
    Phase,
    Picture,
    Scenario,
    Task,
)
from evalsite.leaderboard.models import Combined
from evalsite.submissions.models import Submission

VERSION = 1
# The fields of each kind of row, under their own names. What stays out is somebody's (people, teams, what they did),
# the site's (keys, addresses, secrets), or made from the rest (results, boards, the digests of the engine).
FIELDS: Mapping[type[models.Model], tuple[str, ...]] = {
    Task: (
        *("slug", "title", "summary", "description", "language", "data_language", "contact", "doi", "zone"),
        *("members_frozen", "is_class"),
    ),
    Page: ("slug", "title", "members_only", "text"),
    Announcement: ("title", "created", "changed", "text"),
    Picture: ("name", "file"),
    EntryRules: ("way", "listed", "closes", "terms", "questions"),
    FactSheet: ("own", "edited_until"),
    Scenario: (
        *("number", "name", "description", "family", "options", "use", "shown_scores", "digits"),
        *("takes_reports", "is_judged", "judge_days"),
    ),
    Phase: (
        *(
            "slug",
            "name",
            "description",
            "doi",
            "opens",
            "closes",
            "late_until",
            "ranks_late",
            "counts",
            "counts_is_usual",
        ),
        *("window_limit", "window", "year_limit", "year", "total_limit", "upload_megabytes"),
        *("board_audience", "is_anonymous", "shows_scores", "is_ladder", "members_only", "detail"),
        *("gold_released", "gold_released_since", "gold_due", "results_released"),
        *("is_paused", "pause_reason", "is_former_season", "former_closings"),
    ),
    Combined: ("kind", "formula", "lower_is_better", "missing"),
    Gold: ("version", "state", "published", "note", "public_note", "part", "n_units", "file"),
    GoldSplit: ("way", "percent", "seed", "separator", "names", "shown"),
    Download: ("title", "description", "available_from", "members_only", "file"),
    Submission: (
        *("reference", "method", "description", "link", "affiliation", "code"),
        *("is_contrastive", "shows_description", "facts", "created", "file"),
    ),
}
COMPUTED = {"n_units"}  # of the gold, which an import reads anew: the value serves gold that fits its options no more
TEXTS = {"listed": ".txt"}  # suffixes of texts that are no Markdown


def fields_of(model: type[models.Model]) -> Iterator[Any]:
    """Yield the fields that a bundle has of such rows, in their order."""
    for name in FIELDS[model]:
        yield model._meta.get_field(name)


def is_in_a_file(model: type[models.Model], field: Any) -> bool:
    """Return whether the field's value is a text in a file of its own, which the settings name."""
    return isinstance(field, models.TextField) and model is not Submission


def default_of(field: Any) -> Any:
    """Return what the field has where the settings say nothing; None where they have to."""
    if field.name in ("available_from", "created", "changed"):  # now, where it was not said
        return None
    return field.get_default()
