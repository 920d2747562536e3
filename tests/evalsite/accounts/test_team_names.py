"""Names of teams: free on the site, unique within a task, compared as people compare them."""

import threading

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from evalsite.accounts.models import Team
from evalsite.accounts.names import comparable, skeleton
from tests.factories import PARTLY_RIGHT, make_gold, make_phase, make_scenario, make_task, make_team, zip_upload


@pytest.fixture
def lab(db, bob) -> Team:
    """Bob's team, whose name alice's team has too."""
    return make_team("NLP Lab", bob)


@pytest.fixture
def other_lab(db, alice) -> Team:
    return make_team("nlp  LAB", alice)


def upload(client: Client, phase, team):
    data = {"files": [zip_upload(PARTLY_RIGHT)], "team": str(team.pk), "method": "Rules"}
    return client.post(reverse("submit", args=[phase.task.slug, phase.slug]), data)


def rename(client: Client, team, name):
    return client.post(reverse("team_edit", args=[team.pk]), {"name": name, "affiliation": ""})


@pytest.mark.parametrize(
    "name",
    [
        "NLP LAB",
        "  nlp\tlab ",
        "ＮＬＰ Lab",
        "NLP\N{NO-BREAK SPACE}Lab",
        "NLP L\N{ZERO WIDTH JOINER}ab",
        "NLP Lab\N{VARIATION SELECTOR-16}",
        "NLP La\N{COMBINING GRAPHEME JOINER}b\N{HANGUL FILLER}",
    ],
)
def test_names_that_look_alike_are_one(name):
    assert comparable(name) == comparable("NLP Lab")


@pytest.mark.parametrize(("one", "other"), [("José", "Jose"), ("NLP Lab", "NLP-Lab"), ("Lab 1", "Lab 2")])
def test_names_that_differ_in_a_sign_are_two(one, other):
    assert comparable(one) != comparable(other)
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize(
    "name",
    [
        "M\N{CYRILLIC SMALL LETTER A}llory",
        "\N{FULLWIDTH LATIN CAPITAL LETTER M}allory",
        "\N{GREEK CAPITAL LETTER MU}allory",
        "MaIIory",
        "rnal1ory",
        "Mallory\N{VARIATION SELECTOR-1}",
        "Mal\N{ZERO WIDTH JOINER}lory",
    ],
)
def test_names_of_other_letters_that_look_the_same_are_one(name):
    assert skeleton(name) == skeleton("Mallory")


def test_the_same_word_in_capitals_is_one_in_every_script():
    for name in ("Ида", "Ηλέκτρα", "Ida", "Öl"):
        assert comparable(name.upper()) == comparable(name)


@pytest.mark.parametrize(
    "name", ["Faro NL\N{CYRILLIC CAPITAL LETTER ER}", "Far0 NLP", "Faro NLP\N{VARIATION SELECTOR-1}"]
)
def test_a_team_that_looks_like_another_one_of_the_task_is_not_let_in(as_alice, as_bob, alice, bob, phase, name):
    upload(as_bob, phase, make_team("Faro NLP", bob))
    assert as_alice.post(reverse("team_create"), {"name": name, "affiliation": ""}).status_code == 302
    answer = upload(as_alice, phase, Team.objects.get(members=alice))
    assert answer.status_code == 422
    assert "Another team of this task is called Faro NLP" in answer.content.decode()


def test_an_accent_may_be_written_in_two_ways():
    assert comparable("Jos\N{LATIN SMALL LETTER E WITH ACUTE}") == comparable("JOSE\N{COMBINING ACUTE ACCENT}")


def test_two_labs_on_different_tasks_share_a_name(as_alice, as_bob, alice, lab, phase, olga):
    elsewhere = make_task("elsewhere", olga)
    other_phase = make_phase(elsewhere)
    make_gold(other_phase, make_scenario(elsewhere))
    assert upload(as_bob, phase, lab).status_code == 302
    made = as_alice.post(reverse("team_create"), {"name": "NLP Lab", "affiliation": ""})
    assert made.status_code == 302
    assert upload(as_alice, other_phase, Team.objects.get(name="NLP Lab", members=alice)).status_code == 302


def test_a_task_where_the_name_is_taken_is_not_entered_and_the_way_to_rename_is_shown(
    as_alice, as_bob, lab, other_lab, phase
):
    upload(as_bob, phase, lab)
    for answer in (
        as_alice.get(reverse("submit", args=[phase.task.slug, phase.slug])),
        upload(as_alice, phase, other_lab),
    ):
        page = answer.content.decode()
        assert "Another team of this task is called NLP Lab" in page
        assert f'href="{reverse("team_edit", args=[other_lab.pk])}"' in page
    assert answer.status_code == 422
    assert not other_lab.participations.exists()
    assert rename(as_alice, other_lab, "NLP Lab, Vigo").status_code == 302
    other_lab.refresh_from_db()
    assert upload(as_alice, phase, other_lab).status_code == 302


def test_a_member_who_does_not_own_the_team_is_told_to_ask_its_owner(as_bob, as_charlie, alice, charlie, lab, phase):
    upload(as_bob, phase, lab)
    second = make_team("nlp lab", alice, charlie)
    page = upload(as_charlie, phase, second).content.decode()
    assert "Ask the owner of yours to rename it" in page
    assert reverse("team_edit", args=[second.pk]) not in page


def test_a_team_does_not_take_the_name_of_another_one_in_a_task_that_both_have_entered(
    as_alice, as_bob, lab, team, phase
):
    upload(as_bob, phase, lab)
    upload(as_alice, phase, team)
    answer = rename(as_alice, team, "ＮＬＰ lab")
    assert answer.status_code == 422
    assert f"Another team of {phase.task} has this name" in answer.content.decode()
    team.refresh_from_db()
    assert team.name == "Alice and Bob"


def test_a_team_takes_a_name_that_is_taken_only_where_it_has_not_entered(as_alice, as_bob, lab, team, phase):
    upload(as_bob, phase, lab)
    assert rename(as_alice, team, "NLP Lab").status_code == 302


@pytest.mark.django_db(transaction=True)
def test_of_two_teams_that_enter_with_one_name_at_once_one_is_in_and_the_other_is_told(
    alice, bob, lab, other_lab, phase
):
    start, statuses = threading.Barrier(2), []

    def enter(user, team):
        client = Client()
        client.force_login(user)
        start.wait()
        statuses.append(upload(client, phase, team).status_code)
        connection.close()

    threads = [threading.Thread(target=enter, args=pair) for pair in ((alice, other_lab), (bob, lab))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [302, 422]
    assert phase.task.participations.count() == 1
