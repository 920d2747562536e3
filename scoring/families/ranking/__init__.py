"""Rankings of documents: retrieval, reranking, link prediction, recommendation; measured as trec_eval does."""

from scoring import lazy
from scoring.families.ranking.counting import count
from scoring.families.ranking.exports import EXPORTS
from scoring.families.ranking.inputs import answers, gold_as_submission, gold_of_inputs, input_keys, inputs, sample
from scoring.families.ranking.options import OPTIONS, configure
from scoring.families.ranking.remarks import gold_remarks
from scoring.families.ranking.scores import KINDS, headline, metrics, scales
from scoring.families.ranking.snippets import either
from scoring.families.ranking.specimen import example, specimen
from scoring.families.ranking.tables import COLUMNS, EVIDENCE, tables
from scoring.families.ranking.view import unit_record
from scoring.families.ranking.wording import GOLD_LAYOUT, LAYOUT, SCORE_TITLES, USES, count_titles, score_titles, unit
from scoring.family import SEARCH, CountNotes, Family, FileSteps, Offer, ScoreNotes, TableNotes, Views
from scoring.readers.ranking import read_gold, read_system

# Of snippets, whose modules are loaded where they are ranked.
_COUNTING = "scoring.families.ranking.snippets.counting."
_FILES = "scoring.families.ranking.snippets.files."
_READERS = "scoring.readers.ranking.snippets."

RANKING = Family(
    name="ranking",
    title="Rankings of documents (TREC)",
    unit=unit,
    options=OPTIONS,
    headline=headline,
    score_titles=SCORE_TITLES,
    main_scores=("map", "mrr", "p_10", "r_100", "judged_10", "snippet_p", "snippet_r", "snippet_map"),
    kinds=KINDS,
    layout=LAYOUT,
    example=either(example, _FILES + "example"),
    configure=configure,
    read_gold=either(read_gold, _READERS + "read_gold"),
    read_system=either(read_system, _READERS + "read_system"),
    count=either(count, _COUNTING + "count"),
    metrics=metrics,
    tables=either(tables, _COUNTING + "tables"),
    offer=Offer(
        uses=USES,
        area=SEARCH,
        gold_layout=GOLD_LAYOUT,
        specimen=either(specimen, _FILES + "specimen"),
        gold_remarks=either(gold_remarks, _FILES + "gold_remarks"),
    ),
    files=FileSteps(
        gold_as_submission=either(gold_as_submission, _FILES + "gold_as_submission"),
        sample=either(sample, _FILES + "sample"),
        inputs=either(inputs, _FILES + "inputs"),
        gold_of_inputs=either(gold_of_inputs, _FILES + "gold_of_inputs"),
        input_keys=input_keys,
        answers=answers,
    ),
    scores=ScoreNotes(titles_with=score_titles, scales=scales),
    counts=CountNotes(count_titles=count_titles),
    table_notes=TableNotes(columns=COLUMNS, exports=EXPORTS),
    evidence=EVIDENCE,
    views=Views(
        unit_record=either(unit_record, _FILES + "unit_record"),
        contents=either(lazy.late("scoring.families.ranking.contents", "contents"), _FILES + "contents"),
    ),
)
