"""Corrected sentences by their edits: precision, recall and F0.5 as ERRANT or the M2 scorer counts them."""

from scoring import lazy
from scoring.families.edits.counting import count
from scoring.families.edits.inputs import gold_as_submission, gold_of_inputs, input_keys, inputs, sample
from scoring.families.edits.options import OPTIONS, configure
from scoring.families.edits.scores import KINDS, TOTALS, metrics, scales
from scoring.families.edits.specimen import example, specimen
from scoring.families.edits.tables import COLUMNS, EVIDENCE, ITEM_TABLES, behind, tables
from scoring.families.edits.view import unit_record
from scoring.families.edits.wording import GOLD_LAYOUT, LAYOUT, SCORE_TITLES, TITLE, USES, count_titles, titles
from scoring.family import GENERATION, CountNotes, Family, FileSteps, Offer, ScoreNotes, TableNotes, Views
from scoring.messages import Message
from scoring.readers.edits import read_gold, read_system

EDITS = Family(
    name="edits",
    title=TITLE,
    unit=lambda options: Message.noun("sentence", "sentences"),
    options=OPTIONS,
    headline=lambda options: "fbeta",
    score_titles=SCORE_TITLES,
    main_scores=("precision", "recall"),
    kinds=KINDS,
    layout=LAYOUT,
    example=example,
    configure=configure,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    offer=Offer(uses=USES, area=GENERATION, gold_layout=GOLD_LAYOUT, specimen=specimen),
    files=FileSteps(
        gold_as_submission=gold_as_submission,
        sample=sample,
        inputs=inputs,
        gold_of_inputs=gold_of_inputs,
        input_keys=input_keys,
    ),
    scores=ScoreNotes(titles_with=titles, scales=scales),
    counts=CountNotes(mistakes=("fp", "fn"), count_titles=count_titles, totals=lambda options: TOTALS),
    table_notes=TableNotes(item_tables=ITEM_TABLES, behind=behind, columns=COLUMNS),
    evidence=EVIDENCE,
    views=Views(
        unit_record=unit_record,
        contents=lazy.late("scoring.families.edits.contents", "contents"),
        repairs=lazy.late("scoring.families.edits.repairs", "repairs"),
    ),
)
