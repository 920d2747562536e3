"""The pages of a run of transcripts: its speakers and errors, an utterance word by word, and two runs of it."""

import pytest
from django.urls import reverse

from evalsite.challenges.models import Phase
from evalsite.challenges.option_words import options_in_words
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.results.three_way.comparing import three_way
from evalsite.results.three_way.transcripts import layers
from tests.evalsite.families import HEARD, make_transcribed
from tests.factories import make_run, make_scenario, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(olga, team, alice):
    return make_transcribed(olga, team, alice)


def test_speakers_are_told_and_words_wait_until_the_gold_may_be_seen(words, run):
    page = words(reverse("submission", args=[run.pk]))
    assert "11 of 14 words are right. 2 are substituted, 1 deleted, 1 inserted." in page
    assert "Speaker by speaker" in page
    assert "Words that went wrong" not in page
    Phase.objects.filter(pk=run.phase_id).update(gold_released=True)
    page = words(reverse("submission", args=[run.pk]))
    assert "Words taken for others Reference System Count is was 1 nine mine 1" in page
    assert "Words missing Word Count the 1" in page
    assert "Words added Word Count now 1" in page


def test_an_utterance_is_shown_word_by_word(words, run):
    Phase.objects.filter(pk=run.phase_id).update(gold_released=True)
    page = words(reverse("submission_unit", args=[run.pk, 1, "a-1"]))
    assert "3 right, 0 substituted, 1 deleted, 1 inserted. Speaker: anna ." in page
    assert "mind mind the – D gap gap please please – now I" in page
    assert "Mind the &#x27;gap&#x27;, please" in page
    assert "Both sides are silent." in words(reverse("submission_unit", args=[run.pk, 1, "a-2"]))


def test_the_utterances_behind_a_word_are_listed(words, run):
    Phase.objects.filter(pk=run.phase_id).update(gold_released=True)
    address = reverse("submission_units", args=[run.pk, 1])
    assert "the: deletions" in (page := words(f"{address}?of=deletions&row=the&column=count"))
    assert "a-1" in page
    assert "nine taken for mine" in (page := words(f"{address}?of=confusions&row=nine&column=mine"))
    assert "b-3" in page


def test_two_runs_are_compared_word_by_word(words, run, team):
    other = make_run(run.phase, team, {"run.tsv": HEARD.replace("mind gap", "mind a gap")})
    Phase.objects.filter(pk=run.phase_id).update(gold_released=True)
    refresh(Board.objects.select_related("phase", "scenario").get())
    address = reverse("board_compare_unit", args=[run.phase.task.slug, run.phase.slug, 1, "a-1"])
    page = words(f"{address}?a={run.pk}&b={other.pk}")
    assert "They differ in 1 and agree in 4." in page
    assert "1 the × Deletion × Substitution a" in page


def test_what_is_added_stands_between_the_words_that_it_was_heard_between():
    steps = [["hit", "a", "a"], ["insertion", None, "uh"], ["insertion", None, "oh"], ["substitution", "b", "c"]]
    record = {"utterances": [{"utterance": "u1", "steps": steps}]}
    silent = {"utterances": [{"utterance": "u1", "steps": [["deletion", "a", None], ["hit", "b", "b"]]}]}
    [section] = three_way(layers(record), layers(silent))
    assert [(row.gold and row.gold.content, row.first and row.first.system.content) for row in section.rows] == [
        ("a", "a"),
        (None, "uh"),
        (None, "oh"),
        ("b", "c"),
    ]
    [passage] = section.passages
    said = {side: [mark.content for piece in pieces for mark in piece.marks] for side, pieces in passage.sides}
    assert said == {"gold": ["", ""], "first": ["", "uh", "oh", "c"], "second": ["", ""]}


def test_the_normalisation_is_told_in_words():
    options = {"case": "lower", "punctuation": "remove", "keep_marks": "'", "map": {"uh": "", "ok": "okay"}}
    scenario = make_scenario(make_task(), family="transcripts", options=options)
    said = "without regard to capitals; without punctuation; of punctuation ' stays; ok → okay, uh → ∅"
    assert options_in_words(scenario) == said
