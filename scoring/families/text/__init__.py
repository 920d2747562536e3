"""Translation, summaries and other written texts: BLEU, chrF and TER by sacreBLEU, ROUGE, exact match."""

from scoring import lazy
from scoring.families.text.counting import count
from scoring.families.text.exports import EXPORTS
from scoring.families.text.inputs import answers, gold_as_submission, gold_of_inputs, input_keys, inputs, sample
from scoring.families.text.kinds import KINDS
from scoring.families.text.options import OPTIONS, configure, resolve_options
from scoring.families.text.remarks import gold_remarks
from scoring.families.text.scores import SCORE_TITLES, headline, lower_is_better, metrics, scales
from scoring.families.text.specimen import example, specimen
from scoring.families.text.tables import EVIDENCE, tables
from scoring.families.text.view import unit_record
from scoring.families.text.wording import (
    GOLD_LAYOUT,
    LAYOUT,
    MAIN_SCORES,
    TITLE,
    USES,
    count_titles,
    titles,
    unit,
)
from scoring.family import GENERATION, CountNotes, Family, FileSteps, Offer, ScoreNotes, TableNotes, Views
from scoring.readers.text import read_gold, read_system

TEXT = Family(
    name="text",
    title=TITLE,
    unit=unit,
    options=OPTIONS,
    headline=headline,
    score_titles=SCORE_TITLES,
    main_scores=MAIN_SCORES,
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
    offer=Offer(
        uses=USES,
        area=GENERATION,
        gold_layout=GOLD_LAYOUT,
        extra="text",
        specimen=specimen,
        gold_remarks=gold_remarks,
    ),
    files=FileSteps(
        has_columns=True,
        gold_as_submission=gold_as_submission,
        sample=sample,
        inputs=inputs,
        answers=answers,
        gold_of_inputs=gold_of_inputs,
        input_keys=input_keys,
    ),
    scores=ScoreNotes(titles_with=titles, lower_is_better=lower_is_better, scales=scales, signatures="signatures"),
    counts=CountNotes(count_titles=count_titles),
    table_notes=TableNotes(item_tables=("segments",), groups={"documents": "segments"}, exports=EXPORTS),
    evidence=EVIDENCE,
    views=Views(unit_record=unit_record, contents=lazy.late("scoring.families.text.contents", "contents")),
)
