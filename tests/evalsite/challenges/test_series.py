"""One entry for several tasks of a series: a team that enters the one by its form enters the others."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Agreement, EntryRules, Participation
from tests.desk_parts import PartsPage
from tests.evalsite.board_pages.pages import text
from tests.factories import make_organiser, make_task, make_team, make_user

pytestmark = pytest.mark.django_db
TERMS = "For research alone."


@pytest.fixture
def sister(olga):
    return make_task("sister", olga, title="The sister")


@pytest.fixture
def main(task):
    return EntryRules.objects.create(task=task, terms=TERMS)


@pytest.fixture
def with_main(main, sister):
    return EntryRules.objects.create(task=sister, terms=TERMS, entered_with=main.task)


def enter(client, task, team):
    address = reverse("enter", args=[task.slug])
    return client.post(address, {"team": str(team.pk), "agrees": "on", "terms": "1"})


def has_entered(task, team):
    return Participation.objects.filter(task=task, team=team).exists()


def test_the_form_says_so_and_the_team_is_in_both_with_the_terms_agreed_to_once(as_alice, task, team, with_main):
    page = text(as_alice.get(reverse("enter", args=[task.slug])).content.decode())
    assert "your team will also take part in The sister, whose organisers see the same information." in page
    assert enter(as_alice, task, team).status_code == 302
    assert has_entered(task, team)
    assert has_entered(with_main.task, team)
    assert Agreement.objects.get(task=with_main.task, team=team).text == TERMS
    own = text(as_alice.get(reverse("enter", args=["sister"])).content.decode())
    assert "You take part with" in own
    assert "I have read the terms" not in own


def test_other_terms_are_asked_for_before_the_first_upload_there(as_alice, task, team, with_main):
    EntryRules.objects.filter(pk=with_main.pk).update(terms="Other terms.")
    enter(as_alice, task, team)
    assert has_entered(with_main.task, team)
    assert not Agreement.objects.filter(task=with_main.task).exists()
    assert "I have read the terms" in as_alice.get(reverse("enter", args=["sister"])).content.decode()


def test_an_approved_team_is_in_both_from_then_on(as_alice, as_olga, task, team, main, with_main):
    EntryRules.objects.filter(pk=main.pk).update(way="approval")
    enter(as_alice, task, team)
    assert not has_entered(with_main.task, team)
    sent = {"team": task.applications.get().pk, "approve": "yes"}
    as_olga.post(reverse("desk_entry_decide", args=[task.slug]), sent)
    assert has_entered(task, team)
    assert has_entered(with_main.task, team)


@pytest.mark.parametrize("why", ["over", "banned", "namesake", "archived", "unpublished"])
def test_a_team_that_cannot_be_in_the_other_task_is_in_the_first_all_the_same(
    as_alice, alice, bob, task, team, with_main, why
):
    sister, past = with_main.task, timezone.now() - timedelta(days=1)
    if why == "over":
        EntryRules.objects.filter(pk=with_main.pk).update(closes=past)
    elif why == "banned":
        banned = make_team("Banned before", alice)
        Participation.objects.create(task=sister, team=banned, number=1, banned=past)
    elif why == "namesake":
        Participation.objects.create(task=sister, team=make_team(team.name, make_user("Nina")), number=1)
    elif why == "archived":
        type(sister).objects.filter(pk=sister.pk).update(archived=past)
    else:
        type(sister).objects.filter(pk=sister.pk).update(is_published=False)
    assert enter(as_alice, task, team).status_code == 302
    assert has_entered(task, team)
    assert not has_entered(sister, team)


def test_an_owner_chooses_the_task_on_the_desk_among_their_own(olga, main, sister):
    stranger = make_task("foreign", make_user("Otto"))
    EntryRules.objects.create(task=stranger, terms=TERMS)
    desk = PartsPage(olga, reverse("desk_entry", args=["sister"]))
    assert desk.save("series", entered_with=str(stranger.pk)).status_code == 422
    assert desk.save("series", entered_with=str(main.task.pk)).status_code == 302
    assert EntryRules.objects.get(task=sister).entered_with == main.task


def test_tasks_of_one_title_are_told_apart_and_drafts_come_last(as_olga, olga, main, sister):
    make_task("atlas", olga, title="Atlas", is_published=False)
    make_task("sister-2", olga, title="The sister")
    page = as_olga.get(reverse("desk_entry", args=[main.task.slug])).content.decode()
    listed = re.findall(r"<option[^>]*>([^<]+)</option>", page.partition('entered_with"')[2].partition("</select>")[0])
    assert listed[1:] == ["The sister (sister)", "The sister (sister-2)", "Atlas (atlas, a draft)"]


def test_an_owner_brings_no_teams_of_a_task_that_only_another_owner_has(olga, main, sister):
    otto = make_user("Otto")
    make_organiser(sister, otto, "owner")
    desk = PartsPage(otto, reverse("desk_entry", args=["sister"]))
    assert desk.save("series", entered_with=str(main.task.pk)).status_code == 422
    assert not EntryRules.objects.filter(entered_with=main.task).exists()


def test_tasks_without_a_form_and_chains_are_refused_in_words(olga, task, sister, with_main):
    desk = PartsPage(olga, reverse("desk_entry", args=[task.slug]))
    third = make_task("third", olga)
    answer = desk.save("series", entered_with=str(third.pk))
    assert "Other tasks are entered with this one" in answer.content.decode()
    EntryRules.objects.update(entered_with=None, terms="")
    answer = PartsPage(olga, reverse("desk_entry", args=["sister"])).save("series", entered_with=str(task.pk))
    assert "so there is no form to tell them" in answer.content.decode()


def test_organisers_who_are_no_owners_bring_nobody(sister, main):
    otto = make_user("Otto")
    make_organiser(sister, otto)
    assert "form-series" not in PartsPage(otto, reverse("desk_entry", args=["sister"])).text
