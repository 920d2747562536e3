"""Sentences on the pages of a result whose grammar hangs on its numbers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from evalsite.results.detail import Section
from evalsite.submissions.services import Place
from evalsite.wording import number, roughly, sentences

Counts = Mapping[str, Any]


def queue_before(place: Place) -> SafeString:
    """How many scorings run before this one, and how long they are likely to take."""
    before = format_html("{} before it in the queue", number(place.position - 1))
    if not place.wait:
        return format_html("{}.", before)
    return format_html("{}, about {}.", before, roughly(place.wait))


def states_said(sections: Sequence[Section]) -> SafeString:
    """The state of each scenario in words, for those who hear a page change."""
    said = [f"{section.scenario}: {section.scoring.get_state_display().lower()}." for section in sections]
    return sentences(said)


def how_averaged(options: Counts, counts: Counts) -> SafeString:
    """How a coreference result is made of its documents, and which mentions were put in or left out for it."""
    return sentences(_averaging(options, counts))


def _averaging(options: Counts, counts: Counts) -> Iterator[str]:
    if options["protocol"] == "reference":
        yield "Counts of all documents are summed, as the CoNLL reference scorer does."
    elif options["protocol"] == "scorch":
        yield format_html(
            "Documents are averaged by their mentions, after mentions that only the system has were added to the "
            "gold as singletons: protocol <code>{}</code>.",
            "scorch",
        )
    else:
        yield format_html("Documents are averaged by their mentions: protocol <code>{}</code>.", options["protocol"])
    if options["singletons"] == "remove":
        yield "Entities of one mention are left out on both sides."
    if added := counts.get("added_singletons"):
        were = "singleton of the system was" if added == 1 else "singletons of the system were"
        yield format_html("{} {} added to the gold.", number(added), were)


def answers_apart(counts: Counts) -> SafeString:
    """The questions and answers of a QAC run that count otherwise than one may expect."""
    return sentences(_answers_apart(counts))


def _answers_apart(counts: Counts) -> Iterator[str]:
    if unsupported := counts.get("unsupported"):
        answers, them = ("answer", "it") if unsupported == 1 else ("answers", "them")
        yield format_html(
            "{} right {} came with an article that the gold does not have for {}.", number(unsupported), answers, them
        )
    if absent := counts.get("absent_questions"):
        are = "question is" if absent == 1 else "questions are"
        credited = counts.get("absent_credited")
        why = format_html(", which is right for {} of them, as the gold has no answer", number(credited))
        yield format_html("{} {} not in the run{}.", number(absent), are, why if credited else "")
    if ignored := counts.get("ignored_questions"):
        yield format_html(
            "{} of the run's questions {} not scored here.", number(ignored), "is" if ignored == 1 else "are"
        )
    if ignored := counts.get("ignored_outputs"):
        answers, were = ("answer", "was") if ignored == 1 else ("answers", "were")
        yield format_html("{} {} after the fifth {} left out.", number(ignored), answers, were)


def answers_found(question: Counts) -> str:
    """How many of the gold's answers to a question were found, and by how many outputs."""
    answers, outputs = question["answers"], question["outputs"]
    return (
        f"{question['correct']} of {answers} answer{'' if answers == 1 else 's'} "
        f"found by {outputs} output{'' if outputs == 1 else 's'}."
    )


def entities_apart(counts: Counts) -> SafeString:
    """The entities of a spaCy system that count as wrong, or not at all, since they do not fit the gold's tokens."""
    return sentences(_entities_apart(counts))


def _entities_apart(counts: Counts) -> Iterator[str]:
    if off_boundary := counts.get("ents_off_boundary"):
        begin, count = ("begins or ends", "counts") if off_boundary == 1 else ("begin or end", "count")
        yield format_html("{} of the system {} inside a token and {} as wrong.", number(off_boundary), begin, count)
    if dropped := counts.get("ents_dropped"):
        have, are = ("has", "is") if dropped == 1 else ("have", "are")
        yield format_html("{} of the system {} no token of the gold and {} left out.", number(dropped), have, are)
    if ignored := counts.get("ents_ignored"):
        yield _beside_the_gold(ignored, "left out")


def spans_apart(counts: Counts) -> SafeString:
    """The spans of one document that take no part in the scores: `dropped`, `ignored`."""
    return sentences(_spans_apart(counts))


def _spans_apart(counts: Counts) -> Iterator[str]:
    if dropped := counts.get("dropped"):
        spans, have, are = ("span", "has", "is") if dropped == 1 else ("spans", "have", "are")
        yield format_html(
            "{} {} of the system {} no counterpart in the gold's tokens and {} left out of the scores.",
            number(dropped),
            spans,
            have,
            are,
        )
    if ignored := counts.get("ignored"):
        yield _beside_the_gold(ignored, "left out of the scores")


def _beside_the_gold(ignored: int, left_out: str) -> SafeString:
    touch, are = ("touches", "is") if ignored == 1 else ("touch", "are")
    return format_html("{} {} tokens of which the gold says nothing, and {} {}.", number(ignored), touch, are, left_out)
