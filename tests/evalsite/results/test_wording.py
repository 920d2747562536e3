"""The sentences of the pages of a result, as one reads them."""

from datetime import timedelta

import pytest
from django.utils.html import strip_tags

from evalsite.results.page.wording import (
    answers_apart,
    answers_found,
    entities_apart,
    how_averaged,
    queue_before,
    spans_apart,
)
from evalsite.submissions.lifecycle.waiting import QueuePosition


def test_the_queue_tells_what_is_before_a_scoring_and_how_long_it_takes():
    assert strip_tags(queue_before(QueuePosition(3, None))) == "2 ahead of it in the queue."
    assert (
        strip_tags(queue_before(QueuePosition(3, timedelta(seconds=12.6))))
        == "2 ahead of it in the queue, about 10 seconds."
    )


@pytest.mark.parametrize(
    ("options", "counts", "words"),
    [
        (
            {"protocol": "reference", "singletons": "keep"},
            {},
            "Counts of all documents are summed, as the CoNLL reference scorer does.",
        ),
        (
            {"protocol": "mentions", "singletons": "remove"},
            {},
            "Documents are averaged by their mentions: protocol mentions. "
            "Entities of one mention are left out on both sides.",
        ),
        (
            {"protocol": "reference", "singletons": "keep", "match": "head"},
            {},
            "Counts of all documents are summed, as the CoNLL reference scorer does. "
            "Mentions match by their heads, as in the CorefUD scorer.",
        ),
        (
            {"protocol": "scorch", "singletons": "keep"},
            {"added_singletons": 1},
            "Documents are averaged by their mentions, after mentions that only the system has were added to the gold "
            "as singletons: protocol scorch. 1 singleton of the system was added to the gold.",
        ),
        (
            {"protocol": "reference", "singletons": "keep"},
            {"added_singletons": 2},
            "Counts of all documents are summed, as the CoNLL reference scorer does. "
            "2 singletons of the system were added to the gold.",
        ),
    ],
)
def test_coreference_says_how_documents_are_averaged(options, counts, words):
    assert strip_tags(how_averaged(options, counts)) == words


def test_a_protocol_is_escaped():
    assert "<code>&lt;b&gt;</code>" in how_averaged({"protocol": "<b>", "singletons": "keep"}, {})


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({}, ""),
        ({"unsupported": 0, "absent_questions": 0}, ""),
        ({"unsupported": 1}, "1 right answer came with an article that the gold does not have for it."),
        ({"unsupported": 2}, "2 right answers came with an article that the gold does not have for them."),
        ({"absent_questions": 1}, "1 question is not in the run."),
        (
            {"absent_questions": 5, "absent_credited": 2},
            "5 questions are not in the run, which is right for 2 of them, as the gold has no answer.",
        ),
        (
            {"ignored_questions": 1, "ignored_outputs": 1},
            "1 of the run's questions is not scored here. 1 answer after the fifth was left out.",
        ),
        (
            {"ignored_questions": 3, "ignored_outputs": 4},
            "3 of the run's questions are not scored here. 4 answers after the fifth were left out.",
        ),
    ],
)
def test_qac_says_which_answers_count_otherwise(counts, words):
    assert strip_tags(answers_apart(counts)) == words


def test_a_question_says_how_many_answers_were_found():
    assert answers_found({"correct": 1, "answers": 1, "outputs": 1}) == "1 of 1 answer found by 1 output."
    assert answers_found({"correct": 0, "answers": 2, "outputs": 3}) == "0 of 2 answers found by 3 outputs."


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({"ents_off_boundary": 0}, ""),
        ({"ents_off_boundary": 1}, "1 of the system begins or ends inside a token and counts as wrong."),
        ({"ents_off_boundary": 2}, "2 of the system begin or end inside a token and count as wrong."),
        ({"ents_dropped": 1}, "1 of the system has no token of the gold and is left out."),
        (
            {"ents_dropped": 3, "ents_ignored": 1},
            "3 of the system have no token of the gold and are left out. "
            "1 touches tokens of which the gold says nothing, and is left out.",
        ),
        ({"ents_ignored": 2}, "2 touch tokens of which the gold says nothing, and are left out."),
    ],
)
def test_spacy_says_which_entities_do_not_fit_the_tokens(counts, words):
    assert strip_tags(entities_apart(counts)) == words


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({}, ""),
        (
            {"dropped": 1},
            "1 span of the system has no counterpart in the gold's tokens and is left out of the scores.",
        ),
        (
            {"dropped": 2, "ignored": 1},
            "2 spans of the system have no counterpart in the gold's tokens and are left out of the scores. "
            "1 touches tokens of which the gold says nothing, and is left out of the scores.",
        ),
    ],
)
def test_a_document_says_which_spans_are_left_out(counts, words):
    assert strip_tags(spans_apart(counts)) == words
