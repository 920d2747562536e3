"""Rankings of documents: retrieval, reranking, link prediction, recommendation; measured as trec_eval does."""

from scoring.families.ranking.contents import contents
from scoring.families.ranking.counting import count
from scoring.families.ranking.exports import EXPORTS
from scoring.families.ranking.inputs import gold_as_submission, gold_of_inputs, input_keys, inputs, sample
from scoring.families.ranking.options import OPTIONS, configure
from scoring.families.ranking.remarks import gold_remarks
from scoring.families.ranking.scores import KINDS, headline, metrics, scales
from scoring.families.ranking.specimen import example, specimen
from scoring.families.ranking.tables import tables
from scoring.families.ranking.view import unit_record
from scoring.families.ranking.wording import (
    GOLD_LAYOUT,
    LAYOUT,
    SCORE_TITLES,
    USES,
    count_titles,
    score_titles,
    unit,
)
from scoring.family import SEARCH, Family
from scoring.readers.ranking import read_gold, read_system

RANKING = Family(
    name="ranking",
    title="Rankings of documents (TREC)",
    unit=unit,
    options=OPTIONS,
    headline=headline,
    score_titles=SCORE_TITLES,
    titles_with=score_titles,
    scales=scales,
    main_scores=("map", "mrr", "p_10", "r_100", "judged_10"),
    kinds=KINDS,
    layout=LAYOUT,
    gold_layout=GOLD_LAYOUT,
    uses=USES,
    area=SEARCH,
    specimen=specimen,
    example=example,
    configure=configure,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    gold_as_submission=gold_as_submission,
    gold_remarks=gold_remarks,
    exports=EXPORTS,
    unit_record=unit_record,
    sample=sample,
    inputs=inputs,
    gold_of_inputs=gold_of_inputs,
    input_keys=input_keys,
    contents=contents,
    count_titles=count_titles,
)
