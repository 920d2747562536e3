"""The tables of a result of rankings, and the page of a query."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from evalsite.results.page.wording import sentences
from evalsite.results.templatetags.label_tables import worst_units
from evalsite.wording import amount
from scoring.table_columns import Column

register = template.Library()


@register.filter
def relevant_documents(query: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return those that the gold calls relevant, the best first, with their rank where they were retrieved."""
    relevant = [document for document in (*query["ranking"], *query["missed"]) if document["relevant"]]
    return sorted(relevant, key=lambda document: -document["grade"])


@register.filter
def plain_score(score: float) -> str:
    """Write the score as short as it can be told from others."""
    return f"{score:.7g}"


@register.filter
def documents_found(query: Mapping[str, Any]) -> str:
    """Say how many of the relevant documents were found, and among how many."""
    relevant = ngettext("%(n)s relevant document", "%(n)s relevant documents", query["relevant"])
    retrieved = ngettext("%(n)s that was retrieved", "%(n)s that were retrieved", query["retrieved"])
    # Translators: "2 of 3 relevant documents among 5 that were retrieved."
    sentence = gettext("%(found)s of %(relevant)s among %(retrieved)s.")
    return sentence % {
        "found": amount(query["relevant_retrieved"]),
        "relevant": relevant % {"n": amount(query["relevant"])},
        "retrieved": retrieved % {"n": amount(query["retrieved"])},
    }


@register.filter
def characters_found(question: Mapping[str, Any]) -> str:
    """Say how many characters of the gold's snippets the run has, and among how many."""
    sides = {side: amount(question[f"{side}_characters"]) for side in ("shared", "gold", "run")}
    return gettext("%(shared)s of %(gold)s characters of the gold are among %(run)s of the run.") % sides


@register.filter
def queries_apart(counts: Mapping[str, Any]) -> SafeString:
    """Return the queries and documents of a run that count otherwise than one may expect; "" where none does."""
    return sentences(_apart(counts))


def _apart(counts: Mapping[str, Any]) -> Iterator[SafeString]:
    if missing := counts.get("missing_queries"):
        yield _with_amount(
            ngettext("{n} query is not in the run.", "{n} queries are not in the run.", missing), missing
        )
    if ignored := counts.get("ignored_queries"):
        yield _with_amount(
            ngettext("{n} of the run's queries is not scored.", "{n} of the run's queries are not scored.", ignored),
            ignored,
        )
    if cut := counts.get("cut_documents"):
        yield _with_amount(
            ngettext(
                "{n} document beyond the depth was left out.", "{n} documents beyond the depth were left out.", cut
            ),
            cut,
        )


def _with_amount(words: str, number: int) -> SafeString:
    return format_html(words, n=amount(number))


@register.inclusion_tag("results/_worst_units.html", takes_context=True)
def worst_queries(context: template.Context) -> dict[str, Any]:
    """List queries by the score that ranks, or by nDCG where it is none of a single query."""
    section = context["section"]
    queries = section.result.tables["queries"]
    score = section.headline.name if section.headline.name in queries[0] else "ndcg"
    name, *others = section.scenario.engine_family.columns("queries")
    ranks_by = Column(score, section.scenario.score_titles.get(score, score))
    columns = [name, ranks_by, *(column for column in others if column.key != score)]
    return worst_units(context, queries, score, "relevant", columns)
