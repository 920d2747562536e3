"""A badge says what the tests allow, to everybody the same, and nothing that strangers don't see."""

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
import time_machine

from evalsite.accounts.models import Team
from evalsite.challenges.models import Phase, Task
from evalsite.challenges.revisions import raise_revision
from evalsite.contrib.badges.drawing import badge, text_width
from evalsite.desk.making.cloning import clone
from tests.evalsite.board_pages.pages import PATH
from tests.evalsite.leaderboard.boards import NOW, make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare
from tests.factories import make_submission

pytestmark = pytest.mark.django_db
BADGE, EMBED = f"{PATH}badge.svg", f"{PATH}embed/"
RELEASED = NOW - timedelta(days=30)


@pytest.fixture(autouse=True)
def tomorrow():
    """The day after that of the board's edition."""
    with time_machine.travel(NOW + timedelta(days=1)):
        yield


@pytest.fixture
def edition(phase, scenario):
    """Two teams share the first place, and one is behind them."""
    ada, bo, cleo = make_teams(phase, "Team Ada", "Team Bo", "Team Cleo")
    runs = [make_submission(phase, team, team.members.first(), method=f"Method of {team}") for team in (ada, bo, cleo)]
    scores = (0.64, 0.635, 0.42)
    rows = [
        make_entry(team, value, rank, submission=str(run.pk))
        for rank, (team, value, run) in enumerate(zip((ada, bo, cleo), scores, runs, strict=True), start=1)
    ]
    made = make_board(phase, scenario, rows)
    compare(made, scenario)
    made.is_compared = True
    made.save()
    return made


def words(svg: bytes) -> str:
    """Return what a screen reader says of the picture, which is well-formed XML."""
    return ElementTree.fromstring(svg).findtext("{http://www.w3.org/2000/svg}title")


def changed(**fields) -> None:
    Phase.objects.update(**fields)
    raise_revision(Task.objects.values_list("pk", flat=True))


def entry_badge(edition, number: int) -> str:
    return f"{PATH}badge/{edition.entries[number]['submission']}.svg"


def test_the_badge_of_a_board_says_who_shares_the_first_place_and_with_which_score(client, edition):
    answer = client.get(BADGE)
    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    said = words(answer.content)
    assert said == "Task health: shared 1st of 3: Team Ada, Team Bo · F1 0.640 [0.610, 0.660]"


def test_a_clone_has_no_badge_and_no_table_of_the_board_of_last_year(client, edition, olga):
    changed(results_released=RELEASED)
    made = clone(Task.objects.get(), "Task of next year", NOW - timedelta(days=1), with_gold=True, by=olga)
    Task.objects.update(is_published=True)
    path = PATH.replace("/health/", f"/{made.slug}/")
    assert path != PATH
    for address in ("badge.svg", "badge/", "embed/", f"badge/{edition.entries[0]['submission']}.svg"):
        assert client.get(PATH + address).status_code == 200
        answer = client.get(path + address)
        assert answer.status_code == 404 or "Team Ada" not in answer.text, address
    assert client.get(entry_badge(edition, 0).replace(PATH, path)).status_code == 404


def test_the_badge_of_an_entry_says_its_place_as_far_as_the_tests_tell_it(client, edition):
    changed(results_released=RELEASED)
    said = [words(client.get(entry_badge(edition, number)).content) for number in range(3)]
    assert [place.split(" · ")[0] for place in said] == [
        *["Task health: shared 1st of 3"] * 2,
        "Task health: 3rd of 3",
    ]


def test_the_badge_of_a_team_without_a_rank_says_why_and_the_others_are_placed_without_it(client, edition):
    changed(results_released=RELEASED)
    first = edition.entries[0] | {"rank": None, "reference": "unranked", "because": "No system paper"}
    edition.board.editions.update(entries=[first, *edition.entries[1:]])
    assert ": not ranked: No system paper · F1 0.640" in words(client.get(entry_badge(edition, 0)).content)
    assert "of 2" in words(client.get(entry_badge(edition, 1)).content)


def test_a_board_that_is_being_tested_has_the_badge_of_the_one_before(client, edition):
    before = words(client.get(BADGE).content)
    later = {"day": NOW.date(), "made": NOW + timedelta(hours=1), "changes": 9, "gold": edition.gold}
    untested = [edition.entries[2] | {"rank": 1}]
    edition.board.editions.create(**later, entries=untested, comparison={}, is_compared=False)
    assert words(client.get(BADGE).content) == before


def test_no_badge_tells_of_a_board_or_an_entry_that_strangers_do_not_see_whoever_asks(client, as_olga, edition):
    assert as_olga.get(entry_badge(edition, 0)).status_code == 404, "the results are not released"
    addresses = [BADGE, EMBED, f"{PATH}badge/", f"{PATH}badge-{NOW.date()}.svg", f"{EMBED}{NOW.date()}/"]
    assert {client.get(address).status_code for address in addresses} == {200}
    for audience in ("participants", "organisers"):
        changed(board_audience=audience)
        assert {browser.get(address).status_code for browser in (client, as_olga) for address in addresses} == {404}
    changed(board_audience="everybody")
    Task.objects.update(is_published=False)
    assert {browser.get(address).status_code for browser in (client, as_olga) for address in addresses} == {404}


def test_where_teams_are_numbers_they_are_so_on_badges_and_tables_for_organisers_too(client, as_olga, edition):
    changed(is_anonymous=True)
    for browser in (client, as_olga):
        for address in (BADGE, EMBED, f"{PATH}badge/", f"{PATH}badge-{NOW.date()}.svg"):
            content = browser.get(address).content.decode()
            assert "Team Ada" not in content
            assert re.search(r"Team \d", content) or "badge/" in address


def test_a_badge_of_a_day_stays_when_the_board_goes_on_and_says_its_date(client, edition, scenario):
    frozen = f"{PATH}badge-{NOW.date()}.svg"
    before = words(client.get(frozen).content)
    assert before.endswith(" · 9 Dec 2026")
    later = edition.board.editions.create(
        day=NOW.date() + timedelta(days=1),
        made=NOW + timedelta(days=1),
        gold=edition.gold,
        entries=[edition.entries[2] | {"rank": 1}],
        comparison={},
        is_compared=True,
    )
    raise_revision(Task.objects.values_list("pk", flat=True))
    assert "Team Cleo" in words(client.get(BADGE).content), later
    assert words(client.get(frozen).content) == before
    assert client.get(f"{PATH}badge-{NOW.date() - timedelta(days=1)}.svg").status_code == 404
    assert client.get(f"{PATH}badge-{NOW.date() + timedelta(days=2)}.svg").status_code == 404, "it is still to come"
    assert client.get(f"{PATH}badge-2026-02-30.svg").status_code == 404


def test_other_sites_may_show_the_badge_and_frame_the_table_and_nothing_else(client, edition):
    picture, frame, page = (client.get(address) for address in (BADGE, EMBED, f"{PATH}badge/"))
    assert picture["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "frame-ancestors *" in frame["Content-Security-Policy"]
    assert "X-Frame-Options" not in frame
    for other in (picture, page, client.get(PATH), client.get(f"{EMBED}2020-01-01/")):
        assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
        assert other["X-Frame-Options"] == "DENY"
    for other in (frame, page, client.get(PATH)):
        assert other["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "<form" not in frame.content.decode()


def test_badges_are_kept_for_all_and_an_unchanged_one_is_not_sent_again(client, edition, monkeypatch):
    monkeypatch.setattr("evalsite.public_pages.middleware.MAX_AGE", 20)
    first = client.get(BADGE)
    edition.board.editions.update(entries=[])
    again = client.get(BADGE)
    assert again.content == first.content
    assert client.get(BADGE, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_the_pages_of_board_and_entry_hand_out_what_to_paste(client, edition):
    changed(results_released=RELEASED)
    run = edition.entries[0]["submission"]
    page = client.get(f"/tasks/health/test/entries/{run}/").content.decode()
    assert (
        f"[![Task health](http://testserver{PATH}badge/{run}.svg)](http://testserver/tasks/health/test/entries/{run}/)"
        in page
    )
    assert f'href="{PATH}badge/"' in client.get(PATH).content.decode()
    page = client.get(f"{PATH}badge/").content.decode()
    assert "| 1–2 | Team Ada | 0.640 |" in page
    assert f"&lt;iframe src=&quot;http://testserver{EMBED}&quot;" in page


def test_names_and_titles_are_escaped_wherever_they_stand(client, edition):
    evil = '"><script>alert(1)</script>&\x0c'
    Task.objects.update(title=evil)
    Team.objects.filter(name="Team Ada").update(name="<b>&|](x)")
    changed(results_released=RELEASED)
    assert "<b>&|](x)" in words(client.get(BADGE).content)
    run = edition.entries[0]["submission"]
    for address in (EMBED, f"{PATH}badge/", f"/tasks/health/test/entries/{run}/"):
        content = client.get(address).content.decode()
        assert "<script>alert" not in content
        assert "<b>&" not in content
    table = client.get(f"{PATH}badge/").context["table"]
    assert r"\<b\>\&\|\](x)" in table


def test_a_board_of_few_units_is_said_to_be_untested_and_an_empty_one_to_be_empty(client, phase, scenario):
    assert words(client.get(BADGE).content) == "Task health: no system yet"
    (ada, bo) = make_teams(phase, "Team Ada", "Team Bo")
    make_board(phase, scenario, [make_entry(ada, 0.7, 1), make_entry(bo, 0.6, 2)])
    raise_revision(Task.objects.values_list("pk", flat=True))
    assert "1st of 2 by score, untested: Team Ada" in words(client.get(BADGE).content)


def test_a_long_name_in_any_alphabet_fits_its_badge():
    drawn = ElementTree.fromstring(badge("北京大学 " * 3, "نظام · F1 0.650"))
    left, right = drawn.findall("{http://www.w3.org/2000/svg}text")
    assert float(left.get("x")) * 2 + float(right.get("textLength")) < float(drawn.get("width"))
    assert text_width("北京") == 22
