"""Rankings of documents and judgements of them: TREC's columns, three columns with tabs, or JSON."""

from scoring.readers.ranking.columns import Judgements, Name, Run, shown
from scoring.readers.ranking.glance import glance
from scoring.readers.ranking.sides import queries_of, ranking_of, read_gold, read_system, top_of

__all__ = [
    "Judgements",
    "Name",
    "Run",
    "glance",
    "queries_of",
    "ranking_of",
    "read_gold",
    "read_system",
    "shown",
    "top_of",
]
