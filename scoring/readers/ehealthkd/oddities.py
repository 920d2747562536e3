"""Warnings about what is accepted, because the challenge's program accepts it, and yet is hardly meant."""

import re

import numpy as np

from scoring.columns import Integers, owners
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.ehealthkd.columns import Phrases, RawRelations, Relations
from scoring.readers.ehealthkd.sentences import Sentences
from scoring.readers.problems import cut

# Any label is scored; these are the ones that the challenge has defined.
PHRASE_LABELS = ("Concept", "Action", "Predicate", "Reference")
RELATION_LABELS = (
    "is-a",
    "same-as",
    "has-property",
    "part-of",
    "causes",
    "entails",
    "in-time",
    "in-place",
    "in-context",
    "subject",
    "target",
    "domain",
    "arg",
)
# Warnings of one kind about one file; more of them would push the others off the page.
WARNED = 20
_SHOWN = 40


def odd_phrases(phrases: Phrases, sentences: Sentences, file: str) -> list[Finding]:
    """Name spans that leave their sentence or are empty, and labels outside the official set."""
    owner = owners(np.diff(phrases.first))  # the phrase of each span
    length = sentences.lengths[phrases.sentence[owner]]
    line = phrases.line[owner]
    return [
        *_at_lines(Message("end-lies-past-sentence", "END lies past the sentence"), line[phrases.ends > length], file),
        *_at_lines(
            Message("start-lies-before-sentence", "START lies before the sentence"), line[phrases.starts < 0], file
        ),
        *_at_lines(
            Message("span-empty-reversed", "a span is empty or reversed"), line[phrases.ends <= phrases.starts], file
        ),
        *_odd_labels(phrases.labels, phrases.label, phrases.line, PHRASE_LABELS, file),
    ]


def odd_relations(raw: RawRelations, relations: Relations, file: str) -> list[Finding]:
    """Name relations that do not count, between two sentences or repeated, and labels outside the official set."""
    warnings = [
        *_at_lines(
            Message("relation-joins-two-sentences", "the relation joins two sentences and is left out"),
            relations.outside,
            file,
        ),
        *_odd_labels(raw.labels, raw.label, raw.lines - 1, RELATION_LABELS, file),
    ]
    n_repeated = len(relations) - int(np.count_nonzero(relations.is_new))
    if n_repeated:
        warnings.append(
            Finding(
                Message(
                    "relations-repeat-another-one",
                    "relations that repeat another one and do not count: {n_repeated}",
                    n_repeated=n_repeated,
                ),
                file,
            )
        )
    return warnings


def _at_lines(message: str, lines: Integers, file: str) -> list[Finding]:
    """Return one warning a line, given by its index, however many spans of it are odd."""
    return cut([Finding(message, file, int(k) + 1) for k in np.flatnonzero(np.bincount(lines))], WARNED, file)


def _odd_labels(
    labels: list[str], label: Integers, line: Integers, official: tuple[str, ...], file: str
) -> list[Finding]:
    """Return one warning a label, at its first line."""
    odd = [code for code in np.flatnonzero(np.bincount(label)).tolist() if labels[code] not in official]
    meant = {_folded(name): name for name in official}
    warnings = [
        Finding(_odd_label(labels[code], meant.get(_folded(labels[code]))), file, int(line[label == code].min()) + 1)
        for code in odd[:WARNED]
    ]
    return warnings + (
        [Finding(Message("more-labels", "and {n} more labels", n=len(odd) - WARNED), file)] if odd[WARNED:] else []
    )


def _odd_label(label: str, meant: str | None) -> str:
    if meant is None:
        return Message("label-not-official", "the label {label!r} is none of the official ones", label=label[:_SHOWN])
    return Message(
        "label-none-official-ones",
        "the label {label!r} is none of the official ones: did you mean {meant}?",
        label=label[:_SHOWN],
        meant=meant,
    )


def _folded(label: str) -> str:
    """Return the label without case, and with one sign between its words."""
    return re.sub(r"[\W_]+", "-", label[:_SHOWN].casefold())
