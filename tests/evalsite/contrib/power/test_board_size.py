"""Tests how large a test has to be: the organisers' page, and what stands where gold is added."""

import re
import secrets

import pytest
from django.urls import reverse

from evalsite.board_pages.board.power import plans_of
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Result, Submission
from tests.evalsite.board_pages.pages import page, text
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare
from tests.factories import make_gold, make_phase, make_scenario, make_task, run_files, zip_upload

pytestmark = pytest.mark.django_db

N_SENTENCES = 30
PATH = "/tasks/large/test/board/1/size/"


def files(n_found: int, n_sentences: int = N_SENTENCES) -> dict[str, str]:
    """Sentences of one word; the first ones have their phrase."""
    phrases = "".join(f"{k + 1}\t{6 * k} {6 * k + 5}\tConcept\tdolor\n" for k in range(n_found))
    return run_files(phrases, "", sentences="dolor\n" * n_sentences)


@pytest.fixture
def large(olga):
    """A phase whose gold has thirty sentences."""
    task = make_task("large", organiser=olga)
    scenario = make_scenario(task)
    phase = make_phase(task)
    make_gold(phase, scenario, files(N_SENTENCES))
    return phase


def board_of(phase, scores=(0.8, 0.79, 0.5)):
    scenario = phase.task.scenarios.get()
    teams = make_teams(phase, *(f"{phase.slug} {number}" for number in range(len(scores))))
    named = zip(teams, scores, strict=True)
    edition = make_board(
        phase, scenario, [make_entry(each, score, rank) for rank, (each, score) in enumerate(named, 1)]
    )
    compare(edition, scenario)
    return edition


def send(client, first, second, **fields):
    given = {"first": zip_upload(first, "first.zip"), "second": zip_upload(second, "second.zip"), "n_systems": 10}
    return client.post(PATH, given | fields)


def test_two_runs_of_the_organisers_say_it_before_there_are_any(as_olga, large):
    assert "No two ranked runs differ yet." in text(page(as_olga, path=PATH))
    answer = send(as_olga, files(25), files(18))

    assert answer.status_code == 200
    said = text(answer.content.decode())
    found = re.search(
        r"With 30 sentences, a difference of about (0\.\d+) is detected four times out of five, and one of "
        r"(0\.\d+) half of the time, on a board of 10 systems\.",
        said,
    )
    assert float(found[1]) > float(found[2]) > 0.1
    rows = re.findall(
        r"<th scope=\"row\" class=\"num\">([\d.]+)</th>\s*<td class=\"num\">\s*([\d,]+)", str(answer.content.decode())
    )
    assert [size for size, _ in rows] == ["0.005", "0.010", "0.020", "0.050"]
    needed = [int(n.replace(",", "")) for _, n in rows]
    assert needed == sorted(needed, reverse=True)
    assert needed[-1] > 30


def test_more_teams_make_it_harder(as_olga, large):
    few, many = (send(as_olga, files(25), files(18), n_systems=k).content.decode() for k in (2, 50))

    size = [float(re.search(r"a difference of about (0\.\d+)", text(html))[1]) for html in (few, many)]

    assert size[0] < size[1]


def test_nothing_of_the_two_runs_is_stored(as_olga, large, settings):
    before = sorted(settings.MEDIA_ROOT.rglob("*"))

    assert send(as_olga, files(25), files(18)).status_code == 200

    assert not Submission.objects.exists()
    assert not Result.objects.exists()
    assert not Board.objects.exists()
    assert sorted(settings.MEDIA_ROOT.rglob("*")) == before


def test_a_run_that_is_refused_is_blamed_by_its_field(as_olga, large):
    answer = send(as_olga, files(25), {"notes.txt": "nothing"})

    assert answer.status_code == 422
    said = text(answer.content.decode())
    assert "Second run: " in said
    assert "First run: " not in said


def test_the_two_may_be_as_large_as_uploads(as_olga, large):
    notes = {"README.md": secrets.token_hex(200_000)}  # which no compression makes small
    assert send(as_olga, files(25) | notes, files(18) | notes).status_code == 200


def test_two_equal_runs_say_nothing(as_olga, large):
    answer = send(as_olga, files(25), files(25))

    assert answer.status_code == 422
    assert "Nothing can be concluded from these two: they do not differ" in text(answer.content.decode())


def test_files_are_needed(as_olga, large):
    assert as_olga.post(PATH, {"n_systems": 1}).status_code == 422


def test_a_gold_of_few_units_is_told_so(as_olga, phase):
    said = text(page(as_olga, path="/tasks/health/test/board/1/size/"))

    assert "This test has 2 sentences: with fewer than 20 no difference counts as real." in said


def test_from_runs_so_far_it_is_told_for_the_units_of_the_gold(as_olga, large):
    edition = board_of(large)

    said = text(page(as_olga, path=PATH))

    assert "With 30 sentences, a difference of about" in said
    plan = plans_of(large.task)[large.pk, edition.board.scenario_id]
    assert plan.test.se == pytest.approx(edition.comparison["power"]["se"] * (120 / 30) ** 0.5)


def test_the_runs_of_another_phase_stand_in_before_there_are_any(as_olga, large):
    earlier = make_phase(large.task, "development")
    board_of(earlier)

    assert "This is estimated from the runs of Development" in text(page(as_olga, path=PATH))
    board_of(large)
    assert "suggest" not in text(page(as_olga, path=PATH))


def test_the_form_of_gold_says_it_on_the_desk(as_olga, large):
    board_of(large)

    form = text(page(as_olga, path=reverse("desk_gold_add", args=[large.task.slug, large.slug])))

    assert "How large a gold has to be" in form
    assert "With 30 sentences, a difference of about" in form


def test_plans_cost_the_same_however_many_boards_there_are(large, django_assert_num_queries):
    board_of(large)
    for number in range(3):
        board_of(make_phase(large.task, f"phase-{number}"))
    with django_assert_num_queries(2):
        assert len(plans_of(large.task)) == 4
