"""A document: entities and groups of spans over its text, tokens with tags and heads, categories."""

from collections.abc import Iterator

from django.utils.translation import gettext

from evalsite.results.page.headings import heading
from evalsite.results.three_way.outcomes import RIGHT, Annotation, Layer, Outcome, Record, of_pairs, with_distinct_keys
from evalsite.results.units.marked_text import KINDS, TITLES
from evalsite.results.units.spacy_layers import pairs_of_groups
from evalsite.results.units.spacy_sentences import sentences
from evalsite.wording import score

WRONG = "tagclash"


def layers(record: Record) -> list[Layer]:
    text = record["gold"]["text"]
    drawn = [Layer(title, text, of_pairs(pairs, list(KINDS), TITLES)) for title, pairs in pairs_of_groups(record)]
    tokens, categories = list(with_distinct_keys(_tokens(record))), list(_categories(record))
    drawn += [Layer(gettext("Tokens"), "", tokens)] if tokens else []
    return drawn + ([Layer(gettext("Categories"), "", categories)] if categories else [])


def _tokens(record: Record) -> Iterator[Outcome]:
    """Yield what both sides say of each token, attribute by attribute, where the gold says anything."""
    for sentence in sentences(record):
        for row in sentence.rows:
            for column, value in zip(sentence.columns, row.values, strict=True):
                if value.gold:
                    kind = RIGHT if value.is_right else "missing" if value.system is None else WRONG
                    gold = Annotation(heading(column), f"{row.text}: {value.gold}")
                    system = None if value.system is None else Annotation(heading(column), value.system)
                    key = (sentence.number, row.number, column)
                    yield Outcome(key, kind, _verdict(value.is_right), gold, system, system)


def _categories(record: Record) -> Iterator[Outcome]:
    """Return values of categories; a value is as right as it is near, so that only equal ones are the same."""
    if "cats" not in record["scores"]:
        return
    gold, system = record["gold"]["cats"], record["system"]["cats"]
    for label in sorted({*gold, *system}):
        one, other = (score(side[label]) if label in side else None for side in (gold, system))
        is_right = one is not None and other is not None and (gold[label] >= 0.5) == (system[label] >= 0.5)
        yield Outcome(
            label,
            RIGHT if is_right else WRONG,
            _verdict(is_right),
            None if one is None else Annotation(label, one),
            None if other is None else Annotation(label, other),
        )


def _verdict(is_right: bool) -> str:
    return gettext("Right") if is_right else gettext("Wrong")
