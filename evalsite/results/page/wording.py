"""Sentences on the pages of a result whose grammar hangs on its numbers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from evalsite.results.page.detail import Section
from evalsite.submissions.lifecycle.waiting import QueuePosition
from evalsite.wording import amount, number, roughly, sentences

Counts = Mapping[str, Any]


def queue_before(place: QueuePosition) -> SafeString:
    """Say how many scorings run before this one, and how long they are likely to take."""
    before = number(amount(place.position - 1))
    if not place.wait:
        return format_html(gettext("{n} ahead of it in the queue."), n=before)
    return format_html(gettext("{n} ahead of it in the queue, about {wait}."), n=before, wait=roughly(place.wait))


def states_said(sections: Sequence[Section]) -> SafeString:
    """Say the state of each scenario, for those who hear a page change."""
    states = [f"{section.scenario}: {section.scoring.get_state_display().lower()}." for section in sections]
    return sentences(states)


def how_averaged(options: Counts, counts: Counts) -> SafeString:
    """Say how a coreference result is made of its documents, and which mentions were put in or left out for it."""
    return sentences(_averaging(options, counts))


def _averaging(options: Counts, counts: Counts) -> Iterator[str]:
    if options["protocol"] == "reference":
        yield gettext("Counts of all documents are summed, as the CoNLL reference scorer does.")
    elif options["protocol"] == "scorch":
        sentence = gettext(
            "Documents are averaged by their mentions, after mentions that only the system has were added to the gold "
            "as singletons: protocol <code>{protocol}</code>."
        )
        yield format_html(sentence, protocol="scorch")
    else:
        sentence = gettext("Documents are averaged by their mentions: protocol <code>{protocol}</code>.")
        yield format_html(sentence, protocol=options["protocol"])
    if options["singletons"] == "remove":
        yield gettext("Entities of one mention are left out on both sides.")
    if options.get("match") == "head":
        yield gettext("Mentions match by their heads, as in the CorefUD scorer.")
    elif options.get("match") == "partial":
        yield gettext("Mentions match in part if they hold the head of the gold's, as in the CorefUD scorer.")
    if added := counts.get("added_singletons"):
        yield _with_number(
            ngettext(
                "{n} singleton of the system was added to the gold.",
                "{n} singletons of the system were added to the gold.",
                added,
            ),
            added,
        )


def answers_apart(counts: Counts) -> SafeString:
    """Name the questions and answers of a QAC run that count otherwise than one may expect."""
    return sentences(_answers_apart(counts))


def _answers_apart(counts: Counts) -> Iterator[str]:
    if unsupported := counts.get("unsupported"):
        yield _with_number(
            ngettext(
                "{n} right answer came with an article that the gold does not have for it.",
                "{n} right answers came with an article that the gold does not have for them.",
                unsupported,
            ),
            unsupported,
        )
    if absent := counts.get("absent_questions"):
        yield _absent(absent, counts.get("absent_credited"))
    if ignored := counts.get("ignored_questions"):
        yield _with_number(
            ngettext(
                "{n} of the run's questions is not scored here.",
                "{n} of the run's questions are not scored here.",
                ignored,
            ),
            ignored,
        )
    if ignored := counts.get("ignored_outputs"):
        yield _with_number(
            ngettext("{n} answer after the fifth was left out.", "{n} answers after the fifth were left out.", ignored),
            ignored,
        )


def _absent(absent: int, credited: int | None) -> SafeString:
    if not credited:
        return _with_number(
            ngettext("{n} question is not in the run.", "{n} questions are not in the run.", absent), absent
        )
    sentence = ngettext(
        "{n} question is not in the run, which is right for {credited} of them, as the gold has no answer.",
        "{n} questions are not in the run, which is right for {credited} of them, as the gold has no answer.",
        absent,
    )
    return format_html(sentence, n=number(amount(absent)), credited=number(amount(credited)))


def answers_found(question: Counts) -> str:
    """Say how many of the gold's answers to a question were found, and by how many outputs."""
    answers = ngettext("%(n)s answer", "%(n)s answers", question["answers"]) % {"n": amount(question["answers"])}
    outputs = ngettext("%(n)s output", "%(n)s outputs", question["outputs"]) % {"n": amount(question["outputs"])}
    # Translators: "2 of 3 answers found by 5 outputs."
    sentence = gettext("%(correct)s of %(answers)s found by %(outputs)s.")
    return sentence % {"correct": amount(question["correct"]), "answers": answers, "outputs": outputs}


def entities_apart(counts: Counts) -> SafeString:
    """Name the entities of a spaCy system that count as wrong, or not at all, as they do not fit the gold's tokens."""
    return sentences(_entities_apart(counts))


def _entities_apart(counts: Counts) -> Iterator[str]:
    if off_boundary := counts.get("ents_off_boundary"):
        yield _with_number(
            ngettext(
                "{n} of the system begins or ends inside a token and counts as wrong.",
                "{n} of the system begin or end inside a token and count as wrong.",
                off_boundary,
            ),
            off_boundary,
        )
    if dropped := counts.get("ents_dropped"):
        yield _with_number(
            ngettext(
                "{n} of the system has no token of the gold and is left out.",
                "{n} of the system have no token of the gold and are left out.",
                dropped,
            ),
            dropped,
        )
    if ignored := counts.get("ents_ignored"):
        yield _with_number(
            ngettext(
                "{n} touches tokens of which the gold says nothing, and is left out.",
                "{n} touch tokens of which the gold says nothing, and are left out.",
                ignored,
            ),
            ignored,
        )


def spans_apart(counts: Counts) -> SafeString:
    """Name the spans of one document that take no part in the scores: `dropped`, `ignored`."""
    return sentences(_spans_apart(counts))


def _spans_apart(counts: Counts) -> Iterator[str]:
    if dropped := counts.get("dropped"):
        yield _with_number(
            ngettext(
                "{n} span of the system has no counterpart in the gold's tokens and is left out of the scores.",
                "{n} spans of the system have no counterpart in the gold's tokens and are left out of the scores.",
                dropped,
            ),
            dropped,
        )
    if ignored := counts.get("ignored"):
        yield _with_number(
            ngettext(
                "{n} touches tokens of which the gold says nothing, and is left out of the scores.",
                "{n} touch tokens of which the gold says nothing, and are left out of the scores.",
                ignored,
            ),
            ignored,
        )


def _with_number(sentence: str, n: int) -> SafeString:
    return format_html(sentence, n=number(amount(n)))
