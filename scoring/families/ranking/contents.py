"""Describes what was read of a run: documents, and the queries that they are ranked for."""

import numpy as np

from scoring.describing.contents import NO_UNIT, Contents, Identifiers, Layer
from scoring.families.ranking.oddities import odd_orders
from scoring.family import Files, Options
from scoring.messages import Message
from scoring.readers.ranking import Judgements, Run


def contents(files: Files, gold: Judgements, run: Run, options: Options) -> Contents:
    """Describe the run; of the gold nothing is told but its queries."""
    unit = np.array([gold.index_of.get(query, NO_UNIT) for query in run.queries], np.int32)
    known = unit != NO_UNIT
    return Contents(
        unit=Message.noun("query", "queries"),
        n_units=len(gold.queries),
        layers=[
            Layer(
                name=Message.noun("document", "documents"),
                unit=np.repeat(unit[known], run.n_documents[known]),
                file=run.path,
            )
        ],
        identifiers=Identifiers(
            Message.noun("query", "queries"),
            [query.decode() for query in run.queries],
            frozenset(query.decode() for query in gold.queries),
        ),
        more={"unknown_queries": int(np.count_nonzero(~known))},
        file=run.path,
        joined_by="to",
        further=list(odd_orders(files, run.path, options)),
    )
