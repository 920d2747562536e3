"""A sentence: its key phrases over the text, and its relations."""

from django.utils.translation import gettext

from evalsite.results.three_way.outcomes import Annotation, Layer, Outcome, Record, with_distinct_keys
from evalsite.results.units.ehealthkd import KIND_OF_PHRASE, KIND_OF_RELATION, TITLES, text_of


def layers(record: Record) -> list[Layer]:
    phrases = [_phrase(record, pair) for pair in record["phrases"]]
    relations = [_relation(record, pair) for pair in record["relations"]]
    return [
        Layer(gettext("Key phrases"), record["text"], list(with_distinct_keys(phrases))),
        Layer(gettext("Relations"), "", list(with_distinct_keys(relations))),
    ]


def _phrase(record: Record, pair: Record) -> Outcome:
    gold, system = (_annotation(record, side, pair[side]) for side in ("gold", "system"))
    kind = KIND_OF_PHRASE.get(pair["kind"], str(pair["kind"]))
    if kind == "spanclash" and gold and system and gold.label != system.label:
        kind = "bothclash"
    key = ("gold", gold) if gold else ("system", system)
    return Outcome(key, kind, str(TITLES[kind]), gold, system, system)


def _annotation(record: Record, side: str, place: int | None) -> Annotation | None:
    if place is None:
        return None
    phrase = record[side][place]
    spans = tuple((start, end) for start, end in phrase["spans"])
    return Annotation(phrase["label"], text_of(record, side, place), spans)


def _relation(record: Record, pair: Record) -> Outcome:
    """Return the gold's ends of a right relation: the system's phrases may differ a little from these."""
    gold, system = (_ends(record, side, pair) for side in ("gold", "system"))
    kind = KIND_OF_RELATION[pair["kind"]]
    key = ("gold", gold) if gold else ("system", system)
    return Outcome(key, kind, str(TITLES[kind]), gold, gold if gold and system else system)


def _ends(record: Record, side: str, pair: Record) -> Annotation | None:
    if pair[side] is None:
        return None
    source, target = (text_of(record, side, place) for place in pair[side])
    return Annotation(pair["label"], f"{source} → {target}")
