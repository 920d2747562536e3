"""Until a phase closes nothing that others than organisers get depends on the ranked part of its gold."""

import re

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from evalsite.base.contrib import board_pages
from evalsite.challenges.models import Gold, Part
from evalsite.leaderboard.models import Board, Edition
from evalsite.submissions.lifecycle.rescoring import _AS_NEW
from evalsite.submissions.models import Result, Scoring
from evalsite.submissions.runs.choosing import choose
from tests.evalsite.test_gold_canary import body, enter
from tests.factories import scored, work_off, zip_of
from tests.split_gold import (
    GOLD,
    ITEMS,
    change_ranked_part,
    make_split_run,
    make_split_task,
    refreshed,
    table,
    units,
    wrong_in,
)

pytestmark = pytest.mark.django_db
THEN = timezone.now().replace(microsecond=0)
ROLES = ("stranger", "alice", "charlie")


@pytest.fixture
def phase(olga, team, strangers, alice):
    """Three runs of two teams; the middle one, by which the parts differ most, is chosen."""
    phase, scenario = make_split_task(olga)
    make_split_run(phase, team, wrong_in(ITEMS, 9), method="First")
    make_split_run(phase, team, wrong_in(units(phase, scenario, Part.RANKED), 12), method="Second")
    make_split_run(phase, strangers, wrong_in(units(phase, scenario, Part.SHOWN), 5), method="Theirs")
    refreshed(phase)
    return phase


def score_everything_anew(phase):
    """Score all runs on both parts as if they had just come, and date everything alike."""
    Edition.objects.all().delete()
    Result.objects.all().delete()
    Scoring.objects.update(**_AS_NEW)
    for run in phase.submissions.all():
        scored(run)
    Board.objects.update(to_recount=True)
    refreshed(phase)
    Scoring.objects.update(created=THEN, started=THEN, finished=THEN, enqueued=THEN)
    Edition.objects.update(made=THEN)


def addresses(phase):
    runs = list(phase.submissions.order_by("method"))
    board = [phase.task.slug, phase.slug, 1]
    yield from ("/", reverse("task", args=board[:1]), reverse("submissions", args=board[:1]))
    for name in ("board", "board_pairs", *board_pages()):
        yield reverse(name, args=board)
    pair = f"?one={runs[0].pk}&other={runs[1].pk}"
    yield from (reverse("board_compare", args=board) + pair, reverse("board_compare_units", args=board) + pair)
    yield from (reverse("board_export", args=[*board, suffix]) for suffix in ("csv", "json", "tex", "md", "svg"))
    yield from (reverse("board_overview", args=board[:2]), reverse("kit", args=board[:2]))
    for run in runs:
        yield reverse("submission", args=[run.pk])
        yield from (reverse(name, args=[run.pk, 1]) for name in ("submission_scores", "submission_units"))
        yield from (reverse("submission_unit", args=[run.pk, 1, unit]) for unit in ITEMS[:8])
        yield reverse("api:submission", args=[run.pk])
        yield reverse("api:submission_scores", args=[run.pk, 1])
    yield from (reverse(f"api:{name}", args=board[:n]) for name, n in (("task", 1), ("phase", 2), ("board", 3)))
    yield reverse("api:submissions", args=board[:1])
    yield from (reverse("gold", args=[gold.pk]) for gold in Gold.objects.order_by("version"))
    yield from (reverse("desk_gold_version", args=[board[0], gold.pk]) for gold in Gold.objects.order_by("version"))


def checked(client, phase):
    """The answer to a check of a file, as one has it before an upload."""
    files = [SimpleUploadedFile("run.zip", zip_of(wrong_in(ITEMS, 20, seed=3)))]
    return body(client.post(reverse("open_check", args=[phase.task.slug, phase.slug]), {"files": files}))


def answers(phase, client, user=None):
    if user:
        enter(client, user)
    found = {address: plain(body(client.get(address))) for address in addresses(phase)}
    return found | {"check": plain(checked(client, phase))}


def plain(text):
    """An answer without what differs from one request to the next."""
    return re.sub(r'(csrfmiddlewaretoken" value=|nonce-|data-token=|csrf[a-z-]*&quot;: &quot;)"?[\w-]+', "", text)


@pytest.mark.parametrize("role", ROLES)
def test_every_answer_stays_the_same_when_only_the_ranked_part_changes(phase, client, request, role):
    user = None if role == "stranger" else request.getfixturevalue(role)
    scenario = phase.task.scenarios.get()
    score_everything_anew(phase)
    before, told = answers(phase, client, user), scores_of(Part.RANKED)

    assert change_ranked_part(phase, scenario) == 30
    score_everything_anew(phase)

    assert scores_of(Part.RANKED) != told  # so the change is one that could be seen
    after = answers(phase, client, user)
    assert [address for address in before if before[address] != after[address]] == []


def scores_of(part):
    results = Result.objects.filter(scoring__gold__part=part)
    return dict(results.values_list("scoring__submission__method", "headline"))


def test_organisers_see_the_ranked_part_at_any_time(phase, as_olga):
    held = Gold.objects.get(part=Part.RANKED)
    work_off()
    page = body(as_olga.get(reverse("desk_gold_version", args=[phase.task.slug, held.pk])))
    assert "it decides once the phase is over" in page
    assert "0.600" in page  # 12 mistakes in 30 items, of the run that is perfect on the shown part
    assert "let it rank" not in page


@pytest.mark.thorough
def test_no_letter_tells_of_the_ranked_part(phase, alice, team):
    scenario = phase.task.scenarios.get()
    phase.counts = phase.Counts.TWO
    phase.save()
    choose(phase, scenario, team, *phase.submissions.filter(method="Second"), by=alice)
    work_off()
    assert all("ranked" not in letter.body for letter in mail.outbox)


def test_a_unit_of_the_ranked_part_is_no_page(phase, as_olga):
    run = phase.submissions.get(method="First")
    scenario = phase.task.scenarios.get()
    for part, status in ((Part.SHOWN, 200), (Part.RANKED, 404)):
        unit = units(phase, scenario, part)[0]
        assert as_olga.get(reverse("submission_unit", args=[run.pk, 1, unit])).status_code == status


@pytest.mark.thorough
def test_the_run_that_is_the_gold_is_perfect_on_both(phase, strangers):
    make_split_run(phase, strangers, table(GOLD), method="All")
    assert Result.objects.filter(scoring__submission__method="All", headline=1.0).count() == 2
