"""The family's record: facts about it, and the functions that the engine calls, in the order of the calls."""

from scoring import lazy
from scoring.families.coreference.counting import count
from scoring.families.coreference.inputs import gold_of_inputs, input_keys, inputs, sample
from scoring.families.coreference.options import OPTIONS, configure
from scoring.families.coreference.scores import KINDS, count_scores, metrics
from scoring.families.coreference.specimen import example, specimen
from scoring.families.coreference.tables import BEHIND, COLUMNS, EVIDENCE, row_scores, tables
from scoring.families.coreference.view import unit_record
from scoring.families.coreference.wording import GOLD_LAYOUT, LAYOUT, SCORE_TITLES, TITLE, USES, count_titles
from scoring.family import ANNOTATION, CountNotes, Family, FileSteps, Offer, TableNotes, Views
from scoring.messages import Message
from scoring.readers.coreference.sides import read_gold, read_system

COREFERENCE = Family(
    name="coreference",
    title=TITLE,
    # Resampling draws whole documents: the entities of one document depend on each other.
    unit=lambda options: Message.noun("document", "documents"),
    options=OPTIONS,
    headline=lambda options: "conll_f1",
    score_titles=SCORE_TITLES,
    # The three parts of the headline, and how many mentions were found at all.
    main_scores=("muc_f1", "b_cubed_f1", "ceaf_e_f1", "mention_f1"),
    kinds=KINDS,
    layout=LAYOUT,
    example=example,
    configure=configure,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    offer=Offer(uses=USES, area=ANNOTATION, gold_layout=GOLD_LAYOUT, specimen=specimen),
    files=FileSteps(sample=sample, inputs=inputs, gold_of_inputs=gold_of_inputs, input_keys=input_keys),
    counts=CountNotes(mistakes=("gold_mentions",), count_titles=count_titles, count_scores=count_scores),
    table_notes=TableNotes(behind=lambda table: BEHIND.get(table, {}), row_scores=row_scores, columns=COLUMNS),
    evidence=EVIDENCE,
    views=Views(
        unit_record=unit_record,
        contents=lazy.late("scoring.families.coreference.contents", "contents"),
        repairs=lazy.late("scoring.families.coreference.repairs", "repairs"),
    ),
)
