"""Rankings whose scores order them otherwise than their author seems to have meant."""

from collections.abc import Iterator

from scoring.describing.description import Oddity
from scoring.describing.wording import number
from scoring.family import Files, Options
from scoring.readers.ranking import glance

_MOST = 0.9
_FEWEST = 5  # queries


def odd_orders(files: Files, file: str, options: Options) -> Iterator[Oddity]:
    """`constant` where scores are all equal, and `order` where they rise from rank to rank, as distances do."""
    # Numbers that are ranks rise from line to line.
    if options["order"] == "rank":
        return
    seen = glance(files)
    if seen.n < _FEWEST:
        return
    if seen.n_flat >= _MOST * seen.n:
        yield Oddity(
            "constant",
            f"In {number(seen.n_flat)} of {number(seen.n)} queries all scores are equal, so that the order is that of"
            " the names.",
            n=seen.n_flat,
            of=seen.n,
            file=file,
            suggestion="write falling scores: the ranks say nothing",
        )
    if seen.n_rising >= _MOST * seen.n:
        yield Oddity(
            "order",
            f"In {number(seen.n_rising)} of {number(seen.n)} queries scores rise from rank to rank, so that the last"
            " document counts as the best.",
            n=seen.n_rising,
            of=seen.n,
            file=file,
            suggestion="are these distances or ranks? write them with a minus",
        )
