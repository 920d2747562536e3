"""Speech and character recognition, text normalisation: word and character error rates, with their edits."""

from scoring import lazy
from scoring.families.transcripts.counting import count
from scoring.families.transcripts.exports import EXPORTS
from scoring.families.transcripts.inputs import gold_as_submission, gold_of_inputs, input_keys, inputs, sample
from scoring.families.transcripts.options import OPTIONS, configure, headline, unit
from scoring.families.transcripts.scores import KINDS, SCORES, TOTALS, count_scores, metrics, scales
from scoring.families.transcripts.sides import read_gold, read_system
from scoring.families.transcripts.specimen import example, specimen
from scoring.families.transcripts.tables import BEHIND, COLUMNS, EVIDENCE, ITEM_TABLES, tables
from scoring.families.transcripts.view import unit_record
from scoring.families.transcripts.wording import GOLD_LAYOUT, LAYOUT, SCORE_TITLES, TITLE, USES, count_titles
from scoring.family import SPEECH, CountNotes, Family, FileSteps, Offer, ScoreNotes, TableNotes, Views

TRANSCRIPTS = Family(
    name="transcripts",
    title=TITLE,
    unit=unit,
    options=OPTIONS,
    headline=headline,
    score_titles=SCORE_TITLES,
    main_scores=("wer", "cer", "ser"),
    kinds=KINDS,
    layout=LAYOUT,
    example=example,
    configure=configure,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    offer=Offer(uses=USES, area=SPEECH, gold_layout=GOLD_LAYOUT, extra="text", specimen=specimen),
    files=FileSteps(
        gold_as_submission=gold_as_submission,
        sample=sample,
        inputs=inputs,
        gold_of_inputs=gold_of_inputs,
        input_keys=input_keys,
    ),
    scores=ScoreNotes(lower_is_better=lambda options: frozenset(SCORES), scales=scales),
    counts=CountNotes(
        mistakes=("substitutions", "deletions", "insertions"),
        count_titles=count_titles,
        totals=lambda options: TOTALS,
        count_scores=count_scores,
    ),
    table_notes=TableNotes(
        item_tables=ITEM_TABLES,
        confusions={"confusions": ("reference", "system")},
        groups={"speakers": "utterances"},
        behind=lambda table: BEHIND.get(table, {}),
        columns=COLUMNS,
        exports=EXPORTS,
    ),
    evidence=EVIDENCE,
    views=Views(
        unit_record=unit_record,
        contents=lazy.late("scoring.families.transcripts.contents", "contents"),
        repairs=lazy.late("scoring.families.transcripts.repairs", "repairs"),
    ),
)
