"""A document with mentions: what became of each, and in which chain it is."""

from django.utils.translation import gettext

from evalsite.results.three_way.outcomes import RIGHT, Annotation, Layer, Outcome, Record, with_distinct_keys
from evalsite.results.units.coreference import TITLES, Mention, mentions_of


def layers(record: Record) -> list[Layer]:
    """Return the gold's mentions, then those that the run alone has."""
    gold, system = mentions_of(record)
    outcomes = [_outcome(mention) for mention in gold]
    outcomes += [_outcome(mention) for mention in system if mention.gold is None]
    return [Layer(gettext("Mentions"), record.get("text", ""), list(with_distinct_keys(outcomes)))]


def _outcome(mention: Mention) -> Outcome:
    spans = tuple((start, end) for start, end in mention.pieces)
    gold, system = (
        Annotation(chain.sign, mention.text, spans) if chain else None for chain in (mention.gold, mention.system)
    )
    # Of a mention that is both split off and merged both are said.
    title = ", ".join(str(TITLES[kind]) for kind in mention.kinds) or gettext("Right")
    kind = mention.kinds[0] if mention.kinds else RIGHT
    # Without a text mentions are told apart by their names alone.
    return Outcome((mention.side, mention.text, spans), kind, title, gold, system)
