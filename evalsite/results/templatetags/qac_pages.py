"""The tables of a QAC result, and the page of a question or of a series of questions."""

from functools import partial
from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache

from evalsite.base.cache_keys import cache_key
from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.starter_kit.samples import sample_of, sample_phase
from evalsite.results.templatetags.label_tables import worst_units
from scoring.errors import ScoringError
from scoring.families.qac.inputs import input_keys

_MADE_UP = ["QAC1-1001-02", "QAC1-1002-02", "QAC1-1003-02"]
_CACHED_FOR = 24 * 3600  # seconds

register = template.Library()


@register.filter
def question_ids(scenario: Scenario | str) -> list[str]:
    """Return three IDs for an example: of questions that everybody may read, or made up."""
    if not isinstance(scenario, Scenario) or scenario.pk is None or scenario.task_id is None:
        return _MADE_UP
    phase = sample_phase(scenario, AnonymousUser())
    if phase is None:
        return _MADE_UP
    key = cache_key("question-ids", scenario.pk, phase.pk, scenario.task.revision)
    ids = cache.get_or_set(key, partial(_ids_of, scenario, phase), _CACHED_FOR) or []
    return [*ids, *_MADE_UP][:3]


def _ids_of(scenario: Scenario, phase: Phase) -> list[str]:
    """Return the first IDs of the sample that everybody may download; none while its file cannot be read."""
    try:
        return sorted(input_keys(sample_of(scenario, phase), scenario.configured, "system"))[:3]
    except (ScoringError, OSError):
        return []


@register.filter
def first_met(outputs: list[dict[str, Any]], number: int) -> int | None:
    """Return the rank of the first output that is right with the answer of this number."""
    return next((row["rank"] for row in outputs if row["correct"] and row["number"] == number), None)


@register.filter
def first_wordings(answers: list[dict[str, Any]]) -> list[str]:
    """Return the first wording of each answer of the gold."""
    return [answer["wordings"][0]["answer"] for answer in answers]


@register.inclusion_tag("results/_worst_units.html", takes_context=True)
def worst_questions(context: template.Context) -> dict[str, Any]:
    """List questions by the score that ranks; the questions of a series are not units of their own."""
    section = context["section"]
    score, hidden = "f1", {"series", "first_right", "reciprocal_rank"}
    if section.unit[0] == "series":
        hidden.remove("series")
    elif section.headline.name == "mrr":
        score, hidden = "reciprocal_rank", {"series"}
    tables, family = section.result.tables, section.scenario.engine_family
    columns = {column.key: column for name in ("questions", "marks") for column in family.columns(name)}
    shown = [column for key, column in columns.items() if key not in hidden]
    return worst_units(context, tables["questions"], score, "answers", shown, tables.get("marks", ()))
