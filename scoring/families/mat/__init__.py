"""Span annotations in the manner of MATScore: spans are compared by label and extent, and by token.

The rules stand at the head of `counting`; from there, `matching/` has a module for each, and `scores` the formulas.
"""

from scoring import lazy
from scoring.families.mat.count_titles import count_titles
from scoring.families.mat.counting import count, fold_labels
from scoring.families.mat.exports import EXPORTS
from scoring.families.mat.gold_as_submission import gold_as_submission
from scoring.families.mat.inputs import input_keys, inputs, sample
from scoring.families.mat.options import OPTIONS, configure
from scoring.families.mat.scores import KINDS, averages, count_scores, headline, kinds, metrics
from scoring.families.mat.specimen import example, specimen
from scoring.families.mat.tables import BEHIND, COLUMNS, EVIDENCE, TOTALS, row_scores, tables
from scoring.families.mat.view import unit_record
from scoring.families.mat.wording import LAYOUT, USES, gold_layout, score_titles, titles, unit
from scoring.family import ANNOTATION, CountNotes, Family, FileSteps, Offer, ScoreNotes, TableNotes, Views
from scoring.readers.mat import read_gold, read_system

MAT = Family(
    name="mat",
    title="MATScore: span annotations",
    unit=unit,
    options=OPTIONS,
    headline=headline,
    score_titles=score_titles(),
    main_scores=("precision", "recall", "macro_f1", "token_f1"),
    kinds=KINDS,
    layout=LAYOUT,
    example=example,
    configure=configure,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    averages=lambda matches, options: averages(matches.rows, options),
    offer=Offer(uses=USES, area=ANNOTATION, gold_layout=gold_layout, specimen=specimen),
    files=FileSteps(gold_as_submission=gold_as_submission, sample=sample, inputs=inputs, input_keys=input_keys),
    scores=ScoreNotes(titles_with=titles),
    counts=CountNotes(
        kinds_with=kinds,
        mistakes=("refclash", "missing", "hypclash", "spurious"),
        count_titles=count_titles,
        totals=lambda options: TOTALS,
        count_scores=count_scores,
    ),
    table_notes=TableNotes(
        fold_labels=fold_labels,
        item_tables=("details",),
        confusions={"confusion": ("gold_label", "system_label")},
        behind=lambda table: BEHIND.get(table, {}),
        row_scores=row_scores,
        columns=COLUMNS,
        exports=EXPORTS,
    ),
    evidence=EVIDENCE,
    views=Views(
        unit_record=unit_record,
        contents=lazy.late("scoring.families.mat.contents", "contents"),
        repairs=lazy.late("scoring.families.mat.repairs", "repairs"),
    ),
)
