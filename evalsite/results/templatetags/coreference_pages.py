"""The page of a document with chains of mentions."""

from typing import Any

from django import template

from evalsite.results.coreference import KINDS, MOST_MENTIONS, Chains, chains

register = template.Library()

TITLES = {"missing": "Missing", "spurious": "Spurious", "split": "Split off", "merged": "Merged"}
FEW_MENTIONS = 12  # of a chain that are seen without unfolding it


@register.filter
def kind_word(kind: str) -> str:
    return TITLES[kind]


@register.inclusion_tag("results/coreference/_chains.html")
def chains_of(record: dict[str, Any], show: str = "") -> dict[str, Any]:
    """Both sides beside each other, over the text if there is one, and all chains below; `show` as in chains."""
    found: Chains = chains(record, show)
    return {
        "found": found,
        "n_mentions": found.counts[None],
        "kinds": [(kind, TITLES[kind], found.counts[kind]) for kind in KINDS if found.counts[kind]],
    }


@register.inclusion_tag("results/coreference/_chain_mentions.html")
def chain_mentions(mentions: list[Any], has_text: bool) -> dict[str, Any]:
    """A chain's mentions; long chains are folded, and endless ones cut."""
    return {
        "first": mentions[:FEW_MENTIONS],
        "further": mentions[FEW_MENTIONS:MOST_MENTIONS],
        "n_left_out": max(0, len(mentions) - MOST_MENTIONS),
        "has_text": has_text,
    }
