"""Rankings whose scores order them otherwise than their author seems to have meant."""

from collections.abc import Iterator

from scoring.describing.description import Oddity
from scoring.family import Files, Options
from scoring.messages import Message
from scoring.readers.ranking import glance

_MOST = 0.9
_FEWEST = 5  # queries


def odd_orders(files: Files, file: str, options: Options) -> Iterator[Oddity]:
    """Yield `constant` where scores are all equal, `order` where they rise from rank to rank, as distances do."""
    # Numbers that are ranks rise from line to line.
    if options["order"] == "rank":
        return
    seen = glance(files)
    if seen.n < _FEWEST:
        return
    if seen.n_flat >= _MOST * seen.n:
        yield Oddity(
            "constant",
            Message(
                "scores-equal",
                "In {n:,} of {of:,} queries all scores are equal, so that the order is that of the names.",
                n=seen.n_flat,
                of=seen.n,
            ),
            n=seen.n_flat,
            of=seen.n,
            file=file,
            suggestion=Message("write-falling-scores", "write falling scores: the ranks say nothing"),
        )
    if seen.n_rising >= _MOST * seen.n:
        yield Oddity(
            "order",
            Message(
                "scores-rise",
                "In {n:,} of {of:,} queries scores rise from rank to rank, so that the last document counts as the"
                " best.",
                n=seen.n_rising,
                of=seen.n,
            ),
            n=seen.n_rising,
            of=seen.n,
            file=file,
            suggestion=Message("write-with-minus", "are these distances or ranks? write them with a minus"),
        )
