"""The tables of a coreference result, and the page of a document with chains of mentions."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.translation import gettext

from evalsite.results.page.detail import Section
from evalsite.results.templatetags.label_tables import Record, worst_units
from evalsite.results.templatetags.score_tables import error_bars, score_grid
from evalsite.results.units.coreference import KINDS, MOST_MENTIONS, TITLES, Chains, Part, chains

register = template.Library()

FEW_MENTIONS = 12  # of a chain that are seen without unfolding it

METRICS = (
    "muc_ as MUC •, b_cubed_ as B³ •, ceaf_m_ as CEAF_m (mentions), ceaf_e_ as CEAF_e (entities) •, "
    "blanc_ as BLANC, lea_ as LEA, mention_ as Mentions"
)
ERRORS = (
    "missing_entity as Missing entity: nothing of it was found, "
    "missing_mention as Missing mention: of an entity that was found, "
    "extra_entity as Extra entity: none of its mentions is in the gold, "
    "extra_mention as Extra mention: in an entity that is in the gold, "
    "divided_entity as Divided entity: found in several pieces, "
    "conflated_entities as Conflated entities: several of the gold in one"
)


@register.inclusion_tag("results/_score_grid.html")
def metric_grid(section: Section) -> Record:
    """Return every metric with its recall and precision; the dots mark those of which the CoNLL average is made."""
    return score_grid(
        section,
        METRICS,
        columns="recall as Recall, precision as Precision, f1 as F1",
        total="conll_f1 as CoNLL average: the mean of the three •",
        title=gettext("Metric by metric"),
        head=gettext("Metric"),
    )


@register.inclusion_tag("results/_error_bars.html", takes_context=True)
def mention_errors(context: template.Context, records: Sequence[Record]) -> Record:
    shown = {"section": context["section"], "sees_against_gold": context["sees_against_gold"]}
    return error_bars(records, ERRORS) | shown


@register.inclusion_tag("results/_worst_units.html", takes_context=True)
def worst_documents(context: template.Context, records: Sequence[Record]) -> Record:
    return worst_units(context, records, "conll_f1", "gold_mentions", table="documents")


@register.filter
def mark_classes(part: Part) -> str:
    """Return the classes of a mention over the text: its chain's colour, its lane, what became of it."""
    chain = part.mention.chain
    names = [f"hue-{chain.hue if chain else ''}", f"lane-{part.lane}", *(f"is-{kind}" for kind in part.mention.kinds)]
    return " ".join(names if part.shown else [*names, "is-faint"])


@register.filter
def kind_word(kind: str) -> str:
    return str(TITLES[kind])


@register.inclusion_tag("results/coreference/_chains.html", takes_context=True)
def chains_of(context: template.Context, record: dict[str, Any], show: str = "") -> dict[str, Any]:
    """Return both sides beside each other, over the text if there is one, and all chains below; `show` as in chains."""
    compared: Chains = chains(record, show)
    return {
        "request": context["request"],
        "task": context.get("task"),
        "found": compared,
        "n_mentions": compared.counts[None],
        "kinds": [(kind, str(TITLES[kind]), compared.counts[kind]) for kind in KINDS if compared.counts[kind]],
    }


@register.inclusion_tag("results/coreference/_chain_mentions.html")
def chain_mentions(mentions: list[Any], has_text: bool) -> dict[str, Any]:
    """Return a chain's mentions; long chains are folded, and endless ones cut."""
    return {
        "first": mentions[:FEW_MENTIONS],
        "further": mentions[FEW_MENTIONS:MOST_MENTIONS],
        "n_more": len(mentions) - FEW_MENTIONS,
        "n_left_out": max(0, len(mentions) - MOST_MENTIONS),
        "has_text": has_text,
    }
