"""Who could read the hidden gold: counted on the board, from the list of organisers and the log."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts.models import Membership
from evalsite.challenges.models import Participation, Phase, record
from tests.evalsite.board_pages.pages import page, text
from tests.evalsite.leaderboard.boards import make_board, make_entry
from tests.factories import make_organiser, make_user

pytestmark = pytest.mark.django_db
MARK = "could read the gold"


@pytest.fixture
def board(phase, scenario, team, strangers):
    """A task of olga, with the teams of alice and charlie on its board."""
    for number, each in enumerate((team, strangers), start=1):
        Participation.objects.create(task=phase.task, team=each, number=number)
    return make_board(phase, scenario, [make_entry(team, 0.6, 1), make_entry(strangers, 0.5, 2)])


def line(client) -> str:
    shown = text(page(client))
    return shown[shown.index("could read the gold, besides") - 10 :].partition(" here.")[0] + " here."


def test_the_board_counts_organisers_in_every_role(client, board, task, olga):
    assert line(client).endswith(
        "1 person could read the gold, besides the site's administrators; none of them has an entry here."
    )
    make_organiser(task, make_user("Vera"), "viewer")
    assert "2 people could read" in line(client)


def test_who_is_on_the_list_and_in_a_team_is_counted_and_the_team_marked(client, board, task, strangers, olga):
    Membership.objects.create(team=strangers, user=olga)
    assert line(client).endswith("1 of them has an entry here.")
    html = page(client)
    assert text(html).count(MARK) == 2  # the sentence, and one row
    row = html[html.index("Charlie") : html.index("</tr>", html.index("Charlie"))]
    assert MARK in row


def test_who_has_left_is_known_by_the_log_unless_it_was_before_the_gold(client, as_olga, board, task, alice, phase):
    make_organiser(task, alice)
    as_olga.post(reverse("desk_people_remove", args=[task.slug, alice.pk]))
    assert "2 people could read" in line(client)
    assert line(client).endswith("1 of them has an entry here.")
    phase.golds.update(created=timezone.now() + timedelta(minutes=1))
    phase.save()  # so that no page of before is shown
    assert "1 person could read" in line(client)


def test_without_names_no_row_is_marked(client, board, strangers, olga, phase):
    Phase.objects.update(is_anonymous=True)
    Membership.objects.create(team=strangers, user=olga)
    assert line(client).endswith("1 of them has an entry here.")
    assert text(page(client)).count(MARK) == 1


def test_of_open_gold_nothing_is_said(client, board, phase, task, olga):
    record(task, "organiser left", actor=olga, subject=olga.pk)
    Phase.objects.update(gold_released=True)
    assert MARK not in text(page(client))
