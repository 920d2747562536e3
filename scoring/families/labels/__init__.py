"""Classification: labels of items in tables, as scikit-learn's metrics count them."""

from scoring import lazy
from scoring.families.labels.averages import averages
from scoring.families.labels.counting import count
from scoring.families.labels.exports import EXPORTS
from scoring.families.labels.inputs import (
    answers,
    gold_as_submission,
    gold_of_inputs,
    guess,
    input_keys,
    inputs,
    sample,
    without_annotators,
)
from scoring.families.labels.kinds import ALWAYS
from scoring.families.labels.options import OPTIONS, configure
from scoring.families.labels.score_keys import SCORE_TITLES, lower_is_better, scales, titles
from scoring.families.labels.scores import metrics
from scoring.families.labels.specimen import example, specimen
from scoring.families.labels.tables import COLUMNS, EVIDENCE, are_mixed, behind, fold_labels, tables, totals
from scoring.families.labels.view import unit_record
from scoring.families.labels.wording import LAYOUT, USES, count_titles, gold_layout, unit
from scoring.family import CLASSIFICATION, CountNotes, Family, FileSteps, Offer, ScoreNotes, TableNotes, Views
from scoring.readers.labels import has_shares, hide_labels, read_gold, read_system

LABELS = Family(
    name="labels",
    title="Labels: classification",
    unit=unit,
    options=OPTIONS,
    headline=lambda options: options["headline"],
    score_titles=SCORE_TITLES,
    main_scores=("accuracy", "macro_f1", "micro_f1", "mcc", "subset_accuracy", "credit", "icm_soft"),
    kinds=ALWAYS,
    layout=LAYOUT,
    example=example,
    configure=configure,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    averages=averages,
    offer=Offer(uses=USES, area=CLASSIFICATION, gold_layout=gold_layout, specimen=specimen),
    files=FileSteps(
        has_columns=True,
        gold_as_submission=gold_as_submission,
        sample=sample,
        inputs=inputs,
        answers=answers,
        gold_of_inputs=gold_of_inputs,
        input_keys=input_keys,
        hide_labels=hide_labels,
        without_annotators=without_annotators,
        guess=guess,
        may_be_rated=has_shares,
    ),
    scores=ScoreNotes(
        titles_with=titles,
        lower_is_better=lower_is_better,
        scales=scales,
        tell_much=lambda options: frozenset({"roc_auc"}),
    ),
    counts=CountNotes(mistakes=("wrong",), count_titles=count_titles, totals=totals, are_mixed=are_mixed),
    table_notes=TableNotes(
        fold_labels=fold_labels,
        confusions={"confusion": ("gold", "system")},
        groups={"slices": "items"},
        behind=behind,
        columns=COLUMNS,
        exports=EXPORTS,
    ),
    evidence=EVIDENCE,
    views=Views(
        unit_record=unit_record,
        contents=lazy.late("scoring.families.labels.contents", "contents"),
        repairs=lazy.late("scoring.families.labels.repairs", "repairs"),
    ),
)
