"""The tables of a QAC result, and the page of a question or of a series of questions."""

from typing import Any

from django import template

from evalsite.results.templatetags.label_tables import worst_units

register = template.Library()


@register.filter
def first_met(outputs: list[dict[str, Any]], number: int) -> int | None:
    """Return the rank of the first output that is right with the answer of this number."""
    return next((row["rank"] for row in outputs if row["correct"] and row["number"] == number), None)


@register.filter
def first_wordings(answers: list[dict[str, Any]]) -> list[str]:
    """Return the first wording of each answer of the gold."""
    return [answer["wordings"][0]["answer"] for answer in answers]


QUESTION_COLUMNS = (
    "marks as marks by rank, f1 as F1, answers as gold answers, outputs, correct as right, unsupported, no_answer"
)


@register.inclusion_tag("results/_worst_units.html", takes_context=True)
def worst_questions(context: template.Context) -> dict[str, Any]:
    """List questions by the score that ranks; the questions of a series are not units of their own."""
    section = context["section"]
    score, first = "f1", "question"
    if section.unit[0] == "series":
        first = "series, question"
    elif section.headline.name == "mrr":
        score, first = "reciprocal_rank", "question, first_right as rank of the first right, reciprocal_rank"
    tables = section.result.tables
    return worst_units(
        context, tables["questions"], score, "answers", f"{first}, {QUESTION_COLUMNS}", tables.get("marks", ())
    )
