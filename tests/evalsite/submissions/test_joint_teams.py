"""One person uploads for one team where uploads are limited; who tried alone brings the runs into a joint team."""

import threading
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts.models import Team
from evalsite.challenges.models import Event, FormerParticipation, Phase
from evalsite.leaderboard.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions import intake, quotas
from evalsite.submissions.models import Scoring, Submission
from tests.factories import (
    PARTLY_RIGHT,
    make_gold,
    make_phase,
    make_submission,
    make_team,
    run_files,
    scored,
    zip_upload,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def alone(alice) -> Team:
    return make_team("Alice", alice)


@pytest.fixture
def lab(bob) -> Team:
    """Bob's team, which alice may join."""
    return make_team("The Lab", bob)


@pytest.fixture
def limited(phase) -> Phase:
    phase.window_limit = 5
    phase.save()
    return phase


@pytest.fixture
def development(task, scenario) -> Phase:
    """A phase beside, without limits."""
    development = make_phase(task, "development")
    make_gold(development, scenario)
    return development


def page(client, phase) -> str:
    return unescape(client.get(reverse("submit", args=[phase.task.slug, phase.slug])).content.decode())


def upload(client, phase, team, note=""):
    data = {"files": [zip_upload(PARTLY_RIGHT | {"note.txt": note})], "team": str(team.pk), "method": "Rules"}
    return client.post(reverse("submit", args=[phase.task.slug, phase.slug]), data)


def join(client, team):
    return client.post(reverse("team_join", args=[team.invitation]), follow=True)


def bring(client, team, *loads):
    chosen = {"bring": [f"{former.pk}:{task.pk}" for former, task in loads]}
    return client.post(reverse("team_bring", args=[team.pk]), chosen, follow=True)


def texts(response) -> str:
    return " ".join(str(message) for message in response.context["messages"])


def left(phase, team) -> int | None:
    return quotas.quota(phase, team, timezone.now()).left


# The rule, in each phase that has a limit.


def test_trying_alone_where_nothing_is_limited_binds_nobody(client, limited, development, alone, alice, lab):
    client.force_login(alice)
    upload(client, development, alone)
    join(client, lab)
    assert upload(client, development, lab).status_code == 302
    assert upload(client, limited, lab).status_code == 302


def test_where_uploads_are_limited_a_person_uploads_for_one_team(client, limited, alone, lab, alice):
    client.force_login(alice)
    upload(client, limited, alone)
    join(client, lab)
    answer = upload(client, limited, lab, "2")
    text = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert "You upload for Alice in this phase" in text
    assert reverse("team_bring", args=[lab.pk]) in text
    assert Submission.objects.count() == 1


def test_what_used_no_place_binds_nobody(client, limited, alone, lab, alice):
    client.force_login(alice)
    upload(client, limited, alone)
    Scoring.objects.update(state="refused")
    join(client, lab)
    assert upload(client, limited, lab).status_code == 302


def test_team_mates_who_never_uploaded_are_not_bound(client, limited, team, bob, alice, lab):
    client.force_login(alice)
    upload(client, limited, team)
    client.force_login(bob)
    assert upload(client, limited, lab).status_code == 302


def test_who_uploaded_for_two_teams_before_there_was_a_limit_may_go_on_with_both(client, phase, alone, team, alice):
    client.force_login(alice)
    for each in (alone, team):
        upload(client, phase, each)
    Phase.objects.update(window_limit=5)
    assert [upload(client, phase, each, "2").status_code for each in (alone, team)] == [302, 302]


@pytest.mark.django_db(transaction=True)
def test_a_person_with_many_teams_gets_the_places_of_one_even_at_one_moment(limited, alice):
    teams = [make_team(f"Team {number}", alice) for number in range(8)]
    start, ends = threading.Barrier(8), []

    def send(team):
        """Past the form, which takes one upload of a person at a time wherever its processes share a cache."""
        start.wait()
        try:
            make_submission(limited, team, alice)
            ends.append("taken")
        except intake.Rejection:
            ends.append("rejected")
        finally:
            connection.close()

    threads = [threading.Thread(target=send, args=[team]) for team in teams]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(ends) == ["rejected"] * 7 + ["taken"]
    assert limited.task.participations.count() == 1


# What the pages say.


def test_the_first_upload_to_a_limited_phase_says_what_follows(client, limited, alone, alice):
    client.force_login(alice)
    words = "a person uploads for one team only"
    assert words in page(client, limited)
    upload(client, limited, alone)
    assert words not in page(client, limited)


def test_without_a_limit_nothing_is_said_of_it(client, development, alone, alice):
    client.force_login(alice)
    assert "a person uploads for one team only" not in page(client, development)


def test_the_form_chooses_the_team_that_may_upload_and_says_why_the_other_may_not(
    client, limited, alone, team, lab, alice
):
    client.force_login(alice)
    make_submission(limited, team, alice)
    text = page(client, limited)
    radios = {line for line in text.split("<input") if 'name="team"' in line}
    chosen = next(line for line in radios if str(team.pk) in line)
    other = next(line for line in radios if str(alone.pk) in line)
    assert "checked" in chosen
    assert "disabled" not in chosen
    assert "disabled" in other
    assert "You upload for Alice and Bob in this phase" in text
    assert text.count("uploads left") == 1, "the quota of the team that may upload, and no other one"


def test_of_several_teams_that_may_upload_the_one_in_the_task_is_chosen_and_each_has_its_quota(
    client, limited, alone, team, alice, bob
):
    make_submission(limited, team, bob)
    client.force_login(alice)
    text = page(client, limited)
    assert text.count("</strong> uploads left") == 2
    chosen = [line for line in text.split("<input") if "checked" in line.split(">")[0]]
    assert [str(team.pk) in line for line in chosen] == [True]


def test_a_person_with_one_team_reads_its_name_and_quota(client, limited, alone, alice):
    client.force_login(alice)
    text = " ".join(page(client, limited).split())
    assert 'You upload as <bdi class="name">Alice</bdi>. <strong class="number">5</strong> uploads left.' in text


def test_the_page_of_the_task_shows_the_quota_of_the_team_that_may_upload(client, limited, alone, team, alice, bob):
    make_submission(limited, alone, alice)
    make_submission(limited, team, bob)
    client.force_login(alice)
    text = " ".join(client.get(limited.task.get_absolute_url()).content.decode().split())
    assert text.count("uploads left") == 1
    assert '</span> uploads left for <bdi class="name">Alice</bdi>' in text


def test_the_join_page_says_what_follows(client, limited, alone, lab, alice):
    make_submission(limited, alone, alice)
    client.force_login(alice)
    text = " ".join(unescape(client.get(reverse("team_join", args=[lab.invitation])).content.decode()).split())
    assert "a person uploads for one team only" in text
    assert f'You have 1 run of <bdi class="name">{limited.task}</bdi> as <bdi class="name">Alice</bdi>.' in text
    assert 'you can upload for <bdi class="name">The Lab</bdi> only once you have brought them along' in text


# Bringing runs along.


def test_joining_asks_whether_to_bring_ones_runs_and_brings_none_by_itself(client, limited, alone, lab, alice):
    make_submission(limited, alone, alice)
    client.force_login(alice)
    answer = join(client, lab)
    text = unescape(answer.content.decode())
    assert answer.redirect_chain[-1][0] == reverse("team_bring", args=[lab.pk])
    assert "Bring your runs along?" in text
    assert "has 5 uploads left now, and 4 uploads left with them" in text
    assert Submission.objects.get().team == alone
    assert bring(client, lab).redirect_chain[-1][0] == lab.get_absolute_url()
    assert Submission.objects.get().team == alone


def test_who_has_nothing_to_bring_is_led_to_the_team(client, lab, alice):
    client.force_login(alice)
    assert join(client, lab).redirect_chain[-1][0] == lab.get_absolute_url()


def test_brought_runs_are_the_teams_with_the_places_that_they_used(client, limited, alone, lab, alice, bob):
    for note in "12":
        make_submission(limited, alone, alice, PARTLY_RIGHT | {"note.txt": note})
    make_submission(limited, lab, bob)
    client.force_login(alice)
    join(client, lab)
    assert "2 runs of Task health went from Alice to The Lab" in texts(bring(client, lab, (alone, limited.task)))
    assert set(Submission.objects.values_list("team__name", flat=True)) == {"The Lab"}
    assert left(limited, lab) == 2
    assert upload(client, limited, lab, "4").status_code == 302
    client.force_login(bob)
    assert client.get(Submission.objects.filter(uploader=alice).first().get_absolute_url()).status_code == 200


def test_more_used_places_than_the_limit_leave_none(client, limited, alone, lab, alice, bob):
    for note in "1234":
        make_submission(limited, alone, alice, PARTLY_RIGHT | {"note.txt": note})
        make_submission(limited, lab, bob, PARTLY_RIGHT | {"note.txt": note})
    client.force_login(alice)
    join(client, lab)
    bring(client, lab, (alone, limited.task))
    quota = quotas.quota(limited, lab, timezone.now())
    fourth_oldest = Submission.objects.order_by("created")[3]
    assert quota.left == 0
    assert quota.next_possible == fourth_oldest.created + limited.window


def test_the_team_of_one_leaves_no_ghost_in_the_task(client, limited, alone, lab, alice, bob):
    scored(make_submission(limited, lab, bob, run_files(relations="")))
    scored(make_submission(limited, alone, alice))
    client.force_login(alice)
    join(client, lab)
    bring(client, lab, (alone, limited.task))
    refresh(Board.objects.get())
    [entry] = Board.objects.get().editions.get().entries
    assert (entry["team"], entry["n_runs"]) == (str(lab.pk), 2)
    assert [part.team for part in limited.task.participations.all()] == [lab]
    assert client.post(reverse("team_delete", args=[alone.pk])).url == reverse("teams")
    assert not Team.objects.filter(pk=alone.pk).exists(), "without runs it can go"


def test_a_board_of_before_still_names_the_former_team_even_when_that_is_deleted(client, limited, alone, lab, alice):
    scored(make_submission(limited, alone, alice))
    board = Board.objects.get()
    refresh(board)
    yesterday = timezone.now() - timedelta(days=1)
    board.editions.update(day=yesterday.date(), made=yesterday)
    client.force_login(alice)
    join(client, lab)
    bring(client, lab, (alone, limited.task))
    client.post(reverse("team_delete", args=[alone.pk]))
    refresh(Board.objects.get())
    address = reverse("board", args=[limited.task.slug, limited.slug, 1])
    now, before = (client.get(address + query).content.decode() for query in ("", f"?on={yesterday.date()}"))
    assert 'title="The Lab"' in now
    assert 'title="Alice"' in before
    assert "your team" in before
    assert "A former team" not in now + before


def test_numbers_of_anonymous_boards_are_not_given_twice(client, limited, alone, lab, strangers, alice, charlie):
    make_submission(limited, lab, lab.members.get())
    make_submission(limited, alone, alice, PARTLY_RIGHT | {"note.txt": "2"})
    client.force_login(alice)
    join(client, lab)
    bring(client, lab, (alone, limited.task))
    make_submission(limited, strangers, charlie, PARTLY_RIGHT | {"note.txt": "3"})
    numbers = dict(limited.task.participations.values_list("team__name", "number"))
    assert numbers == {"The Lab": 1, "Charlie's team": 3}
    assert FormerParticipation.objects.get().number == 2


def test_runs_of_a_closed_phase_stay_where_they_were_ranked(client, limited, development, alone, lab, alice):
    make_submission(limited, alone, alice)
    make_submission(development, alone, alice)
    Phase.objects.filter(pk=limited.pk).update(closes=timezone.now())
    client.force_login(alice)
    join(client, lab)
    bring(client, lab, (alone, limited.task))
    assert dict(Submission.objects.values_list("phase__slug", "team__name")) == {
        "test": "Alice",
        "development": "The Lab",
    }
    assert set(limited.task.participations.values_list("team__name", flat=True)) == {"Alice", "The Lab"}


def test_two_who_each_tried_alone_meet_in_a_third_team(client, limited, alone, alice, bob):
    bobs = make_team("Bob", bob)
    make_submission(limited, alone, alice)
    make_submission(limited, bobs, bob, PARTLY_RIGHT | {"note.txt": "2"})
    client.force_login(alice)
    client.post(reverse("team_create"), {"name": "Joint", "affiliation": ""})
    joint = Team.objects.get(name="Joint")
    assert reverse("team_bring", args=[joint.pk]) in client.get(joint.get_absolute_url()).content.decode()
    bring(client, joint, (alone, limited.task))
    client.force_login(bob)
    join(client, joint)
    bring(client, joint, (bobs, limited.task))
    assert [part.team for part in limited.task.participations.all()] == [joint]
    for user, note in ((alice, "3"), (bob, "4")):
        client.force_login(user)
        assert upload(client, limited, joint, note).status_code == 302
    assert left(limited, joint) == 1


def test_a_team_brought_on_takes_those_with_it_that_were_brought_before(client, limited, alone, alice):
    second, third = make_team("Second", alice), make_team("Third", alice)
    make_submission(limited, alone, alice)
    client.force_login(alice)
    bring(client, second, (alone, limited.task))
    bring(client, third, (second, limited.task))
    former = FormerParticipation.objects.order_by("number")
    assert [(each.name, each.team) for each in former] == [("Alice", third), ("Second", third)]


def test_runs_of_a_team_with_other_members_are_nobodys_to_bring(client, limited, team, lab, alice):
    make_submission(limited, team, alice)
    client.force_login(alice)
    join(client, lab)
    bring(client, lab, (team, limited.task))
    assert Submission.objects.get().team == team


def test_nobody_brings_runs_into_a_team_of_others_or_runs_of_others(client, limited, strangers, alone, charlie, lab):
    make_submission(limited, strangers, charlie)
    client.force_login(charlie)
    assert client.post(reverse("team_bring", args=[lab.pk]), {"bring": "x"}).status_code == 404
    client.force_login(alone.members.get())
    join(client, lab)
    bring(client, lab, (strangers, limited.task))
    assert Submission.objects.get().team == strangers


def test_runs_do_not_go_to_a_task_where_the_teams_name_is_taken(client, limited, alone, lab, alice, strangers, charlie):
    make_submission(limited, alone, alice)
    make_submission(limited, strangers, charlie, PARTLY_RIGHT | {"note.txt": "2"})
    Team.objects.filter(pk=lab.pk).update(name="Charlie's Team", name_key=strangers.name_key)
    client.force_login(alice)
    join(client, lab)
    assert "Another team of this task is called Charlie's team" in texts(bring(client, lab, (alone, limited.task)))
    assert Submission.objects.get(uploader=alice).team == alone


def test_the_audit_trail_tells_whose_runs_went_where(client, limited, alone, lab, alice):
    made = make_submission(limited, alone, alice)
    client.force_login(alice)
    join(client, lab)
    bring(client, lab, (alone, limited.task))
    event = Event.objects.get(kind="runs brought along")
    assert (event.actor, event.detail) == (
        alice,
        {"former": "Alice", "team": "The Lab", "submissions": [str(made.pk)]},
    )
