"""Tokens, tags, trees, entities, spans, categories and links: the scores of spaCy's Scorer."""

from scoring import lazy
from scoring.families.spacy.count_titles import count_titles
from scoring.families.spacy.counting import averages, count, fold_labels
from scoring.families.spacy.inputs import gold_of_inputs, input_keys, inputs, names_layers, read_system, sample
from scoring.families.spacy.items.categories import areas
from scoring.families.spacy.items.prf_counts import KINDS
from scoring.families.spacy.options import OPTIONS, configure, headline, hide_labels, resolve_options, unit
from scoring.families.spacy.scores import metrics, totals
from scoring.families.spacy.specimen import example, specimen
from scoring.families.spacy.tables import COLUMNS, EVIDENCE, ITEM_TABLES, behind, count_scores, row_scores, tables
from scoring.families.spacy.view import unit_record
from scoring.families.spacy.wording import GOLD_LAYOUT, LAYOUT, MAIN_SCORES, SCORE_TITLES, TITLE, USES, titles
from scoring.family import ANNOTATION, CountNotes, Family, FileSteps, Offer, ScoreNotes, TableNotes, Views
from scoring.readers.spacy.sides import read_gold

SPACY = Family(
    name="spacy",
    title=TITLE,
    unit=unit,
    options=OPTIONS,
    headline=headline,
    score_titles=SCORE_TITLES,
    main_scores=MAIN_SCORES,
    kinds=KINDS,
    layout=LAYOUT,
    example=example,
    configure=configure,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    averages=averages,
    resolve_options=resolve_options,
    offer=Offer(uses=USES, area=ANNOTATION, gold_layout=GOLD_LAYOUT, specimen=specimen),
    files=FileSteps(
        sample=sample,
        inputs=inputs,
        gold_of_inputs=gold_of_inputs,
        input_keys=input_keys,
        names_layers=names_layers,
        hide_labels=hide_labels,
    ),
    scores=ScoreNotes(titles_with=titles, tell_much=areas),
    counts=CountNotes(count_titles=count_titles, totals=totals, count_scores=count_scores),
    table_notes=TableNotes(
        fold_labels=fold_labels,
        item_tables=ITEM_TABLES,
        confusions={"ents_confusion": ("gold", "system")},
        behind=behind,
        row_scores=row_scores,
        columns=COLUMNS,
    ),
    evidence=EVIDENCE,
    views=Views(
        unit_record=unit_record,
        contents=lazy.late("scoring.families.spacy.contents", "contents"),
        repairs=lazy.late("scoring.families.spacy.repairs", "repairs"),
    ),
)
