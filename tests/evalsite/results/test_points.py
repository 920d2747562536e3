"""Tests where the points of a run are, and what its page shows of several scenarios."""

import re

import pytest
from django.utils import timezone

from evalsite.challenges.models import Phase
from evalsite.challenges.precision import precision_for
from evalsite.results.page.detail import sections_of
from evalsite.results.page.points import MAX_UNFOLDED
from tests.evalsite.board_pages.pages import text
from tests.evalsite.families import make_annotated, make_answered, make_chained, make_parsed
from tests.factories import PARTLY_RIGHT, make_gold, make_run, make_scenario, run_files

pytestmark = pytest.mark.django_db


@pytest.fixture
def read(client, alice):
    def page(run, **query) -> str:
        client.force_login(alice)
        return client.get(run.get_absolute_url(), query).content.decode()

    return page


def points(page: str) -> str:
    return text(
        page.partition("Where the points are")[2].partition("What changed")[0].partition('<details class="fold')[0]
    )


def test_the_page_says_what_each_kind_of_mistake_costs(read, scored_submission):
    Phase.objects.update(closes=timezone.now())  # while uploads come, labels of few items tell nothing
    # 3 of 7 items right and one phrase with another label, of 5 in the run: F1 = 2 · 3 / 12.
    said = points(read(scored_submission))
    assert "F1 is 0.500" in said
    assert "Missing relations found 2 +0.214 0.714" in said
    assert "Phrases with another label given the right one 1 +0.167 0.667" in said
    assert "Key phrases by label Gain Gain, drawn Score" in said


@pytest.mark.thorough
def test_a_label_is_named_as_it_is(read, phase, scenario, team):
    make_gold(phase, scenario, run_files("1\t4 8\t<b>Con\tx\n2\t27 31\tConcept\tx\n", ""))
    run = make_run(phase, team, run_files("1\t27 31\tConcept\tx\n", ""))
    page = read(run)
    assert "&lt;b&gt;Con" in page
    assert "<b>Con" not in page


def test_a_perfect_run_has_no_points_to_gain(read, phase, team):
    assert "Where the points are" not in read(make_run(phase, team, run_files()))


@pytest.mark.parametrize("make", [make_answered, make_annotated, make_chained, make_parsed])
def test_runs_of_all_families_say_where_their_points_are(as_alice, olga, team, alice, make):
    made = make(olga, team, alice)
    page = as_alice.get(made.get_absolute_url()).content.decode()
    assert "Where the points are" in page
    assert "<dt>" in page.partition("Counts that the scores come from")[2]


@pytest.mark.thorough
def test_bars_are_drawn_from_the_numbers_that_are_told(phase, scored_submission):
    from_zero = re.compile(r"^\d+\.\d{0,4}$")
    for section in sections_of(scored_submission, 1):
        bars = [bar for group in section.points.groups for bar in group.bars]
        assert bars
        precision = precision_for(1, phase, section.scenario)
        largest = max(bar.gain for bar in bars)
        for bar in bars:
            assert from_zero.match(str(bar.gain))
            assert bar.gain == precision.of(bar.gain)
            assert bar.share == round(100 * bar.gain / largest, 2)


@pytest.mark.thorough
def test_of_many_labels_the_further_ones_are_folded(read, phase, scenario, team):
    phrases = "".join(
        f"{k + 1}\t{start} {end}\tLabel{k}\tx\n"
        for k, (start, end) in enumerate([(4, 8), (9, 22), (23, 26), (27, 31), (32, 36), (37, 42), (43, 46)])
    )
    make_gold(phase, scenario, run_files(phrases, ""))
    run = make_run(phase, team, run_files("", ""))
    Phase.objects.filter(pk=phase.pk).update(gold_released=True)
    page = read(run)
    assert f"{7 - MAX_UNFOLDED} more" in text(page)


@pytest.fixture
def second_scenario(task, phase):
    second = make_scenario(task, 2)
    make_gold(phase, second)
    return second


def test_one_scenario_is_shown_and_links_lead_to_the_others(read, phase, team, scenario, second_scenario):
    partly = {"output_a_scenario2.txt": PARTLY_RIGHT["output_a_scenario1.txt"], "output_b_scenario2.txt": ""}
    files = run_files(scenarios=(1, 2)) | partly
    run = make_run(phase, team, files)
    first, second, unknown = read(run), read(run, scenario=2), read(run, scenario="x")
    assert 'href="?scenario=2"' in first
    assert re.search(r'href="\?scenario=1"\s+aria-current="page"', first)
    assert re.search(r'href="\?scenario=2"\s+aria-current="page"', second)
    assert re.search(r'href="\?scenario=1"\s+aria-current="page"', unknown)
    assert "Where the points are" in second
    assert "Where the points are" not in first
    assert first.count('class="position"') == second.count('class="position"') == 1


@pytest.mark.thorough
def test_a_run_of_one_scenario_has_no_links_to_scenarios(read, scored_submission):
    assert "?scenario=" not in read(scored_submission).partition('id="position"')[0]


@pytest.mark.thorough
def test_what_does_not_exist_in_a_scenario_is_left_out(read, phase, team, second_scenario):
    files = run_files(PARTLY_RIGHT["output_a_scenario1.txt"], "", scenarios=(2,))
    page = read(make_run(phase, team, files, scenarios=[second_scenario]))
    assert "Phrases, correct" in page
    assert "Relations, correct" not in page
    assert "F1, phrases" not in page
    assert "F1, relations" not in page


def test_the_score_that_ranks_is_marked_and_said(read, scored_submission):
    page = text(read(scored_submission))
    assert "★ F1 decides the place" in page
    assert page.count("decides the place") == 2  # beside the score and above the table


@pytest.mark.thorough
def test_warnings_are_those_of_the_scenario_that_is_shown(read, phase, team, second_scenario):
    files = run_files(scenarios=(1, 2)) | {"output_a_scenario2.txt": "1\t4 8\tconcept\tx\n2\t27 31\tConcept\tx\n"}
    run = make_run(phase, team, files | {"output_b_scenario2.txt": ""})
    assert "did you mean Concept?" not in read(run, scenario=1)
    assert "did you mean Concept?" in read(run, scenario=2)


@pytest.mark.thorough
def test_organisers_read_the_same_points_in_full_precision(phase, scored_submission):
    Phase.objects.filter(pk=phase.pk).update(gold_released=True)
    scored_submission.refresh_from_db()
    scored_submission.phase.refresh_from_db()
    (section,) = sections_of(scored_submission, 1)
    gains = [bar.gain for group in section.points.groups for bar in group.bars]
    assert any(round(gain, 4) != gain for gain in gains)


def test_lists_of_answers_are_not_looked_at_one_by_one_while_the_gold_is_hidden(read, olga, team, alice):
    run = make_answered(olga, team, alice, task=2)
    titles = ("Missing answers found", "Outputs that earn nothing left out")
    hidden = read(run)
    Phase.objects.filter(pk=run.phase_id).update(gold_released=True)
    opened = read(run)
    assert not any(title in hidden for title in titles)
    assert any(title in opened for title in titles)
