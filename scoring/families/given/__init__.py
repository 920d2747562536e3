"""Scores made elsewhere: by a metric that does not run here, by a language model that judges, by people."""

from scoring.families.given.contents import contents
from scoring.families.given.counting import count
from scoring.families.given.inputs import gold_as_submission, input_keys, inputs, sample
from scoring.families.given.options import OPTIONS, configure
from scoring.families.given.scores import KINDS, TOTALS, headline, lower_is_better, metrics, scales
from scoring.families.given.specimen import example, specimen
from scoring.families.given.tables import tables
from scoring.families.given.view import unit_record
from scoring.families.given.wording import GOLD_LAYOUT, LAYOUT, SCORE_TITLES, TITLE, USES, count_titles, unit
from scoring.family import JUDGED, Family
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
    gold_layout=GOLD_LAYOUT,
    uses=USES,
    area=JUDGED,
    specimen=specimen,
    example=example,
    configure=configure,
    is_brought_by_organisers=True,
    has_parts=False,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    lower_is_better=lower_is_better,
    scales=scales,
    gold_as_submission=gold_as_submission,
    item_tables=("units",),
    totals=lambda options: TOTALS,
    unit_record=unit_record,
    sample=sample,
    inputs=inputs,
    input_keys=input_keys,
    contents=contents,
    count_titles=count_titles,
)
