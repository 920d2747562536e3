"""Corrections of gold that is split into parts, as the public list of decisions tells them."""

import pytest

from evalsite.challenges.models import Part
from evalsite.submissions.lifecycle.candidates import publish
from tests.evalsite.board_pages.pages import text
from tests.factories import make_gold, work_off
from tests.split_gold import GOLD, after, end, make_split_run, make_split_task, refreshed, table, units

pytestmark = pytest.mark.django_db


def test_a_correction_of_both_parts_is_one_version_and_then_the_ranked_part_decides(client, olga, team):
    phase, scenario = make_split_task(olga)
    make_split_run(phase, team, table(GOLD))
    refreshed(phase)
    first, *_ = units(phase, scenario, Part.SHOWN)
    candidate = make_gold(phase, scenario, table(GOLD | {first: after(GOLD[first])}))
    work_off()
    publish(candidate, by=olga, note="one label mended")
    work_off()
    refreshed(phase)
    end(phase)
    decisions = text(client.get("/tasks/parts/decisions/").content.decode())
    assert "Gold changed: version 1 → 2" in decisions
    assert "The ranked part of the gold decides" in decisions
