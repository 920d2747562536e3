"""Teams: who sees, joins, leaves, renames and deletes them."""

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.urls import reverse

from evalsite.accounts.models import Membership, Team
from evalsite.accounts.services import create_personal_team
from tests.factories import make_team, make_user

pytestmark = pytest.mark.django_db


def messages_of(response) -> str:
    return " ".join(str(message) for message in response.context["messages"])


def post(client, view: str, /, *args, **data):
    return client.post(reverse(view, args=args), data, follow=True)


def owners(team: Team) -> set[str]:
    return {membership.user.name for membership in team.memberships.filter(is_owner=True)}


def members(team: Team) -> set[str]:
    return {user.name for user in team.members.all()}


def test_who_makes_a_team_owns_it_and_gets_a_link_for_others(as_alice):
    page = post(as_alice, "team_create", name="Sentinels", affiliation="Somewhere")
    made = Team.objects.get(name="Sentinels")
    assert owners(made) == {"Alice"}
    assert f"http://testserver/teams/join/{made.invitation}/" in page.content.decode()


@pytest.mark.parametrize("name", ["Alice and Bob", "alice AND bob", "  Alice  and Bob ", "Ａlice and Bob"])
def test_two_teams_of_one_owner_cannot_have_one_name(as_alice, team, name):
    page = post(as_alice, "team_create", name=name)
    assert page.status_code == 422
    assert "Another team of yours has this name" in page.content.decode()
    assert Team.objects.count() == 1


def test_a_name_of_a_hundred_characters_fits_and_a_longer_one_does_not(as_alice):
    assert post(as_alice, "team_create", name="ش" * 100).status_code == 200
    assert post(as_alice, "team_create", name="ش" * 101).status_code == 422


def test_the_list_shows_ones_own_teams_only(as_alice, team, strangers):
    page = as_alice.get(reverse("teams")).content.decode()
    assert "Alice and Bob" in page
    assert "Charlie" not in page


def test_the_list_costs_the_same_for_many_teams(as_alice, alice, django_assert_num_queries):
    for number in range(20):
        make_team(f"Team {number}", alice)
    with django_assert_num_queries(3):  # session, user, teams
        as_alice.get(reverse("teams"))


def test_a_person_without_a_team_is_told_how_to_begin(as_charlie):
    assert reverse("team_create") in as_charlie.get(reverse("teams")).content.decode()


def test_the_link_lets_a_logged_in_person_join_by_a_post(as_charlie, team):
    link = reverse("team_join", args=[team.invitation])
    assert "Alice and Bob" in as_charlie.get(link).content.decode()
    assert members(team) == {"Alice", "Bob"}, "looking is not joining"
    assert as_charlie.post(link).url == team.get_absolute_url()
    assert members(team) == {"Alice", "Bob", "Charlie"}
    assert owners(team) == {"Alice"}


def test_joining_twice_changes_nothing(as_alice, team):
    assert as_alice.post(reverse("team_join", args=[team.invitation])).url == team.get_absolute_url()
    assert owners(team) == {"Alice"}
    assert Membership.objects.count() == 2


def test_the_link_asks_strangers_to_log_in_and_shows_no_name(client, team):
    response = client.get(reverse("team_join", args=[team.invitation]))
    assert response.url.startswith("/accounts/login/?next=/teams/join/")
    assert not response.content


def test_the_key_of_a_team_is_no_invitation(as_charlie, team):
    assert as_charlie.get(reverse("team_join", args=[str(team.pk)])).status_code == 404


def test_a_renewed_link_voids_the_old_one(as_alice, as_charlie, team):
    post(as_alice, "team_invitation", team.pk)
    assert as_charlie.get(reverse("team_join", args=[team.invitation])).status_code == 404
    team.refresh_from_db()
    assert as_charlie.get(reverse("team_join", args=[team.invitation])).status_code == 200


def test_who_was_removed_cannot_come_back_by_the_old_link(as_alice, as_bob, team, bob):
    post(as_alice, "team_remove", team.pk, bob.pk)
    assert members(team) == {"Alice"}
    assert as_bob.post(reverse("team_join", args=[team.invitation])).status_code == 404


def test_an_owner_cannot_be_removed(as_alice, team, alice):
    assert "owner cannot be removed" in messages_of(post(as_alice, "team_remove", team.pk, alice.pk))
    assert members(team) == {"Alice", "Bob"}


def test_a_member_leaves(as_bob, team):
    post(as_bob, "team_leave", team.pk)
    assert members(team) == {"Alice"}
    assert as_bob.get(team.get_absolute_url()).status_code == 404


def test_who_has_left_does_not_come_back_by_the_link_that_members_know(as_bob, team):
    link = reverse("team_join", args=[team.invitation])
    post(as_bob, "team_leave", team.pk)
    assert as_bob.post(link).status_code == 404
    assert members(team) == {"Alice"}


def test_a_person_owns_a_bounded_number_of_teams(as_alice, settings, team):
    settings.MAX_TEAMS_OWNED = 2
    assert post(as_alice, "team_create", name="Second").status_code == 200
    refused = post(as_alice, "team_create", name="Third")
    assert refused.status_code == 422
    assert "You own 2 teams" in refused.content.decode()
    assert post(as_alice, "team_edit", team.pk, name="First").status_code == 200


def test_the_last_owner_cannot_leave_while_others_are_in(as_alice, team):
    assert "Hand it over" in messages_of(post(as_alice, "team_leave", team.pk))
    assert members(team) == {"Alice", "Bob"}


def test_the_owner_leaves_after_handing_the_team_over(as_alice, team, bob):
    post(as_alice, "team_hand_over", team.pk, bob.pk)
    assert owners(team) == {"Bob"}
    post(as_alice, "team_leave", team.pk)
    assert members(team) == {"Bob"}


def test_a_team_handed_over_to_its_owner_keeps_its_owner(as_alice, team, alice):
    post(as_alice, "team_hand_over", team.pk, alice.pk)
    assert owners(team) == {"Alice"}


def test_the_only_member_cannot_leave(as_charlie, strangers):
    assert "only member" in messages_of(post(as_charlie, "team_leave", strangers.pk))
    assert members(strangers) == {"Charlie"}


def test_an_owner_renames_the_team(as_alice, team):
    post(as_alice, "team_edit", team.pk, name="Sentinels", affiliation="Somewhere")
    team.refresh_from_db()
    assert (team.name, team.affiliation) == ("Sentinels", "Somewhere")


def test_a_team_keeps_its_own_name_when_only_its_case_changes(as_alice, team):
    post(as_alice, "team_edit", team.pk, name="ALICE and BOB")
    team.refresh_from_db()
    assert team.name == "ALICE and BOB"


def test_a_team_without_runs_is_deleted(as_alice, team):
    post(as_alice, "team_delete", team.pk)
    with pytest.raises(ObjectDoesNotExist):
        team.refresh_from_db()


def test_a_team_with_runs_cannot_be_deleted(as_alice, submission, team):
    assert "cannot be deleted" in as_alice.get(team.get_absolute_url()).content.decode()
    assert "stay on record" in messages_of(post(as_alice, "team_delete", team.pk))
    team.refresh_from_db()


def test_the_page_lists_the_tasks_entered(as_bob, submission, team):
    page = as_bob.get(team.get_absolute_url()).content.decode()
    assert f'href="{submission.phase.task.get_absolute_url()}"' in page


def test_a_task_that_is_not_published_is_not_listed(as_bob, submission, team):
    submission.phase.task.is_published = False
    submission.phase.task.save()
    assert submission.phase.task.title not in as_bob.get(team.get_absolute_url()).content.decode()


MEMBER_POSTS = ("team_remove", "team_hand_over")


@pytest.mark.parametrize("name", MEMBER_POSTS)
def test_members_who_do_not_own_the_team_may_not_change_others(as_bob, team, alice, name):
    assert as_bob.post(reverse(name, args=[team.pk, alice.pk])).status_code == 403
    assert owners(team) == {"Alice"}


@pytest.mark.parametrize("name", MEMBER_POSTS)
def test_nobody_outside_the_team_can_be_removed_or_made_its_owner(as_alice, team, charlie, name):
    assert as_alice.post(reverse(name, args=[team.pk, charlie.pk])).status_code == 404
    assert owners(team) == {"Alice"}


def test_controls_of_the_owner_are_shown_to_the_owner_only(as_alice, as_bob, team):
    edit = reverse("team_edit", args=[team.pk])
    assert edit not in as_bob.get(team.get_absolute_url()).content.decode()
    assert edit in as_alice.get(team.get_absolute_url()).content.decode()


def test_a_person_without_a_name_gets_a_team_that_does_not_tell_the_address():
    user = make_user("Dana")
    user.name = ""
    assert create_personal_team(user).name == "Team"
