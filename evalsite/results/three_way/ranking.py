"""A query: at which rank each relevant document was retrieved, and what stands at the first ranks."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext

from evalsite.results.three_way.outcomes import RIGHT, Annotation, Layer, Outcome, Record, with_distinct_keys
from evalsite.wording import amount

_FIRST = 10


def layers(record: Record) -> list[Layer]:
    """Return the relevant documents, the best first, and what stands at each of the first ranks; or the snippets."""
    if "gold" in record:
        return [
            Layer(gettext("Snippets of the gold"), "", [*with_distinct_keys(_of_gold(record["gold"]))]),
            Layer(gettext("Snippets of the run"), "", [*with_distinct_keys(_of_run(record["ranking"]))]),
        ]
    return [
        Layer(gettext("Relevant documents"), "", sorted(_relevant(record), key=_by_grade)),
        Layer(gettext("The first %(n)s ranks") % {"n": _FIRST}, "", list(_by_rank(record))),
    ]


def _of_gold(snippets: Iterable[Record]) -> Iterator[Outcome]:
    for snippet in snippets:
        has_all = snippet["shared"] == snippet["characters"]
        kind = RIGHT if has_all else "spanclash" if snippet["shared"] else "missing"
        yield Outcome(snippet["snippet"], kind, _shared(snippet), Annotation("", snippet["snippet"]), None)


def _of_run(snippets: Iterable[Record]) -> Iterator[Outcome]:
    for snippet in snippets:
        annotation = Annotation("", snippet["snippet"])
        yield Outcome(
            snippet["snippet"],
            RIGHT if snippet["shared"] else "spurious",
            _shared(snippet),
            None,
            annotation,
            annotation,
        )


def _shared(snippet: Record) -> str:
    sentence = gettext("%(shared)s of %(n)s characters on both sides")
    return sentence % {"shared": amount(snippet["shared"]), "n": amount(snippet["characters"])}


def _relevant(record: Record) -> Iterator[Outcome]:
    for document in record["ranking"]:
        if document["relevant"]:
            title = gettext("Found at %(rank)s") % {"rank": document["rank"]}
            yield Outcome(document["document"], RIGHT, title, _gold(document), Annotation("", document["document"]))
    for document in record["missed"]:
        if document["relevant"]:
            yield Outcome(document["document"], "missing", gettext("Not retrieved"), _gold(document), None)


def _by_grade(outcome: Outcome) -> tuple[int, str]:
    """Sort documents by grade, so that both runs have the same order."""
    return (-int(outcome.gold.label) if outcome.gold else 0, str(outcome.key))


def _by_rank(record: Record) -> Iterator[Outcome]:
    """Yield what stands at each of the first ranks; other documents of the same worth are no difference there."""
    by_rank = {document["rank"]: document for document in record["ranking"]}
    for rank in range(1, _FIRST + 1):
        yield (
            _outcome_at(rank, by_rank[rank])
            if rank in by_rank
            else Outcome(rank, "missing", gettext("No document"), None, None)
        )


def _outcome_at(rank: int, document: Record) -> Outcome:
    name = document["document"]
    system = Annotation(str(rank), name)
    if document["relevant"]:
        return Outcome(rank, RIGHT, gettext("Grade %(grade)s") % {"grade": document["grade"]}, None, system)
    title = gettext("Not relevant") if document["judged"] else gettext("Not judged")
    return Outcome(rank, "spurious", title, None, system, Annotation("", name))


def _gold(document: Record) -> Annotation:
    return Annotation(str(document["grade"]), document["document"])
