"""The words that went wrong in a run of transcripts, and the page of an utterance or of a speaker."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template
from django.utils.translation import gettext

from evalsite.results.templatetags.label_tables import units_url
from evalsite.results.three_way.transcripts import KINDS, TITLES
from evalsite.wording import amount

register = template.Library()

MOST_WORDS = 20
_SIGNS = {"substitution": "S", "deletion": "D", "insertion": "I"}


@dataclass(frozen=True)
class WordRow:
    """Words that went wrong in the same way: how often, and where."""

    words: list[str]
    count: int
    url: str  # of the units behind the count; "" where nothing leads there


@dataclass(frozen=True)
class WordList:
    """The most frequent errors of one kind."""

    title: str
    rows: list[WordRow]
    n_left_out: int


@register.inclusion_tag("results/transcripts/_words.html", takes_context=True)
def word_errors(context: template.Context) -> dict[str, Any]:
    """Return the most frequent confusions, and words that were lost or added, with links to where."""
    tables = context["section"].result.tables
    titles = {
        "confusions": gettext("Words taken for others"),
        "deletions": gettext("Words missing"),
        "insertions": gettext("Words added"),
    }
    lists = [_word_list(context, name, title, tables.get(name) or ()) for name, title in titles.items()]
    return {"lists": [listed for listed in lists if listed.rows], "task": context["task"]}


def _word_list(context: template.Context, name: str, title: str, records: Sequence[dict[str, Any]]) -> WordList:
    rows = [_word_row(context, name, record) for record in records[:MOST_WORDS]]
    return WordList(title, rows, max(0, len(records) - MOST_WORDS))


def _word_row(context: template.Context, name: str, record: dict[str, Any]) -> WordRow:
    words = [value for column, value in record.items() if column != "count"]
    column = words[1] if len(words) > 1 else "count"
    return WordRow(words, record["count"], units_url(context, name, words[0], column))


@register.simple_tag
def edits_of(utterance: Mapping[str, Any]) -> str:
    """Say how many of its words became what."""
    return gettext("%(hits)s right, %(substitutions)s substituted, %(deletions)s deleted, %(insertions)s inserted.") % {
        name: amount(utterance[name]) for name in ("hits", "substitutions", "deletions", "insertions")
    }


@dataclass(frozen=True)
class StepShown:
    """A word of the reference above what was heard; None where there is none."""

    kind: str  # class of its looks
    sign: str  # S, D or I; "" for a hit
    title: str
    reference: str | None
    system: str | None


@register.filter
def shown_steps(steps: Sequence[Sequence[Any]]) -> list[StepShown]:
    """Return the steps of an alignment as the page shows them."""
    return [
        StepShown(KINDS[what], _SIGNS.get(what, ""), str(TITLES[what]), reference, system)
        for what, reference, system in steps
    ]
