"""Warnings in words: content above the numbers, missing intervals in one sentence."""

import pytest

from evalsite.results.page.notices import notices
from evalsite.submissions.wording import cause_message
from scoring.errors import about
from scoring.findings import Finding
from scoring.messages import Message
from scoring.significance.limits import RESAMPLES_AGREE, undefined_in, without_interval
from tests.factories import PARTLY_RIGHT, make_run, run_files

TITLES = {"f1_b": "F1, relations", "precision_b": "Precision, relations", "ents_f": "F, entities", "recall": "Recall"}


def told(*warnings):
    return [
        (cause_message(cause), cause.further, [(place.file, place.lines) for place in cause.places])
        for cause in notices(warnings, TITLES).causes
    ]


def test_missing_intervals_are_one_sentence_with_titles_instead_of_keys():
    found = notices([without_interval(name, RESAMPLES_AGREE) for name in (*TITLES, "f1")], TITLES)
    assert found.causes == []
    assert found.intervals == ["Where it says “(no interval)”, all resamples agree."]


def test_scores_that_some_resamples_leave_undefined_are_one_sentence():
    warnings = [
        Message("score-undefined", "{score}: {undefined}", score=score, undefined=undefined_in(n, 10_000))
        for score, n in (("f1_b", 12), ("recall", 7))
    ]
    assert notices(warnings, TITLES).intervals == [
        "Undefined in some resamples, at most 12 of 10,000, which are left out of the interval: F1, relations; Recall."
    ]


def test_a_corpus_of_one_unit_has_no_intervals():
    said = Message("no-interval", "no interval: {reason}", reason=Message("one-unit", "one unit"))
    assert notices([said], TITLES).intervals == ["There are no intervals: one unit."]


def test_warnings_about_lines_are_told_by_cause_and_place():
    past = Message("end-past", "END lies past the sentence")
    warnings = [Finding(past, "run/a.txt", line).placed for line in (1, 2, 5)]
    more = Finding(Message("more-labels", "and {n} more labels", n=80), "run/a.txt").placed
    label = Finding(
        Message("no-official-label", "the label {label!r} is none of the official ones", label="x"), "a.txt", 3
    )
    assert told(*about("system", [*warnings, more, label])) == [
        ("END lies past the sentence", "and 80 more labels", [("run/a.txt", "lines 1 to 2 and 5")]),
        ("The label 'x' is none of the official ones", "", [("a.txt", "line 3")]),
    ]


def test_each_label_is_named_however_many_there_are():
    template = "the label {label!r} is none of the official ones"
    warnings = [Finding(Message("x", template, label=f"x{k}"), "a.txt", k).placed for k in range(1, 8)]
    assert len(told(*warnings)) == 7


@pytest.mark.parametrize(
    ("warning", "words"),
    [
        (about("system", ["3 annotations ignored"])[0], "3 annotations ignored"),
        (about("gold", ["sub-folders are not read: x"])[0], "Gold: sub-folders are not read: x"),
        (Message("nothing-found", "nothing was found: F1 is 0"), "Nothing was found: F1 is 0"),
        (
            Message("no-area", "{label}: no area under the curve; 0 in {score}", label="SPORT", score="ents_f"),
            "SPORT: no area under the curve; 0 in “F, entities”",
        ),
        ("f1_b: as it was stored", "F1_b: as it was stored"),
    ],
)
def test_keys_and_sides_of_the_program_are_said_in_words(warning, words):
    assert [message for message, _, _ in told(warning)] == [words]


def test_what_was_done_with_files_is_told_beside_them():
    found = notices(about("files", ["left aside, not read: README.txt"]), TITLES)
    assert (found.causes, found.files) == ([], ["Left aside, not read: README.txt."])


@pytest.mark.django_db
def test_what_was_odd_stands_above_the_numbers_of_a_run(as_alice, phase, team):
    run = make_run(phase, team, run_files("1\t4 8\tconcept\tx\n2\t27 31\tConcept\tx\n", ""))
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert page.index("did you mean Concept?") < page.index('id="position"')
    assert page.count(", all resamples agree.") <= 1
    assert ": no interval: " not in page


@pytest.mark.django_db
def test_what_was_left_aside_is_told_once_beside_the_file(as_alice, phase, team):
    run = make_run(phase, team, PARTLY_RIGHT | {"README.md": "About"})
    assert as_alice.get(run.get_absolute_url()).content.decode().count("Left aside, not read: README.md.") == 1
