"""Describes what was read of a run: documents, and the queries that they are ranked for."""

import numpy as np

from scoring.columns import sampled
from scoring.describing.contents import NO_UNIT, Contents, Identifiers, Layer, of_unknown_units
from scoring.families.ranking.oddities import never_judged, odd_orders, of_first_documents
from scoring.family import Files, Options
from scoring.messages import Message
from scoring.readers.ranking import Judgements, Run, glance

_LOOKED_AT = 2_000  # names of judged documents


def contents(files: Files, gold: Judgements, run: Run, options: Options) -> Contents:
    """Describe the run; of the gold nothing is told but its queries."""
    unit = np.array([gold.index_of.get(query, NO_UNIT) for query in run.queries], np.int32)
    seen = glance(files)
    is_known = unit != NO_UNIT
    return Contents(
        unit=Message.noun("query", "queries"),
        n_units=len(gold.queries),
        usually_reached=0.7,
        layers=[
            Layer(
                name=Message.noun("document", "documents"),
                unit=np.repeat(unit[is_known], run.n_documents[is_known]),
                file=run.path,
            )
        ],
        identifiers=[
            Identifiers(
                Message.noun("query", "queries"),
                [query.decode() for query in run.queries],
                frozenset(query.decode() for query in gold.queries),
            ),
            # Of the judged documents nothing is told but what names look like.
            Identifiers(
                Message.noun("document", "documents"),
                [_text(name) for name in seen.documents],
                frozenset(_text(gold.documents[k]) for k in sampled(len(gold.documents), _LOOKED_AT).tolist()),
                by_look=True,
            ),
        ],
        more={"unknown_queries": int(np.count_nonzero(~is_known))},
        file=run.path,
        joined_by="to",
        left_aside=[
            of_unknown_units(
                int(run.n_documents[~is_known].sum()),
                int(run.n_documents.sum()),
                Message.noun("document", "documents"),
                Message.noun("query", "queries"),
            )
        ],
        further=list(odd_orders(files, run, options)),
        beside=of_first_documents(seen, gold),
        further_beside=lambda: never_judged(seen, gold, run.path),
    )


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")
