"""Migrations that move rows, run on rows of before."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.utils import timezone

from evalsite.challenges.models import Phase
from tests.factories import make_phase


def migration(name):
    return import_module(f"evalsite.challenges.migrations.{name}")


@pytest.mark.django_db
def test_boards_for_nobody_are_boards_for_organisers(task):
    hidden, shown = make_phase(task, "hidden"), make_phase(task, "shown", board_audience="participants")
    Phase.objects.filter(pk=hidden.pk).update(board_audience="nobody")
    migration("0004_organisers_for_nobody").name_the_organisers(apps, None)
    assert dict(Phase.objects.values_list("slug", "board_audience")) == {
        "hidden": "organisers",
        "shown": "participants",
    }
    assert shown.board_audience == "participants"


@pytest.mark.django_db
def test_phases_that_are_there_are_ordered_by_their_opening(task):
    now = timezone.now()
    for slug, days in (("last", 3), ("first", 1), ("middle", 2)):
        make_phase(task, slug, opens=now + timedelta(days=days), closes=None)
    migration("0005_phase_created").order_by_opening(apps, None)
    assert list(Phase.objects.order_by("created").values_list("slug", flat=True)) == ["first", "middle", "last"]
