"""Numbers for items: correlations, errors, probabilities, and scores of which less is better."""

from scoring import lazy
from scoring.families.numbers.counting import count
from scoring.families.numbers.exchange import exchange
from scoring.families.numbers.inputs import (
    gold_as_submission,
    gold_of_inputs,
    guess,
    input_keys,
    inputs,
    sample,
    without_annotators,
)
from scoring.families.numbers.names import SCORE_TITLES, headline, lower_is_better, scales
from scoring.families.numbers.options import OPTIONS, configure
from scoring.families.numbers.scores import KINDS, TOTALS, metrics
from scoring.families.numbers.specimen import example, specimen
from scoring.families.numbers.tables import COLUMNS, EVIDENCE, tables
from scoring.families.numbers.view import unit_record
from scoring.families.numbers.wording import LAYOUT, TITLE, USES, count_titles, gold_layout, titles, unit
from scoring.family import NUMBERS as AREA
from scoring.family import CountNotes, Family, FileSteps, Offer, ScoreNotes, TableNotes, Views
from scoring.readers.numbers import read_gold, read_system

NUMBERS = Family(
    name="numbers",
    title=TITLE,
    unit=unit,
    options=OPTIONS,
    headline=headline,
    score_titles=SCORE_TITLES,
    main_scores=("pearson", "spearman", "rmse", "average_precision", "eer", "log_loss"),
    kinds=KINDS,
    layout=LAYOUT,
    example=example,
    configure=configure,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    offer=Offer(uses=USES, area=AREA, gold_layout=gold_layout, specimen=specimen),
    files=FileSteps(
        has_columns=True,
        gold_as_submission=gold_as_submission,
        sample=sample,
        inputs=inputs,
        gold_of_inputs=gold_of_inputs,
        input_keys=input_keys,
        without_annotators=without_annotators,
        guess=guess,
    ),
    scores=ScoreNotes(titles_with=titles, lower_is_better=lower_is_better, scales=scales, exchange=exchange),
    counts=CountNotes(mistakes=("absolute",), count_titles=count_titles, totals=lambda options: TOTALS),
    table_notes=TableNotes(groups={"slices": "items"}, columns=COLUMNS),
    evidence=EVIDENCE,
    views=Views(unit_record=unit_record, contents=lazy.late("scoring.families.numbers.contents", "contents")),
)
