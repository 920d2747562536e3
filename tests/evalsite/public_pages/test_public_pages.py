"""One page for everybody: made once, the same for all, and what is a visitor's own comes as a piece."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from time import sleep
from uuid import uuid4

import pytest
import time_machine
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.utils import timezone

from evalsite.accounts.models import Membership, User
from evalsite.board_pages.board.page import ranking
from evalsite.board_pages.views import boards as board_views
from evalsite.challenges.models import Phase
from evalsite.challenges.taking_part.teams import participate
from evalsite.public_pages import middleware as public_pages
from tests.evalsite.public_pages.places import (
    BOARD,
    HOME,
    OVERVIEW,
    PAGES,
    PAIRS,
    TASK,
    far_from_midnight,
    forget,
    is_kept,
    logged_in,
    read,
    refresh_all,
)
from tests.factories import make_gold, make_run, make_scenario, make_submission, make_task, run_files, scored
from tests.own_pieces import own_piece, seen

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_the_same_for_everybody_and_sets_no_cookie(ranked, alice, dave, address):
    page = Client().get(address)
    for client in (Client(), logged_in(alice), logged_in(dave)):
        answer = client.get(address)
        assert answer.content == page.content
        assert not answer.cookies
    assert not page.cookies


@pytest.mark.parametrize("address", [*PAGES[:-1], f"{BOARD}board.csv"])
def test_a_page_is_made_once(ranked, address):
    read(address)
    assert is_kept(address)


def test_who_has_the_page_already_is_told_so(ranked):
    answer = Client().get(BOARD)
    again = Client().get(BOARD, headers={"if-none-match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == answer["ETag"]
    assert answer["Cache-Control"] == "no-cache"
    assert {"Cookie", "Accept-Language"} <= set(answer["Vary"].split(", "))


def test_a_file_keeps_its_name_and_kind(ranked):
    first, again = (Client().get(f"{BOARD}board.csv") for _ in range(2))
    assert again["Content-Disposition"] == first["Content-Disposition"] != ""
    assert again["Content-Type"] == first["Content-Type"] == "text/csv; charset=utf-8"


def crowd(n_readers: int) -> list[str]:
    """Return what so many read who ask at the same moment."""

    def read_once(_: int) -> str:
        try:
            return read()
        finally:
            connection.close()  # of this thread

    with ThreadPoolExecutor(n_readers) as pool:
        return list(pool.map(read_once, range(n_readers)))


@pytest.mark.django_db(transaction=True)
def test_many_who_ask_at_once_have_the_page_made_once(ranked, phase, monkeypatch):
    made = []

    def counted(*asked):
        made.append(asked)
        sleep(0.1)  # so that all the others come meanwhile
        return ranking(*asked)

    forget()
    monkeypatch.setattr(board_views, "ranking", counted)
    pages = crowd(4)
    assert len(made) == 1
    assert len(set(pages)) == 1
    phase.name = "Tajinaste"
    phase.save()
    assert all("Tajinaste" in page for page in crowd(4)), "nobody gets the one before once organisers changed it"
    assert len(made) == 2


@pytest.mark.django_db(transaction=True)
def test_after_a_result_others_get_the_page_before_while_one_makes_it_anew(ranked, phase, olga, monkeypatch):
    monkeypatch.setattr(public_pages, "MIN_STALENESS", 0)
    monkeypatch.setattr(public_pages, "STALENESS_FACTOR", 0)
    before, meanwhile = read(), []

    def asked_meanwhile(*asked):
        meanwhile.extend(crowd(2))
        return ranking(*asked)

    scored(make_submission(phase, ranked.team, olga, run_files()))
    refresh_all()
    monkeypatch.setattr(board_views, "ranking", asked_meanwhile)
    assert read() != before
    assert meanwhile == [before, before]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_news", [True, False])
def test_nobody_waits_while_one_makes_a_page_anew_that_is_too_old(ranked, phase, olga, monkeypatch, has_news):
    monkeypatch.setattr(
        public_pages, "STALENESS_FACTOR", 10**6
    )  # however quickly it is made, it is shown for as long as any
    made = []

    def asked_meanwhile(*asked):
        made.append(asked)
        if len(made) == 1:
            crowd(2)
        return ranking(*asked)

    with time_machine.travel(far_from_midnight()) as clock:
        read()
        made_by = timezone.now()
        if has_news:
            scored(make_submission(phase, ranked.team, olga, run_files()))
            refresh_all()
        monkeypatch.setattr(board_views, "ranking", asked_meanwhile)
        # Whatever the run took to be scored, its time is no part of the age of the page.
        clock.move_to(made_by + timedelta(seconds=public_pages.MAX_STALENESS if has_news else public_pages.MAX_AGE))
        read()
    assert len(made) == 1


@pytest.mark.django_db(transaction=True)
def test_a_result_is_on_everybody_s_page_two_seconds_after_it_is_on_the_board(ranked, phase, olga):
    with time_machine.travel(far_from_midnight(), tick=False) as clock:
        before = read()
        scored(make_submission(phase, ranked.team, olga, run_files()))
        refresh_all()
        clock.shift(1.9)
        assert read() == before
        clock.shift(6.2)  # as long as a page that was slow to make stays
        assert read() != before


def test_a_page_that_is_counted_nowhere_stays_for_some_seconds(ranked):
    with time_machine.travel(far_from_midnight(), tick=False) as clock:
        read(PAIRS)
        clock.shift(19)
        assert is_kept(PAIRS)
        clock.shift(2)
        assert not is_kept(PAIRS)


@pytest.mark.parametrize(
    "query", ["?q=a", "?page=0", "?page=1000", "?page=1&page=2", "?columns=f1", "?x=1", "?on=final"]
)
def test_queries_of_which_there_is_no_end_fill_no_cache(ranked, query):
    for _ in range(2):
        assert not is_kept(BOARD + query)


def test_the_cache_is_bounded(ranked):
    for _ in range(300):
        caches["pages"].set(str(uuid4()), "a page")
    assert len(caches["pages"]._cache) <= 200


def test_each_language_has_a_page_of_its_own(ranked):
    assert 'lang="en"' in read()
    assert 'lang="es"' in read(**{"accept-language": "es"})
    assert 'lang="en"' in read()
    spanish = Client()
    assert spanish.post("/language/", {"language": "es", "next": BOARD}).status_code == 302
    assert 'lang="es"' in spanish.get(BOARD).content.decode(), "without JavaScript too"


def test_organisers_get_pages_of_their_own_and_others_none_of_them(ranked, phase, olga, alice):
    phase.is_anonymous = True
    phase.save()
    for user, sees in ((alice, False), (olga, True), (alice, False)):
        assert ("Others see numbers" in seen(logged_in(user), BOARD)) == sees
    assert not is_kept(client=logged_in(olga))
    assert "own-piece" not in logged_in(olga).get(BOARD).content.decode()


def test_a_board_for_participants_is_for_them_even_when_it_is_kept(ranked, phase, alice, dave):
    phase.board_audience = Phase.Audience.PARTICIPANTS
    phase.save()
    logged_in(alice).get(BOARD)
    assert is_kept(client=logged_in(alice))
    assert logged_in(dave).get(BOARD).status_code == 403
    assert Client().get(BOARD).status_code == 403
    assert 'board/1/"' in seen(logged_in(alice), TASK)
    assert 'board/1/"' not in read(TASK)


def test_it_is_not_asked_who_takes_part_where_nothing_is_for_participants_alone(
    ranked, alice, django_assert_num_queries
):
    client = logged_in(alice)
    client.get(BOARD)
    with django_assert_num_queries(3):  # the session, the account, the revision
        client.get(BOARD)


def test_a_message_that_waits_is_shown_to_whom_it_is_for_and_to_nobody_else(ranked, alice, charlie):
    client = logged_in(alice)
    client.post(f"{ranked.get_absolute_url()}withdraw/")
    assert "Withdrawn." in client.get(BOARD).content.decode()
    assert "Withdrawn." not in logged_in(charlie).get(BOARD).content.decode()


# The piece


def test_the_piece_is_small_and_kept_by_nobody(ranked, alice):
    for address in PAGES:
        piece = own_piece(logged_in(alice), address)
        assert len(piece.content) < 2000
        assert piece["Cache-Control"] == "private, no-store"


def test_the_piece_stays_small_with_a_dozen_tasks_and_three_scenarios(ranked, team, alice):
    for number in (2, 3):
        make_gold(ranked.phase, make_scenario(ranked.phase.task, number))
    for number in range(11):
        participate(make_task(f"further-task-{number}"), team)
    for address in (HOME, TASK):
        piece = own_piece(logged_in(alice), address)
        assert len(piece.content) < 2000
    assert seen(logged_in(alice), HOME).count("You take part with") == 12
    assert seen(logged_in(alice), TASK).count("It is valid for Test") == 3


def test_strangers_have_no_piece_but_for_the_token_of_a_form(ranked):
    for address in PAGES:
        piece = own_piece(Client(), address)
        assert piece.status_code == (200 if address == TASK else 204)
    assert b"data-token=" in own_piece(Client(), TASK).content


def test_everybody_finds_the_own_name_team_row_place_and_run(ranked, phase, charlie, strangers, alice, dave):
    other = make_run(phase, strangers, run_files(relations=""))
    refresh_all()
    for user, run in ((alice, ranked), (charlie, other)):
        page = seen(logged_in(user), BOARD)
        assert user.name in page
        assert page.count("your team</span>") == 1
        assert len(re.findall(r"<tr [^>]*is-own", page)) == 1
        assert page.count('"/submissions/') == 1
        assert run.get_absolute_url() in page
        assert "Your team, " in page
        assert f'You take part with <bdi class="name">{run.team}' in seen(logged_in(user), HOME)
        assert "your team</span>" in seen(logged_in(user), OVERVIEW)
        assert "is-own" in seen(logged_in(user), PAIRS)
    assert "is-own" not in seen(logged_in(dave), BOARD)
    assert "Dave" in seen(logged_in(dave), BOARD)


def test_where_teams_are_numbers_each_finds_the_own_row_with_its_method(ranked, phase, strangers, alice):
    make_run(phase, strangers, run_files(relations=""))
    phase.is_anonymous = True
    phase.save()
    refresh_all()
    page = seen(logged_in(alice), BOARD)
    assert page.count("your team</span>") == 1
    assert page.count(ranked.method) == 2  # in the title of the cell too
    assert ranked.method not in read()
    assert ranked.team.name not in read()


def test_who_leaves_a_team_loses_its_row_at_once(ranked, alice):
    client = logged_in(alice)
    assert "your team</span>" in seen(client, BOARD)
    Membership.objects.filter(user=alice).delete()
    assert "your team</span>" not in seen(client, BOARD)


def test_a_name_stands_escaped(ranked, alice):
    User.objects.filter(pk=alice.pk).update(name="<b>Alice</b>")
    piece = own_piece(logged_in(alice), BOARD).content.decode()
    assert "&lt;b&gt;Alice&lt;/b&gt;" in piece
    assert "<b>Alice" not in piece


def test_each_visitor_gets_a_token_of_the_own_that_works(ranked, alice, charlie):
    tokens = set()
    for user in (alice, charlie):
        client = Client(enforce_csrf_checks=True)
        client.force_login(user)
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', own_piece(client, BOARD).content.decode())[1]
        tokens.add(token)
        assert client.post("/accounts/logout/", {"csrfmiddlewaretoken": token}).status_code == 302
    assert len(tokens) == 2


@pytest.mark.parametrize(
    "page", ["", "nowhere", "/tasks/none/", "//elsewhere.example/", "/admin/", "/tasks/health/none/board/1/"]
)
def test_of_a_page_that_is_none_the_piece_is_the_head_or_nothing(ranked, alice, page):
    assert own_piece(logged_in(alice), page).status_code in (200, 404)
    assert own_piece(Client(), page).status_code in (200, 204)


def test_without_javascript_the_page_links_to_the_own_runs_and_to_the_log_in(ranked):
    page = read()
    assert "/accounts/login/" in page
    assert '<a href="/tasks/health/submissions/">Your runs</a>' in page


# Times


def test_a_window_opens_and_closes_at_its_very_time(ranked, phase):
    now = timezone.now()
    phase.closes = now + timedelta(seconds=3)
    phase.save()
    with time_machine.travel(now + timedelta(seconds=2), tick=False):
        open_still = read(TASK)
    with time_machine.travel(now + timedelta(seconds=3), tick=False):
        assert read(TASK) != open_still


def test_results_are_released_at_their_very_time(ranked, phase):
    now = timezone.now()
    phase.board_audience, phase.results_released = "organisers", now + timedelta(seconds=3)
    phase.save()
    with time_machine.travel(now + timedelta(seconds=2), tick=False):
        assert Client().get(BOARD).status_code == 403
        assert 'board/1/"' not in read(TASK)
    with time_machine.travel(now + timedelta(seconds=3), tick=False):
        assert Client().get(BOARD).status_code == 200
        assert 'board/1/"' in read(TASK)


def test_a_task_is_published_at_its_very_time(ranked, task):
    now = timezone.now()
    task.is_published, task.publish_at = False, now + timedelta(seconds=3)
    task.save()
    with time_machine.travel(now + timedelta(seconds=2), tick=False):
        assert "Task health" not in read(HOME)
    with time_machine.travel(now + timedelta(seconds=3), tick=False):
        assert "Task health" in read(HOME)
