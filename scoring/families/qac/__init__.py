"""Question answering as in NTCIR's QAC, TREC and SQuAD: ranked answers, lists, series, answers from a passage."""

from scoring import lazy
from scoring.families.qac.counting import count
from scoring.families.qac.exports import EXPORTS
from scoring.families.qac.gold_as_submission import gold_as_submission
from scoring.families.qac.inputs import answers, gold_of_inputs, input_keys, inputs, sample
from scoring.families.qac.options import OPTIONS, configure, resolve_options
from scoring.families.qac.scores import KINDS, TOTALS, headline, metrics, scales
from scoring.families.qac.specimen import example, specimen
from scoring.families.qac.tables import COLUMNS, EVIDENCE, row_scores, tables
from scoring.families.qac.view import unit_record
from scoring.families.qac.wording import LAYOUT, SCORE_TITLES, USES, count_titles, gold_layout, titles_with, unit
from scoring.family import QUESTIONS, CountNotes, Family, FileSteps, Offer, ScoreNotes, TableNotes, Views
from scoring.readers.qac import read_gold, read_system

QAC = Family(
    name="qac",
    title="Question answering (NTCIR QAC, TREC, SQuAD)",
    unit=unit,
    options=OPTIONS,
    headline=headline,
    score_titles=SCORE_TITLES,
    main_scores=("answerable_average", "recall", "precision", "f1", "hit_at_1", "hit_at_5", "exact_match"),
    kinds=KINDS,
    layout=LAYOUT,
    example=example,
    configure=configure,
    resolve_options=resolve_options,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    offer=Offer(uses=USES, area=QUESTIONS, gold_layout=gold_layout, specimen=specimen),
    files=FileSteps(
        gold_as_submission=gold_as_submission,
        sample=sample,
        inputs=inputs,
        answers=answers,
        gold_of_inputs=gold_of_inputs,
        input_keys=input_keys,
    ),
    scores=ScoreNotes(titles_with=titles_with, scales=scales, without_interval=("marks", "full_marks")),
    counts=CountNotes(mistakes=("answers",), count_titles=count_titles, totals=lambda options: TOTALS),
    table_notes=TableNotes(item_tables=("answers",), row_scores=row_scores, columns=COLUMNS, exports=EXPORTS),
    evidence=EVIDENCE,
    views=Views(
        unit_record=unit_record,
        contents=lazy.late("scoring.families.qac.contents", "contents"),
        repairs=lazy.late("scoring.families.qac.repairs", "repairs"),
    ),
)
