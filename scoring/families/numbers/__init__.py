"""Numbers for items: correlations, errors, probabilities, and scores of which less is better."""

from scoring.families.numbers.contents import contents
from scoring.families.numbers.counting import count
from scoring.families.numbers.inputs import gold_as_submission, input_keys, inputs, sample
from scoring.families.numbers.names import headline, lower_is_better, scales
from scoring.families.numbers.options import OPTIONS, configure
from scoring.families.numbers.scores import KINDS, TOTALS, metrics
from scoring.families.numbers.specimen import example, specimen
from scoring.families.numbers.tables import tables
from scoring.families.numbers.view import unit_record
from scoring.families.numbers.wording import GOLD_LAYOUT, LAYOUT, SCORE_TITLES, TITLE, USES, count_titles, titles, unit
from scoring.family import NUMBERS as AREA
from scoring.family import Family
from scoring.readers.numbers import read_gold, read_system

NUMBERS = Family(
    name="numbers",
    title=TITLE,
    unit=unit,
    options=OPTIONS,
    headline=headline,
    score_titles=SCORE_TITLES,
    titles_with=titles,
    main_scores=("pearson", "spearman", "rmse", "average_precision", "eer", "log_loss"),
    kinds=KINDS,
    layout=LAYOUT,
    gold_layout=GOLD_LAYOUT,
    uses=USES,
    area=AREA,
    specimen=specimen,
    example=example,
    configure=configure,
    has_columns=True,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    gold_as_submission=gold_as_submission,
    lower_is_better=lower_is_better,
    scales=scales,
    totals=lambda options: TOTALS,
    mistakes=("absolute",),
    unit_record=unit_record,
    sample=sample,
    inputs=inputs,
    input_keys=input_keys,
    contents=contents,
    count_titles=count_titles,
    groups={"slices": "items"},
)
