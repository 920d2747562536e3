"""Scores made elsewhere: by a metric that does not run here, by a language model that judges, by people."""

from scoring import lazy
from scoring.families.given.counting import count
from scoring.families.given.inputs import gold_as_submission, input_keys, inputs, sample
from scoring.families.given.options import OPTIONS, configure
from scoring.families.given.scores import KINDS, TOTALS, are_mixed, headline, lower_is_better, metrics, scales
from scoring.families.given.specimen import example, specimen
from scoring.families.given.tables import EVIDENCE, tables
from scoring.families.given.view import unit_record
from scoring.families.given.wording import GOLD_LAYOUT, LAYOUT, SCORE_TITLES, TITLE, USES, count_titles, unit
from scoring.family import JUDGED, CountNotes, Family, FileSteps, Offer, ScoreNotes, TableNotes, Views
from scoring.readers.given import read_gold, read_system

GIVEN = Family(
    name="given",
    title=TITLE,
    unit=unit,
    options=OPTIONS,
    headline=headline,
    score_titles=SCORE_TITLES,
    main_scores=(),
    kinds=KINDS,
    layout=LAYOUT,
    example=example,
    configure=configure,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    offer=Offer(uses=USES, area=JUDGED, gold_layout=GOLD_LAYOUT, specimen=specimen, is_brought_by_organisers=True),
    files=FileSteps(
        has_parts=False, gold_as_submission=gold_as_submission, sample=sample, inputs=inputs, input_keys=input_keys
    ),
    scores=ScoreNotes(lower_is_better=lower_is_better, scales=scales),
    counts=CountNotes(count_titles=count_titles, totals=lambda options: TOTALS, are_mixed=are_mixed),
    table_notes=TableNotes(item_tables=("units",)),
    evidence=EVIDENCE,
    views=Views(unit_record=unit_record, contents=lazy.late("scoring.families.given.contents", "contents")),
)
