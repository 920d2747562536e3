"""Speech and character recognition, text normalisation: word and character error rates, with their edits."""

from scoring.families.transcripts.contents import contents
from scoring.families.transcripts.counting import count
from scoring.families.transcripts.exports import EXPORTS
from scoring.families.transcripts.inputs import gold_as_submission, gold_of_inputs, input_keys, inputs, sample
from scoring.families.transcripts.options import OPTIONS, configure, headline, unit
from scoring.families.transcripts.repairs import repairs
from scoring.families.transcripts.scores import KINDS, SCORES, TOTALS, count_scores, metrics, scales
from scoring.families.transcripts.sides import read_gold, read_system
from scoring.families.transcripts.specimen import example, specimen
from scoring.families.transcripts.tables import BEHIND, ITEM_TABLES, tables
from scoring.families.transcripts.view import unit_record
from scoring.families.transcripts.wording import (
    GOLD_LAYOUT,
    LAYOUT,
    SCORE_TITLES,
    TITLE,
    USES,
    count_titles,
)
from scoring.family import SPEECH, Family

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
    gold_layout=GOLD_LAYOUT,
    uses=USES,
    area=SPEECH,
    specimen=specimen,
    example=example,
    configure=configure,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    gold_as_submission=gold_as_submission,
    lower_is_better=lambda options: frozenset(SCORES),
    scales=scales,
    confusions={"confusions": ("reference", "system")},
    behind=lambda table: BEHIND.get(table, {}),
    totals=lambda options: TOTALS,
    mistakes=("substitutions", "deletions", "insertions"),
    item_tables=ITEM_TABLES,
    exports=EXPORTS,
    unit_record=unit_record,
    sample=sample,
    inputs=inputs,
    gold_of_inputs=gold_of_inputs,
    input_keys=input_keys,
    contents=contents,
    repairs=repairs,
    count_titles=count_titles,
    count_scores=count_scores,
    groups={"speakers": "utterances"},
)
