"""An utterance, or the utterances of a speaker: which words were heard, and what was heard in their place."""

from collections.abc import Iterator

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from evalsite.results.three_way.outcomes import RIGHT, Annotation, Layer, Outcome, Record

# The classes of other families have the looks of these.
KINDS = {"hit": RIGHT, "substitution": "tagclash", "deletion": "missing", "insertion": "spurious"}
TITLES: dict[str, Promise] = {
    "hit": gettext_lazy("Right"),
    "substitution": pgettext_lazy("word of a transcript", "Substitution"),
    "deletion": pgettext_lazy("word of a transcript", "Deletion"),
    "insertion": pgettext_lazy("word of a transcript", "Insertion"),
}


def layers(record: Record) -> list[Layer]:
    """Return a layer for each utterance, over the words of its reference."""
    utterances = record["utterances"]
    # Of a single one the page bears its name already.
    return [
        _layer(utterance, utterance["utterance"] if len(utterances) > 1 else gettext("Words"))
        for utterance in utterances
    ]


def _layer(utterance: Record, title: str) -> Layer:
    words = [reference for _, reference, _ in utterance["steps"] if reference is not None]
    return Layer(title, " ".join(words), list(_outcomes(utterance)))


def _outcomes(utterance: Record) -> Iterator[Outcome]:
    """Yield each word of the reference, known by its place, and what was added before it or at the end."""
    place = start = n_added = 0
    for what, reference, system in utterance["steps"]:
        kind, title = KINDS[what], str(TITLES[what])
        if reference is None:
            # Over the place between two words; what is added where others have been added already is told apart.
            added = Annotation("", system, ((start, start),), is_own=True)
            yield Outcome(("added", place, n_added), kind, title, None, added, added)
            n_added += 1
            continue
        span = (start, start + len(reference))
        gold = Annotation("", reference, (span,))
        # Of a word that was lost the place is marked, and nothing said.
        heard = Annotation("", system or "", (span,), is_own=what != "hit")
        yield Outcome(("word", place), kind, title, gold, heard, heard)
        place, start, n_added = place + 1, span[1] + 1, 0
