"""Classification: labels of items in tables, as scikit-learn's metrics count them."""

from scoring.families.labels.contents import contents
from scoring.families.labels.counting import count
from scoring.families.labels.exports import EXPORTS
from scoring.families.labels.inputs import gold_as_submission, gold_of_inputs, input_keys, inputs, sample
from scoring.families.labels.kinds import ALWAYS
from scoring.families.labels.options import OPTIONS, configure
from scoring.families.labels.repairs import repairs
from scoring.families.labels.score_keys import TITLES, lower_is_better, titles
from scoring.families.labels.scores import metrics
from scoring.families.labels.specimen import example, specimen
from scoring.families.labels.tables import behind, fold_labels, tables, totals
from scoring.families.labels.view import unit_record
from scoring.families.labels.wording import (
    GOLD_LAYOUT,
    LAYOUT,
    USES,
    count_titles,
    unit,
)
from scoring.family import CLASSIFICATION, Family
from scoring.readers.labels import read_gold, read_system

LABELS = Family(
    name="labels",
    title="Labels: classification",
    unit=unit,
    options=OPTIONS,
    headline=lambda options: options["headline"],
    score_titles=TITLES,
    titles_with=titles,
    main_scores=("accuracy", "macro_f1", "micro_f1", "mcc", "subset_accuracy", "credit"),
    kinds=ALWAYS,
    layout=LAYOUT,
    gold_layout=GOLD_LAYOUT,
    uses=USES,
    area=CLASSIFICATION,
    example=example,
    configure=configure,
    has_columns=True,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    fold_labels=fold_labels,
    gold_as_submission=gold_as_submission,
    sample=sample,
    inputs=inputs,
    gold_of_inputs=gold_of_inputs,
    input_keys=input_keys,
    contents=contents,
    repairs=repairs,
    count_titles=count_titles,
    lower_is_better=lower_is_better,
    exports=EXPORTS,
    behind=behind,
    totals=totals,
    mistakes=("wrong",),
    confusions={"confusion": ("gold", "system")},
    tell_much=lambda options: frozenset({"roc_auc"}),
    unit_record=unit_record,
    specimen=specimen,
    groups={"slices": "items"},
)
