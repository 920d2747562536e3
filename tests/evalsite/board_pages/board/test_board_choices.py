"""Tests what a visitor of the ranked page chooses: its columns, its day, a team's runs."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import pytest
from django.utils import timezone

from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, Edition
from evalsite.submissions.lifecycle.candidates import publish, queue_batch
from evalsite.submissions.models import Scoring
from evalsite.submissions.runs import changing
from tests.evalsite.board_pages.pages import PATH, cells, headings, names, page, rows, text
from tests.evalsite.leaderboard.boards import NOW, make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare
from tests.factories import PARTLY_RIGHT, PARTLY_RIGHT_PHRASES, make_gold, make_run, run_files, work_off


@pytest.fixture
def edition(phase, scenario):
    first, second = make_teams(phase, "First", "Second")
    made = make_board(phase, scenario, [make_entry(first, 0.7, 1), make_entry(second, 0.4, 2)])
    compare(made, scenario)
    return made


# Columns


def test_the_usual_columns(client, edition):
    assert headings(page(client)) == [
        *("Place", "Group", "Team", "F1", "(chart)", "To the leader", "Precision", "Recall", "Runs", "Uploaded"),
    ]


@pytest.mark.parametrize(
    "query", ["columns=best,recall", "columns=recall&columns=best", "columns=&columns=best,recall,x"]
)
def test_columns_are_chosen_in_the_address(client, edition, query):
    html = page(client, f"?{query}")

    assert headings(html) == ["Place", "Team", "F1", "Best, share of resamples", "Recall"]
    assert set(re.findall(r'value="([^"]*)" checked', html)) == {"best", "recall"}


def test_all_columns_can_be_left_out_but_place_team_and_score(client, edition):
    assert headings(page(client, "?columns=")) == ["Place", "Team", "F1"]


def test_the_chance_to_be_the_best_and_the_p_value_are_shown_when_asked_for(client, edition):
    html = page(client, "?columns=best,p")

    assert cells(html, "num further") == ["", "1.0", "0.0025", "0.000"]


def test_chosen_columns_stay_while_one_searches_and_sorts(client, edition):
    html = page(client, "?columns=recall&columns=runs&q=first&sort=-runs&on=2026-12-31")

    search = re.search(r'<form class="board-search".*?</form>', html, re.DOTALL)[0]
    kept = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', search)
    assert kept == [("columns", "recall"), ("columns", "runs"), ("sort", "-runs"), ("on", "2026-12-31")]
    assert 'href="?columns=recall&amp;columns=runs&amp;q=first&amp;on=2026-12-31&amp;sort=place"' in html


@pytest.mark.parametrize("query", ["columns=" + 3000 * "a,", "columns=f1", "columns=headline,scores,team"])
def test_unknown_columns_are_passed_over(client, edition, query):
    assert headings(page(client, f"?{query}")) == ["Place", "Team", "F1"]


def test_scores_that_are_stored_apart_are_shown_when_asked_for(client, phase, scenario, scored_submission):
    refresh(Board.objects.get())
    stored = Edition.objects.get()
    assert "recall_a" not in stored.entries[0]["scores"]
    assert stored.further["recall_a"][0] == [0.6]

    assert "Recall, phrases" not in headings(page(client, "?columns=recall_a"))
    Phase.objects.update(gold_released=True)
    assert "0.600" in cells(page(client, "?columns=recall_a"), "num further")
    assert "Recall, phrases" not in headings(page(client))


# Days


@pytest.fixture
def earlier(edition):
    """An edition of three days before, with the second team alone."""
    day = NOW - timedelta(days=3)
    contents = {"gold": edition.gold, "entries": edition.entries[1:], "comparison": {}}
    return edition.board.editions.create(day=day.date(), made=day, **contents)


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        ("", ["First", "Second"]),
        ("2026-12-09", ["First", "Second"]),
        ("2030-01-01", ["First", "Second"]),
        ("2026-12-08", ["Second"]),
        ("2026-12-06", ["Second"]),
    ],
)
def test_a_day_shows_the_board_that_stood_at_its_end(client, earlier, on, expected):
    assert names(page(client, f"?on={on}")) == expected


def test_an_earlier_board_says_what_it_is_and_leads_back(client, earlier):
    html = page(client, "?on=2026-12-08&columns=runs")

    assert "As of 8 Dec 2026. The board was made 6 Dec 2026, 12:00 UTC" in text(html)
    assert re.search(r'href="\?columns=runs">\s*To the current board', html)
    assert 'id="as-of"' not in page(client)


def test_before_the_first_board_there_is_none(client, earlier):
    html = page(client, "?on=2026-12-01")

    assert "There was no board on 1 Dec 2026 yet; the first one is from 6 Dec 2026 ·" in text(html)
    assert "<table" not in html


@pytest.mark.parametrize("on", ["yesterday", "2026-13-40", "2026-12-08T10:00", "0001-01-01x"])
def test_what_is_no_day_shows_the_newest_board_and_says_so(client, earlier, on):
    html = page(client, f"?on={on}")

    assert "The address needs a day such as 2026-11-20" in text(html)
    assert names(html) == ["First", "Second"]


def test_the_link_that_stays_names_the_day_and_the_gold_of_the_edition(client, earlier):
    assert 'href="?on=2026-12-09&amp;gold=1"' in page(client)
    assert 'href="?columns=runs&amp;on=2026-12-06&amp;gold=1"' in page(client, "?on=2026-12-07&columns=runs")


def test_the_board_of_when_the_phase_closed_stays(client, earlier):
    assert "There is no final board yet" in page(client, "?on=final")
    assert 'href="?on=final"' not in page(client)
    Edition.objects.filter(pk=earlier.pk).update(is_final=True)
    Phase.objects.update(opens=NOW - timedelta(days=9), closes=datetime(2026, 12, 6, tzinfo=UTC))

    html = page(client, "?on=final")

    assert names(html) == ["Second"]
    assert "As it was when the phase closed , on 6 Dec 2026, 00:00 UTC" in text(html)
    assert "The board has changed since the phase closed" in page(client)


# A team's runs


@pytest.fixture
def runs(phase, scenario, team, strangers):
    """Two runs of alice's team, the first of which is better, and one of another team."""
    good = run_files(PARTLY_RIGHT_PHRASES, "")
    earlier = timezone.now() - timedelta(hours=2)
    best = make_run(phase, team, good, method="Better", arrived=earlier)
    other = make_run(phase, team, method="Worse")
    make_run(phase, strangers, run_files(), method="Strange")
    refresh(Board.objects.get())
    return best, other


def opened(html: str) -> str:
    return text("".join(row for row in rows(html) if 'class="runs"' in row))


def key(html: str) -> str:
    return re.search(r"team=([^\"&#]*)", html)[1]


def test_a_row_leads_to_all_runs_of_its_team(client, runs, team):
    html = page(client)
    assert opened(html) == ""

    found = opened(page(client, f"?team={key(html)}"))

    assert found.startswith("Scored runs of Alice and Bob , the newest first")
    assert found.index("Worse") < found.index("Better")
    assert found.endswith("Better on the board")
    assert "Strange" not in found


def test_opened_runs_are_closed_by_the_same_link(client, runs):
    address = f"?columns=runs&team={key(page(client))}"

    html = page(client, address)

    assert 'aria-expanded="true"' in html
    assert 'href="?columns=runs#entry-' in html


def test_the_runs_alone_come_to_a_script(client, runs):
    response = client.get(f"{PATH}?team={key(page(client))}", headers={"HX-Request": "true"})

    assert response.content.decode().strip().startswith('<tr role="row" class="runs"')
    assert "HX-Request" in response["Vary"]


def test_opening_runs_costs_one_query_more(client, runs, django_assert_num_queries):
    address = f"?team={key(page(client))}"
    with django_assert_num_queries(10):
        page(client, address)


def test_only_members_and_organisers_find_the_way_from_a_row_to_its_runs(client, runs, bob, charlie, olga):
    address = f"?team={key(page(client))}"
    run = f"/submissions/{runs[1].pk}/"

    assert run not in page(client, address)
    for user, sees in ((charlie, False), (bob, True), (olga, True)):
        client.force_login(user)
        assert (run in page(client, address)) == sees


def test_on_an_anonymous_board_runs_stand_without_methods_under_a_number(client, as_bob, phase, runs, team):
    named = key(page(client))
    Phase.objects.update(is_anonymous=True)
    html = page(client)
    number = phase.team_numbers.get(team=team.pk).number

    assert key(html) == str(number)
    assert opened(page(client, f"?team={named}")) == ""
    assert opened(page(client, f"?team={quote(str(team.pk))}")) == ""
    found = opened(page(client, f"?team={number}"))
    assert found.startswith(f"Scored runs of Team {number}")
    assert "Better" not in found
    assert "Worse" not in found
    assert "Worse" in opened(page(as_bob, f"?team={number}"))


def test_a_number_opens_nothing_where_names_are_shown(client, phase, runs, team):
    assert opened(page(client, f"?team={phase.team_numbers.get(team=team.pk).number}")) == ""


def test_runs_are_kept_back_where_the_phase_does_not_show_scores(client, as_bob, as_olga, runs, team):
    named = key(page(client))
    Phase.objects.update(shows_scores=False)
    page(as_bob, f"?team={named}", status=403)
    assert "Worse" in opened(page(as_olga, f"?team={named}"))


def test_withdrawn_runs_and_those_on_an_older_gold_are_not_among_them(client, phase, scenario, runs, team, alice):
    named = key(page(client))
    changing.withdraw([runs[1]], by=alice)
    assert "Worse" not in opened(page(client, f"?team={named}"))
    gold = make_gold(phase, scenario, run_files(PARTLY_RIGHT_PHRASES, ""))
    queue_batch(gold)
    Scoring.objects.filter(gold=gold, submission__team=team).update(state="failed")
    work_off()
    third = make_run(phase, team, PARTLY_RIGHT | {"note.txt": "3"}, method="On the new gold")
    fourth = make_run(phase, team, PARTLY_RIGHT | {"note.txt": "4"}, method="So too")
    publish(gold, by=None)
    refresh(Board.objects.get())

    found = opened(page(client, f"?team={named}"))

    assert third.method in found
    assert fourth.method in found
    assert "Better" not in found


def test_a_team_with_one_run_has_nothing_to_open(client, scored_submission, team):
    refresh(Board.objects.get())

    html = page(client)

    assert "hx-get" not in "".join(rows(html))
    assert opened(page(client, f"?team={team.pk}")) == ""
