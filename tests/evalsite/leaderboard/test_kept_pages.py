"""Pages that everybody sees are kept for a moment: for none once organisers have changed something that they show, and
for seconds after a new result."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from time import sleep
from unittest.mock import Mock
from uuid import uuid4

import pytest
import time_machine
from django.core.cache import caches
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import escape

from evalsite.accounts.models import Membership, User
from evalsite.accounts.services import rename as rename_team
from evalsite.challenges.models import Phase, Scenario, TeamNumber
from evalsite.leaderboard import leads, showcase, versions
from evalsite.leaderboard.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.leaderboard.ranking import ranking
from evalsite.leaderboard.shelf import Shelf
from evalsite.leaderboard.views import board as board_views
from evalsite.submissions import changing
from evalsite.submissions.models import Allowance, KeptUpload, Submission
from evalsite.submissions.views import submit as submit_views
from tests.factories import make_submission, make_team, make_user, run_files, scored

pytestmark = pytest.mark.django_db

BOARD = "/tasks/health/test/board/1/"
FORM = "/tasks/health/test/submit/"
PAGES = ("/", "/tasks/health/", BOARD, "/tasks/health/test/board/", f"{BOARD}pairs/", f"{BOARD}board.csv")
# What only a page that is made anew asks for: editions of boards, or the runs that were the best so far.
ENTRIES = ('"leaderboard_edition"."id"', '"leaderboard_recordrun"')


@pytest.fixture(autouse=True)
def _as_on_a_site(monkeypatch):
    monkeypatch.setattr(showcase, "SHORTEST", 2.0)
    monkeypatch.setattr(showcase, "LONGEST", 8.0)
    monkeypatch.setattr(versions._news, "seconds", 1)


@pytest.fixture
def ranked(scored_submission):
    """A board with one run, made and at rest."""
    refresh_all()
    return scored_submission


@pytest.fixture
def dave(db) -> User:
    """Has no team."""
    return make_user("Dave")


def far_from_midnight() -> datetime:
    """Now, or in a minute where all pages are about to be made anew, since another day begins."""
    now = timezone.now()
    is_near = now.date() != (now + timedelta(seconds=30)).date()
    return now + timedelta(minutes=1) if is_near else now


def refresh_all() -> None:
    for board in Board.objects.all():
        refresh(board)


def read(address: str = BOARD, **headers: str) -> str:
    return Client().get(address, headers=headers).content.decode()


def is_kept(address: str = BOARD, client: Client | None = None, **headers: str) -> bool:
    """Whether the page comes without what it shows being loaded."""
    with CaptureQueriesContext(connection) as queries:
        assert (client or Client()).get(address, headers=headers).status_code == 200
    return not any(asked in each["sql"] for each in queries for asked in ENTRIES)


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_made_once_for_all_who_are_not_logged_in(ranked, address):
    first = read(address)
    assert is_kept(address)
    assert "csrf" in first or read(address) == first


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


def change_name(ranked, phase, olga):
    rename_team(ranked.team, "Tajinaste", "", by=olga)


def change_method(ranked, phase, olga):
    changing.rename(ranked, "Tajinaste", by=olga)
    refresh_all()


def change_withdrawal(ranked, phase, olga):
    changing.withdraw([ranked], by=olga, side=Submission.Side.ORGANISERS, reason="Tajinaste")


def change_title(ranked, phase, olga):
    phase.task.title = "Tajinaste"
    phase.task.save()


def change_scenario(ranked, phase, olga):
    Scenario.objects.update(name="Tajinaste")


def change_phase(ranked, phase, olga):
    phase.name = "Tajinaste"
    phase.save()


def change_result(ranked, phase, olga):
    scored(make_submission(phase, ranked.team, olga, run_files()))
    refresh_all()


@pytest.mark.parametrize("change", [change_title, change_scenario, change_phase])
def test_what_organisers_change_on_a_board_is_seen_at_once(ranked, phase, olga, change):
    before = read()
    change(ranked, phase, olga)
    assert read() != before


@pytest.mark.parametrize("change", [change_name, change_method, change_withdrawal, change_result])
def test_what_teams_change_on_a_board_is_seen_two_seconds_later(ranked, phase, olga, change):
    with time_machine.travel(far_from_midnight(), tick=False) as clock:
        before = read()
        change(ranked, phase, olga)
        clock.shift(1.9)
        assert read() == before
        clock.shift(0.2)
        assert read() != before


def crowd(n_readers: int) -> list[str]:
    """What so many read who ask at the same moment."""

    def read_once(_: int) -> str:
        try:
            return read()
        finally:
            connection.close()  # of this thread

    with ThreadPoolExecutor(n_readers) as pool:
        return list(pool.map(read_once, range(n_readers)))


def test_names_and_results_are_asked_for_once_in_a_second(ranked):
    with time_machine.travel(far_from_midnight(), tick=False) as clock:
        read()
        assert not asks_for_names()
        clock.shift(1.1)
        assert asks_for_names()


def asks_for_names() -> bool:
    with CaptureQueriesContext(connection) as queries:
        read()
    return any('"challenges_participation"' in each["sql"] for each in queries)


@pytest.mark.django_db(transaction=True)
def test_many_who_ask_at_once_have_the_page_made_once(ranked, monkeypatch):
    made = []

    def counted(*asked):
        made.append(asked)
        sleep(0.1)  # so that all the others come meanwhile
        return ranking(*asked)

    monkeypatch.setattr(board_views, "ranking", counted)
    pages = crowd(4)
    assert len(made) == 1
    assert len(set(pages)) == 1
    Phase.objects.update(name="Tajinaste")
    assert all("Tajinaste" in page for page in crowd(4)), "nobody gets the one before once organisers changed it"
    assert len(made) == 2


@pytest.mark.django_db(transaction=True)
def test_while_a_page_is_made_anew_others_get_the_one_before(ranked, phase, olga, monkeypatch):
    before, meanwhile = read(), []

    def asked_meanwhile(*asked):
        meanwhile.extend(crowd(2))
        return ranking(*asked)

    change_result(ranked, phase, olga)
    monkeypatch.setattr(board_views, "ranking", asked_meanwhile)
    with time_machine.travel(timezone.now() + timedelta(seconds=9)):  # as long as a page made slowly stays
        assert read() != before
    assert meanwhile == [before, before]


def test_a_board_that_is_hidden_is_hidden_at_once_and_shown_again_at_once(ranked, phase):
    assert Client().get(BOARD).status_code == 200
    phase.board_audience = "organisers"
    phase.save()
    assert Client().get(BOARD).status_code == 403
    phase.board_audience = "everybody"
    phase.save()
    assert Client().get(BOARD).status_code == 200


def test_a_task_that_is_no_longer_published_is_gone_at_once(ranked, task):
    assert "Task health" in read("/")
    task.is_published = False
    task.save()
    assert "Task health" not in read("/")
    assert Client().get(BOARD).status_code == 404


def test_a_window_opens_and_closes_at_its_very_time(ranked, phase):
    now = timezone.now()
    phase.closes = now + timedelta(seconds=3)
    phase.save()
    with time_machine.travel(now + timedelta(seconds=2), tick=False):
        open_still = read("/tasks/health/")
    with time_machine.travel(now + timedelta(seconds=3), tick=False):
        assert read("/tasks/health/") != open_still


def test_results_are_released_at_their_very_time(ranked, phase):
    now = timezone.now()
    phase.board_audience, phase.results_released = "organisers", now + timedelta(seconds=3)
    phase.save()
    with time_machine.travel(now + timedelta(seconds=2), tick=False):
        assert Client().get(BOARD).status_code == 403
    with time_machine.travel(now + timedelta(seconds=3), tick=False):
        assert Client().get(BOARD).status_code == 200


def test_gold_that_is_released_is_offered_at_once(ranked, phase):
    before = read("/tasks/health/")
    phase.gold_released = True
    phase.save()
    assert "/gold/" not in before
    assert "/gold/" in read("/tasks/health/")


def test_teams_that_become_numbers_lose_their_names_at_once(ranked, phase, team):
    assert team.name in read()
    TeamNumber.objects.get_or_create(phase=phase, team=team.pk, defaults={"number": 1})
    phase.is_anonymous = True
    phase.save()
    assert team.name not in read()


def test_each_language_has_a_page_of_its_own(ranked):
    assert 'lang="en"' in read()
    assert 'lang="es"' in read(**{"accept-language": "es"})
    assert 'lang="en"' in read()


def test_a_stranger_never_gets_what_an_organiser_sees(ranked, phase, olga, client):
    phase.board_audience = "organisers"
    phase.save()
    client.force_login(olga)
    assert client.get(BOARD).status_code == 200
    assert Client().get(BOARD).status_code == 403
    phase.board_audience = "everybody"
    phase.save()
    seen = client.get(BOARD)
    assert ranked.get_absolute_url() in seen.content.decode()
    assert "no-store" in seen["Cache-Control"]
    assert "ETag" not in seen
    assert ranked.get_absolute_url() not in read()


def test_who_logs_in_gets_a_page_with_the_own_name_and_who_logs_out_none_of_it(ranked, alice, client):
    assert "Log in" in read()
    client.force_login(alice)
    own = client.get(BOARD).content.decode()
    assert "Log out" in own
    assert "your team" in own
    assert "your team" not in read()


def test_rows_are_made_once_for_all_and_still_each_team_has_its_own_alone(ranked, phase, charlie, strangers, alice):
    scored(make_submission(phase, strangers, charlie, run_files()))
    refresh_all()
    pages = {}
    for user in (alice, charlie):
        client = Client()
        client.force_login(user)
        pages[user.name] = client.get(BOARD).content.decode()
    for page in pages.values():
        assert page.count("your team</span>") == 1
    assert ranked.get_absolute_url() in pages["Alice"]
    assert ranked.get_absolute_url() not in pages["Charlie"]


def test_rows_that_organisers_see_are_not_kept_for_participants(ranked, olga, charlie, strangers):
    for user, sees in ((olga, True), (charlie, False)):
        client = Client()
        client.force_login(user)
        assert (ranked.get_absolute_url() in client.get(BOARD).content.decode()) == sees


def logged_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page_of(user, address: str = BOARD, **headers: str) -> str:
    """Without what differs at each look: tokens of forms, and blanks, of which there may be any number."""
    page = logged_in(user).get(address, headers=headers).content.decode()
    return " ".join(re.sub(r'(csrfmiddlewaretoken" value=")[^"]+', r"\1", page).split())


@pytest.mark.parametrize("is_anonymous", [False, True])
@pytest.mark.parametrize("address", [*PAGES[:-1], f"{BOARD}history/", FORM])
def test_a_page_from_a_sketch_is_the_page_that_would_be_made_anew(
    ranked, phase, charlie, strangers, alice, dave, address, is_anonymous
):
    scored(make_submission(phase, strangers, charlie, run_files()))
    Phase.objects.update(is_anonymous=is_anonymous)
    refresh_all()
    for user in (alice, charlie, dave, alice):
        anew = page_of(user, address, Authorization="of no use here")
        assert page_of(user, address) == anew
        assert "\0" not in anew


@pytest.mark.parametrize("address", ["/", "/tasks/health/"])
def test_home_and_task_are_made_once_for_all_who_take_part(
    ranked, phase, charlie, strangers, alice, address, monkeypatch
):
    monkeypatch.setattr(leads, "MOST_DRAWN", 1)
    scored(make_submission(phase, strangers, charlie, run_files(relations="")))
    refresh_all()
    assert f'You take part with <bdi class="name">{ranked.team}' in page_of(alice, "/")
    for user, team, others in ((alice, ranked.team, strangers), (charlie, strangers, ranked.team)):
        anew = page_of(user, address, Authorization="of no use here")
        assert page_of(user, address) == anew
        name, other = escape(team), escape(others)
        assert f'<bdi class="name">{name}</bdi>.' in anew or f"<bdi>{name}</bdi></a>." in anew
        assert f'<bdi class="name">{other}</bdi>.' not in anew
    kept = [is_kept(address, logged_in(user)) for user in (alice, charlie)]
    assert sorted(kept) == [False, True], "who is in front has a page of the own"


def test_the_upload_form_is_made_once_for_all_who_take_part_each_with_the_own_team(
    ranked, phase, charlie, strangers, alice, monkeypatch
):
    scored(make_submission(phase, strangers, charlie, run_files(relations="")))
    refresh_all()
    made = Mock(wraps=submit_views.render)
    monkeypatch.setattr(submit_views, "render", made)
    for user, team in ((alice, ranked.team), (charlie, strangers), (alice, ranked.team)):
        page = page_of(user, FORM)
        assert f'You upload as <bdi class="name">{escape(team)}</bdi>.' in page
        assert f'name="team" value="{team.pk}"' in page
    assert made.call_count == 1


def limit(phase, alice, team):
    Phase.objects.update(window_limit=3)


def use_up(phase, alice, team):
    Phase.objects.update(total_limit=1)


def allow_more(phase, alice, team):
    Phase.objects.update(total_limit=1)
    Allowance.objects.create(phase=phase, team=team, uploads=2, reason="A broken line")


def join_another_team(phase, alice, team):
    make_team("Second", alice)


def leave_a_part_out(phase, alice, team):
    KeptUpload.objects.create(
        user=alice, phase=phase, name="run.zip", size=9, received=4, expires=timezone.now() + timedelta(minutes=9)
    )


@pytest.mark.parametrize("change", [limit, use_up, allow_more, join_another_team, leave_a_part_out])
def test_what_somebody_has_left_to_upload_is_on_the_form_at_once(ranked, phase, alice, bob, team, change):
    page_of(bob, FORM)
    before = page_of(alice, FORM)
    change(phase, alice, team)
    anew = page_of(alice, FORM, Authorization="of no use here")
    assert anew != before
    assert page_of(alice, FORM) == page_of(alice, FORM) == anew


def test_a_phase_that_is_paused_offers_its_form_to_nobody(ranked, phase, alice):
    assert "Upload and check" in page_of(alice, FORM)
    Phase.objects.update(is_paused=True)
    assert "Upload and check" not in page_of(alice, FORM)


def test_a_board_is_made_once_for_all_who_take_part(ranked, phase, charlie, strangers, alice):
    scored(make_submission(phase, strangers, charlie, run_files()))
    refresh_all()
    assert not is_kept(client=logged_in(alice))
    assert is_kept(client=logged_in(charlie))


def test_pages_of_organisers_are_kept_for_nobody_and_they_get_none_of_others(ranked, phase, olga, alice):
    Phase.objects.update(is_anonymous=True)
    for user, sees in ((alice, False), (olga, True), (alice, False)):
        assert ("Others see numbers" in page_of(user)) == sees
    assert not is_kept(client=logged_in(olga))
    assert not is_kept(client=logged_in(olga))


def test_a_board_for_participants_is_for_them_even_when_it_is_kept(ranked, phase, alice, dave):
    Phase.objects.update(board_audience=Phase.Audience.PARTICIPANTS)
    assert is_kept(client=logged_in(alice)) in (True, False)
    assert is_kept(client=logged_in(alice))
    assert logged_in(dave).get(BOARD).status_code == 403
    assert Client().get(BOARD).status_code == 403
    assert is_kept(client=logged_in(alice))


def test_who_leaves_a_team_loses_its_row_at_once(ranked, team, alice):
    assert "your team</span>" in page_of(alice)
    Membership.objects.filter(user=alice).delete()
    assert "your team</span>" not in page_of(alice)


def test_a_name_stands_escaped_where_the_sketch_left_it_open(ranked, alice, dave):
    page_of(dave)
    User.objects.filter(pk=alice.pk).update(name="<b>Alice</b>")
    assert "&lt;b&gt;Alice&lt;/b&gt;" in page_of(alice)
    assert "<b>Alice" not in page_of(alice)


def test_who_is_logged_in_gets_the_own_token_and_keeps_no_copy(ranked, alice, charlie):
    tokens = set()
    for user in (alice, charlie):
        client = Client(enforce_csrf_checks=True)
        client.force_login(user)
        answer = client.get(BOARD)
        token = answer.content.partition(b'csrfmiddlewaretoken" value="')[2].partition(b'"')[0].decode()
        tokens.add(token)
        assert answer["Cache-Control"] == "private, no-store"
        assert "Cookie" in answer["Vary"]
        assert client.post("/accounts/logout/", {"csrfmiddlewaretoken": token}).status_code == 302
    assert len(tokens) == 2


def test_a_message_that_waits_for_somebody_is_shown_and_kept_for_nobody(ranked, alice, charlie):
    client = logged_in(alice)
    page_of(alice)
    client.post(f"{ranked.get_absolute_url()}withdraw/")
    assert "Withdrawn." in client.get(BOARD).content.decode()
    assert "Withdrawn." not in page_of(charlie)


def test_a_shelf_holds_the_newest_things_for_some_seconds():
    shelf, now = Shelf(most=2, seconds=10), timezone.now()
    with time_machine.travel(now, tick=False):
        for name in "abc":
            shelf.put(name, name.upper())
        assert [shelf.get(name) for name in "abc"] == [None, "B", "C"]
    with time_machine.travel(now + timedelta(seconds=11), tick=False):
        assert shelf.get("c") is None


def test_everybody_gets_a_token_of_the_own_for_a_form_on_a_kept_page(ranked):
    one, other = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    pages = [each.get("/tasks/health/") for each in (one, other)]
    assert b"csrfmiddlewaretoken" in pages[0].content, "the check of a file without an account"
    tokens = [each.content.partition(b'csrfmiddlewaretoken" value="')[2].partition(b'"')[0] for each in pages]
    assert tokens[0] != tokens[1]
    assert all("csrftoken" in each.cookies for each in (one, other))
    assert "ETag" not in pages[1]


def test_a_message_that_waits_is_shown_to_whom_it_is_for_and_to_nobody_else(ranked, client, alice):
    client.force_login(alice)
    client.post("/accounts/logout/")
    told = client.get("/").content.decode()
    assert "signed out" in told.lower() or "logged out" in told.lower()
    assert "logged out" not in read("/").lower()


@pytest.mark.parametrize(
    "query", ["?q=a", "?page=0", "?page=1000", "?page=1&page=2", "?columns=f1", "?x=1", "?on=final"]
)
def test_queries_of_which_there_is_no_end_fill_no_store(ranked, query):
    for _ in range(2):
        assert not is_kept(BOARD + query)


def test_the_store_is_bounded(ranked):
    for _ in range(300):
        caches["pages"].set(str(uuid4()), "a page")
    assert len(caches["pages"]._cache) <= 200


def test_a_history_is_kept_for_two_seconds_while_results_come_in(ranked):
    address = f"{BOARD}history/"
    with time_machine.travel(far_from_midnight(), tick=False) as clock:
        assert read(address)
        Board.objects.update(wanted=F("wanted") + 1)
        clock.shift(2.1)
        assert not is_kept(address)
        assert is_kept(address)
        clock.shift(2.1)
        assert not is_kept(address)


def test_what_nothing_tells_of_is_shown_after_some_seconds(ranked, phase, charlie, strangers):
    with time_machine.travel(far_from_midnight(), tick=False) as clock:
        assert read("/tasks/health/")
        clock.shift(11)
        assert not is_kept("/tasks/health/")
