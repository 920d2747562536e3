"""Tokens, tags, trees, entities, spans, categories and links: the scores of spaCy's Scorer."""

from functools import partial

from scoring.families.spacy.counting import count, tables
from scoring.families.spacy.options import first_main_score, resolve_options
from scoring.families.spacy.score_config import parse_items
from scoring.families.spacy.scores import metrics
from scoring.families.spacy.view import unit_record
from scoring.families.spacy.wording import LAYOUT, MAIN_SCORES, SCORE_TITLES, example
from scoring.family import Family, Option, Options, choose
from scoring.readers.spacy.sides import read_gold, read_system

_OPTIONS = (
    Option(
        "scores",
        None,
        (),
        "what to score, and how; without it, all that the gold annotates",
        parse=parse_items,
        values='a list of items, such as [{"name": "ner"}]',
    ),
    Option(
        "headline",
        None,
        (),
        "the score that ranks; without it, the main score of the first item",
        parse=lambda given: None if given is None else str(given),
        values="the key of a score",
    ),
    Option("tokens", "any", ("any", "gold"), "gold: the system's tokens must be the gold's; any: they are aligned"),
    Option("format", "auto", ("auto", "jsonl", "conllu", "columns"), "of the files; auto: told by name and content"),
    Option("invalid_tags", "repair", ("repair", "refuse"), "what to do with tags that continue no entity"),
)


def _unit(options: Options) -> tuple[str, str]:
    return "document", "documents"


def _headline(options: Options) -> str:
    """Before the gold is known, of what is asked for; entities, if nothing is."""
    return options["headline"] or first_main_score(options["scores"] or []) or "ents_f"


SPACY = Family(
    name="spacy",
    title="spaCy 3.8: tokens, tags, trees, entities, spans and categories",
    unit=_unit,
    options=_OPTIONS,
    headline=_headline,
    score_titles=SCORE_TITLES,
    main_scores=MAIN_SCORES,
    kinds=("tp", "fp", "fn"),
    layout=LAYOUT,
    example=example,
    configure=partial(choose, _OPTIONS),
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    resolve_options=resolve_options,
    item_tables=("errors",),
    unit_record=unit_record,
)
