"""One person uploads for one team where uploads are limited; of merged teams as many runs compete as of one."""

import threading
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts.models import Team
from evalsite.challenges.models import Event, FormerParticipation, Phase
from evalsite.leaderboard.combined.parts import sides_of
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, RecordRun
from evalsite.submissions import quotas
from evalsite.submissions.models import Choice, Result, Scoring, Submission
from evalsite.submissions.quotas import grant_allowance
from evalsite.submissions.receiving import admission
from evalsite.submissions.runs import changing
from evalsite.submissions.runs.choosing import NoChoice, choose
from evalsite.submissions.runs.merging import merge
from tests.factories import (
    PARTLY_RIGHT,
    make_gold,
    make_phase,
    make_run,
    make_submission,
    make_team,
    make_user,
    run_files,
    scored,
    zip_upload,
)
from tests.own_pieces import seen

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


def left(phase, team) -> int | None:
    return quotas.quota(phase, team, timezone.now()).left


# The rule, in each phase that has a limit.


def test_trying_alone_where_nothing_is_limited_binds_nobody(as_alice, limited, development, alone, lab):
    upload(as_alice, development, alone)
    join(as_alice, lab)
    assert upload(as_alice, development, lab).status_code == 302
    assert upload(as_alice, limited, lab).status_code == 302


def test_where_uploads_are_limited_a_person_uploads_for_one_team(as_alice, limited, alone, lab):
    upload(as_alice, limited, alone)
    join(as_alice, lab)
    answer = upload(as_alice, limited, lab, "2")
    text = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert "You upload for Alice in this phase" in text
    assert "Should Alice and The Lab be one team? Ask the organisers to merge them." in text
    assert Submission.objects.count() == 1


@pytest.mark.thorough
def test_what_used_no_place_binds_nobody(as_alice, limited, alone, lab):
    upload(as_alice, limited, alone)
    Scoring.objects.update(state="refused")
    join(as_alice, lab)
    assert upload(as_alice, limited, lab).status_code == 302


@pytest.mark.thorough
def test_team_mates_who_never_uploaded_are_not_bound(as_alice, as_bob, limited, team, lab):
    upload(as_alice, limited, team)
    assert upload(as_bob, limited, lab).status_code == 302


@pytest.mark.thorough
def test_who_uploaded_for_two_teams_before_there_was_a_limit_may_go_on_with_both(as_alice, phase, alone, team):
    for each in (alone, team):
        upload(as_alice, phase, each)
    Phase.objects.update(window_limit=5)
    assert [upload(as_alice, phase, each, "2").status_code for each in (alone, team)] == [302, 302]


@pytest.mark.thorough
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
        except admission.Rejection:
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


@pytest.mark.thorough
def test_the_first_upload_to_a_limited_phase_says_what_follows(as_alice, limited, alone):
    words = "a person uploads for one team only"
    assert words in page(as_alice, limited)
    upload(as_alice, limited, alone)
    assert words not in page(as_alice, limited)


@pytest.mark.thorough
def test_without_a_limit_nothing_is_said_of_it(as_alice, development, alone):
    assert "a person uploads for one team only" not in page(as_alice, development)


def test_the_form_chooses_the_team_that_may_upload_and_says_why_the_other_may_not(
    as_alice, limited, alone, team, lab, alice
):
    make_submission(limited, team, alice)
    text = page(as_alice, limited)
    radios = {line for line in text.split("<input") if 'name="team"' in line}
    chosen = next(line for line in radios if str(team.pk) in line)
    other = next(line for line in radios if str(alone.pk) in line)
    assert "checked" in chosen
    assert "disabled" not in chosen
    assert "disabled" in other
    assert "You upload for Alice and Bob in this phase" in text
    assert text.count("uploads left") == 1, "the quota of the team that may upload, and no other one"


@pytest.mark.thorough
def test_of_several_teams_that_may_upload_the_one_in_the_task_is_chosen_and_each_has_its_quota(
    as_alice, limited, alone, team, bob
):
    make_submission(limited, team, bob)
    text = page(as_alice, limited)
    assert text.count("</strong> uploads left") == 2
    chosen = [line for line in text.split("<input") if "checked" in line.split(">")[0]]
    assert [str(team.pk) in line for line in chosen] == [True]


def test_a_person_with_one_team_reads_its_name_and_quota(as_alice, limited, alone):
    text = " ".join(page(as_alice, limited).split())
    assert 'You upload as <bdi class="name">Alice</bdi>. <strong class="number">5</strong> uploads left.' in text


@pytest.mark.thorough
def test_the_page_of_the_task_shows_the_quota_of_the_team_that_may_upload(as_alice, limited, alone, team, alice, bob):
    make_submission(limited, alone, alice)
    make_submission(limited, team, bob)
    text = " ".join(seen(as_alice, limited.task.get_absolute_url()).split())
    assert text.count("uploads left") == 1
    assert '</span> uploads left for <bdi class="name">Alice</bdi>' in text


@pytest.mark.thorough
def test_the_join_page_says_what_follows(as_alice, limited, alone, lab, alice):
    make_submission(limited, alone, alice)
    text = " ".join(unescape(as_alice.get(reverse("team_join", args=[lab.invitation])).content.decode()).split())
    assert "each person uploads for only one team in a phase" in text


# Two teams that the organisers merge.


def test_runs_of_a_merged_team_are_the_other_ones_with_the_places_that_they_used(
    as_alice, as_bob, limited, alone, lab, alice, bob, olga
):
    for note in "12":
        make_submission(limited, alone, alice, PARTLY_RIGHT | {"note.txt": note})
    make_submission(limited, lab, bob)
    merge(limited.task, alone, lab, by=olga)
    assert set(Submission.objects.values_list("team__name", flat=True)) == {"The Lab"}
    assert left(limited, lab) == 2
    assert upload(as_alice, limited, lab, "4").status_code == 302
    assert as_bob.get(Submission.objects.filter(uploader=alice).first().get_absolute_url()).status_code == 200


@pytest.mark.thorough
def test_more_used_places_than_the_limit_leave_none(limited, alone, lab, alice, bob, olga):
    for note in "1234":
        make_submission(limited, alone, alice, PARTLY_RIGHT | {"note.txt": note})
        make_submission(limited, lab, bob, PARTLY_RIGHT | {"note.txt": note})
    merge(limited.task, alone, lab, by=olga)
    quota = quotas.quota(limited, lab, timezone.now())
    fourth_oldest = Submission.objects.order_by("created")[3]
    assert quota.left == 0
    assert quota.next_possible == fourth_oldest.created + limited.window


def test_a_merged_team_leaves_no_ghost_in_the_task(as_alice, limited, alone, lab, alice, bob, olga):
    make_run(limited, lab, run_files(relations=""))
    make_run(limited, alone)
    merge(limited.task, alone, lab, by=olga)
    refresh(Board.objects.get())
    [entry] = Board.objects.get().editions.get().entries
    assert (entry["team"], entry["n_runs"]) == (str(lab.pk), 2)
    assert [part.team for part in limited.task.participations.all()] == [lab]
    assert as_alice.post(reverse("team_delete", args=[alone.pk])).url == reverse("teams")
    assert not Team.objects.filter(pk=alone.pk).exists(), "without runs it can go"


@pytest.mark.thorough
def test_a_board_of_before_still_names_the_former_team_even_when_that_is_deleted(
    as_alice, limited, alone, lab, alice, olga
):
    make_run(limited, alone)
    make_run(limited, lab, run_files(relations=""))
    board = Board.objects.get()
    refresh(board)
    yesterday = timezone.now() - timedelta(days=1)
    board.editions.update(day=yesterday.date(), made=yesterday)
    merge(limited.task, alone, lab, by=olga)
    as_alice.post(reverse("team_delete", args=[alone.pk]))
    refresh(Board.objects.get())
    address = reverse("board", args=[limited.task.slug, limited.slug, 1])
    now, before = (as_alice.get(address + query).content.decode() for query in ("", f"?on={yesterday.date()}"))
    assert 'title="The Lab"' in now
    assert 'title="Alice"' in before
    assert "your team" in before
    assert "A former team" not in now + before


@pytest.mark.thorough
def test_numbers_of_anonymous_boards_are_not_given_twice(limited, alone, lab, strangers, alice, charlie, olga):
    make_submission(limited, lab, lab.members.get())
    make_submission(limited, alone, alice, PARTLY_RIGHT | {"note.txt": "2"})
    merge(limited.task, alone, lab, by=olga)
    make_submission(limited, strangers, charlie, PARTLY_RIGHT | {"note.txt": "3"})
    numbers = dict(limited.task.participations.values_list("team__name", "number"))
    assert numbers == {"The Lab": 1, "Charlie's team": 3}
    assert FormerParticipation.objects.get().number == 2


@pytest.mark.thorough
def test_a_team_merged_on_takes_those_with_it_that_were_merged_before(
    phase, alone, lab, strangers, alice, bob, charlie, olga
):
    for number, (team, person) in enumerate(((alone, alice), (lab, bob), (strangers, charlie))):
        make_submission(phase, team, person, PARTLY_RIGHT | {"note.txt": f"{number}"})
    merge(phase.task, alone, lab, by=olga)
    merge(phase.task, lab, strangers, by=olga)
    former = FormerParticipation.objects.order_by("number")
    assert [(each.name, each.team) for each in former] == [("Alice", strangers), ("The Lab", strangers)]


# What competes of a joint team's runs.


@pytest.fixture
def total(phase) -> Phase:
    """A phase that takes two runs of a team in all."""
    phase.opens, phase.total_limit = timezone.now() - timedelta(days=9), 2
    phase.save()
    return phase


FILES = (PARTLY_RIGHT, run_files(relations=""), run_files())  # each better than those before


def sent(phase, team, *ago) -> list[Submission]:
    """Runs of the team's owner, so many hours ago, the better the later; not scored yet."""
    now, owner = timezone.now(), team.memberships.get(is_owner=True).user
    made = []
    for number, hours in enumerate(ago):
        files, arrived = FILES[number] | {"note.txt": f"{team} {hours}"}, now - timedelta(hours=hours)
        made.append(make_submission(phase, team, owner, files, method=f"{team} {hours}", arrived=arrived))
    return made


def uploaded(phase, team, *ago) -> list[Submission]:
    return [scored(run) for run in sent(phase, team, *ago)]


def beyond(phase) -> set[str]:
    return set(Submission.objects.filter(phase=phase, is_beyond_limit=True).values_list("method", flat=True))


def entries(phase) -> list[tuple[str, str, int | None, int]]:
    board = Board.objects.get(phase=phase)
    refresh(board)
    found = board.editions.order_by("-made")[0].entries
    return sorted((each["method"], each["reference"], each["rank"], each["n_runs"]) for each in found)


def test_of_a_joint_team_so_many_runs_compete_as_the_phase_allows_the_first_in_time(total, alone, lab, olga):
    uploaded(total, alone, 8, 2)
    uploaded(total, lab, 6, 4)
    with pytest.raises(admission.Rejection):
        uploaded(total, alone, 1)
    merge(total.task, alone, lab, by=olga)
    assert beyond(total) == {"The Lab 4", "Alice 2"}
    assert entries(total) == [("Alice 8", "", 1, 2), ("The Lab 4", "beyond", None, 2)]
    assert left(total, lab) == 0


def test_runs_beyond_the_limits_are_shown_with_the_reason(as_alice, total, alone, lab, olga):
    _, late = uploaded(total, alone, 8, 2)
    uploaded(total, lab, 6)
    merge(total.task, alone, lab, by=olga)
    entries(total)
    reason = "beyond the uploads that the phase allows"
    run = " ".join(as_alice.get(late.get_absolute_url()).content.decode().split())
    assert f"It is {reason} and does not compete" in run
    assert f"It is {reason}, so it is outside the ranks" in run
    address = reverse("board", args=[total.task.slug, total.slug, 1])
    assert reason in " ".join(as_alice.get(address).content.decode().split())
    assert "beyond the limits" in as_alice.get(reverse("submissions", args=[total.task.slug])).content.decode()
    rows = as_alice.get(f"{address}board.csv").content.decode().splitlines()[1:]
    assert [(row.split(",")[0], row.split(",")[6]) for row in rows] == [("", "beyond"), ("1", "")]


@pytest.mark.thorough
def test_organisers_see_how_many_runs_of_a_merged_team_do_not_compete(as_olga, total, alone, lab, olga):
    sent(total, alone, 8, 7)
    sent(total, lab, 6)
    merge(total.task, alone, lab, by=olga)
    last = str(Submission.objects.get(method="The Lab 6").pk)
    assert Event.objects.get(kind="teams merged").detail["beyond_limit"] == [last]
    page = as_olga.get(reverse("desk_teams", args=[total.task.slug])).content.decode()
    link = next(line for line in page.split('"') if "stands=beyond" in line).replace("&amp;", "&")
    assert "1 beyond the limits" in " ".join(page.split())
    runs = as_olga.get(link).content.decode()
    assert ("The Lab 6" in runs, "Alice 8" in runs) == (True, False)


@pytest.mark.thorough
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_after_several_merges_in_a_row_it_does_not_matter_which_was_first(total, lab, olga, order):
    sent(total, lab, 9)
    people = [make_user(name) for name in ("Uno", "Dos", "Tres")]
    teams = [make_team(person.name, person) for person in people]
    for number, team in enumerate(teams):
        sent(total, team, 10 - number, 3 - number)
    for number in order:
        merge(total.task, teams[number], lab, by=olga)
    assert Submission.objects.filter(team=lab).count() == 7
    competing = Submission.objects.filter(is_beyond_limit=False).order_by("created").values_list("method", flat=True)
    assert list(competing)[0] == "Uno 10"
    assert len(competing) == 2


@pytest.mark.thorough
@pytest.mark.parametrize(
    "limits",
    [
        {"total_limit": 5},
        {"window_limit": 2},
        {"total_limit": 6, "window_limit": 3},
        {"year_limit": 6, "year": "rolling", "window_limit": 3},
    ],
)
def test_of_a_joint_team_compete_those_runs_that_one_team_could_have_uploaded(phase, alone, lab, charlie, olga, limits):
    vars(phase).update(limits, opens=timezone.now() - timedelta(days=9), window=timedelta(hours=5))
    phase.save()
    one, now, taken = make_team("One", charlie), timezone.now(), set()
    for number, hours in enumerate((40, 39, 37, 36, 34.5, 34, 30, 29, 28, 27, 12, 11, 10.5, 10)):
        arrived = now - timedelta(hours=hours)
        for team in ([alone, lab][number % 2], one):
            try:
                make_submission(phase, team, team.members.get(), FILES[0] | {"note.txt": f"{hours}"}, arrived=arrived)
            except admission.Rejection:
                continue
            if team == one:
                taken.add(arrived)
    merge(phase.task, alone, lab, by=olga)
    without = quotas.beyond_limits(phase, lab)
    assert set(lab.submissions.exclude(pk__in=without).values_list("created", flat=True)) == taken
    assert without


@pytest.mark.thorough
def test_a_withdrawn_run_has_used_its_place_and_a_refused_one_none(total, alone, lab, alice, olga):
    withdrawn, _ = uploaded(total, alone, 8, 2)
    refused, *_ = uploaded(total, lab, 6, 4)
    changing.withdraw([withdrawn], by=alice)
    Scoring.objects.filter(submission=refused).update(state="refused")
    Result.objects.filter(scoring__submission=refused).delete()
    merge(total.task, alone, lab, by=olga)
    assert beyond(total) == {"Alice 2"}
    assert entries(total) == [("Alice 2", "beyond", None, 1), ("The Lab 4", "", 1, 2)]


@pytest.mark.thorough
def test_what_failed_beyond_the_limits_does_not_compete_when_it_is_scored_at_last(total, alone, lab, olga):
    """Or a fault of ours at the right moment would give a place."""
    _, failed = sent(total, alone, 8, 1)
    sent(total, lab, 6, 4)
    Scoring.objects.filter(submission=failed).update(state="failed")
    merge(total.task, alone, lab, by=olga)
    Scoring.objects.filter(submission=failed).update(state="scored")
    assert beyond(total) == {"Alice 1", "The Lab 4"}


@pytest.mark.thorough
def test_extra_uploads_that_organisers_gave_compete_beside_the_limits(total, alone, lab, olga):
    sent(total, lab, 8, 7)
    grant_allowance(total, lab, 1, reason="the server was down", by=olga)
    sent(total, lab, 3)
    sent(total, alone, 2)
    merge(total.task, alone, lab, by=olga)
    assert beyond(total) == {"Alice 2"}


@pytest.mark.thorough
def test_where_nothing_is_limited_all_runs_of_a_joint_team_compete(phase, alone, lab, olga):
    sent(phase, alone, 8, 2)
    sent(phase, lab, 6, 4)
    merge(phase.task, alone, lab, by=olga)
    assert beyond(phase) == set()


@pytest.mark.thorough
@pytest.mark.parametrize("counts", ["best", "last", "chosen"])
def test_whatever_counts_it_is_a_run_within_the_limits(as_alice, total, scenario, alone, lab, alice, counts, olga):
    total.counts = counts
    total.save()
    uploaded(total, alone, 8)
    _, best = uploaded(total, lab, 6, 2)
    if counts == "chosen":
        choose(total, scenario, lab, best, by=alice)
    merge(total.task, alone, lab, by=olga)
    ranked = [method for method, reference, *_ in entries(total) if not reference]
    assert ranked == (["Alice 8"] if counts == "best" else ["The Lab 6"])
    assert not Choice.objects.exists()
    with pytest.raises(NoChoice):
        choose(total, scenario, lab, best, by=alice)
    if counts == "chosen":
        page = as_alice.get(reverse("submissions", args=[total.task.slug])).content.decode()
        assert f'<option value="{best.pk}"' not in page
    assert best.pk not in set(RecordRun.objects.values_list("result__scoring__submission", flat=True))
    assert {side.submission for side in sides_of(total)} & {str(best.pk)} == set()


@pytest.mark.thorough
def test_what_does_not_compete_may_be_uploaded_again_once_there_is_a_place(total, alone, lab, bob, olga):
    sent(total, alone, 8)
    _, second = sent(total, lab, 6, 2)
    merge(total.task, alone, lab, by=olga)
    same = {"files": FILES[1] | {"note.txt": "The Lab 2"}}
    with pytest.raises(admission.Rejection):
        make_submission(total, lab, bob, **same)
    grant_allowance(total, lab, 1, reason="two teams have become one", by=olga)
    again = make_submission(total, lab, bob, **same)
    assert (again.sha256, again.is_beyond_limit) == (second.sha256, False)
