"""The page on which organisers split a gold, and what boards, files and the release say of its parts."""

import csv
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.gold import parts
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold, GoldSplit, Part
from evalsite.desk.making.cloning import clone
from evalsite.submissions.lifecycle.candidates import publish
from tests.evalsite.board_pages.pages import text
from tests.factories import make_gold, make_phase, make_scenario, make_task, work_off
from tests.split_gold import GOLD, ITEMS, after, end, make_split_run, make_split_task, refreshed, table, units, wrong_in

pytestmark = pytest.mark.django_db
SHARE = {"way": "share", "percent": "50", "seed": "4", "separator": "", "units": ""}


@pytest.fixture
def gold(olga):
    task = make_task("parts", organiser=olga)
    scenario = make_scenario(task, family="labels", options={"headline": "accuracy"})
    return make_gold(make_phase(task), scenario, table(GOLD))


def address(gold, name="desk_gold_split"):
    return reverse(name, args=[gold.phase.task.slug, gold.pk])


def test_both_parts_are_looked_at_before_the_gold_is_split(as_olga, gold):
    look = as_olga.post(address(gold), SHARE | {"look": "1"})
    assert "Shown part 30 30" in text(look.content.decode())
    assert not GoldSplit.objects.exists()

    assert as_olga.post(address(gold), SHARE | {"split": "1"}).status_code == 302

    split = GoldSplit.objects.get()
    assert (split.percent, split.seed, len(split.shown)) == (50, 4, 30)
    listed = as_olga.get(address(gold, "desk_gold_split_units")).content.decode()
    parts = {row["unit"]: row["part"] for row in csv.DictReader(listed.splitlines())}
    assert [unit for unit, part in parts.items() if part == "shown"] == split.units(Part.SHOWN)
    assert as_olga.post(address(gold), {"join": "1"}).status_code == 302
    assert not GoldSplit.objects.exists()


def test_a_list_comes_as_text_or_as_a_file_and_is_told_what_is_wrong(as_olga, gold):
    listed = {"way": "list", "units": "i00\nnobody", "split": "1"}
    refused = as_olga.post(address(gold), listed)
    assert refused.status_code == 422
    assert "Line 2: no unit is called “nobody”" in text(refused.content.decode())
    file = SimpleUploadedFile("shown.txt", ("\ufeff" + "\r\n".join(ITEMS[:25])).encode())
    assert as_olga.post(address(gold), {"way": "list", "file": file, "split": "1"}).status_code == 302
    assert GoldSplit.objects.get().units(Part.SHOWN) == ITEMS[:25]


@pytest.mark.parametrize("wrong", [{"percent": "0"}, {"percent": ""}, {"seed": "-1"}, {"percent": "95"}, {"way": "x"}])
def test_what_makes_no_parts_changes_nothing(as_olga, gold, wrong):
    assert as_olga.post(address(gold), SHARE | {"split": "1"} | wrong).status_code == 422
    assert not GoldSplit.objects.exists()


def test_share_and_seed_are_asked_for_where_units_are_drawn_and_not_where_they_are_listed(as_olga, gold):
    page = text(as_olga.get(address(gold)).content.decode())
    assert "per cent (optional)" not in page
    assert "Seed (optional)" not in page
    shown = "\n".join(parts.units_of(gold)[:30])
    listed = {"way": "list", "percent": "", "seed": "", "units": shown, "split": "1"}
    assert as_olga.post(address(gold), SHARE | listed).status_code == 302
    assert len(GoldSplit.objects.get().shown) == 30


def test_the_board_says_which_part_it_shows_and_keeps_the_other(client, olga, team, strangers):
    phase, scenario = make_split_task(olga)
    make_split_run(phase, team, wrong_in(units(phase, scenario, Part.RANKED), 3))
    make_split_run(phase, strangers, wrong_in(units(phase, scenario, Part.SHOWN), 6))
    refreshed(phase)
    board = reverse("board", args=["parts", "test", 1])
    before = text(client.get(board).content.decode())
    assert "All numbers come from the shown part of the gold, 30 of 60 items." in before
    assert "On the shown part" not in before

    end(phase)

    then = text(client.get(board).content.decode())
    assert "The board is that of the ranked part of the gold, 30 of 60 items" in then
    assert "On the shown part" in then
    assert "The ranked part of the gold decides since" in then
    assert "Gold version" not in then
    former = text(client.get(board + "?gold=1").content.decode())
    assert "All numbers come from the shown part" in former
    record = json.loads(client.get(reverse("board_export", args=["parts", "test", 1, "json"])).content)
    assert record["gold_part"] == {"part": "ranked", "n_units": 30, "of": 60}
    assert [entry["shown_part"] for entry in record["entries"]] == [0.8, 1.0]
    rows = csv.DictReader(
        client.get(reverse("board_export", args=["parts", "test", 1, "csv"])).content.decode().splitlines()
    )
    assert [float(row["shown_part"]) for row in rows] == [0.8, 1.0]


def test_a_correction_of_split_gold_is_version_2_on_all_pages(client, as_olga, olga, team):
    phase, scenario = make_split_task(olga)
    make_split_run(phase, team, table(GOLD))
    refreshed(phase)
    first, *_ = units(phase, scenario, Part.SHOWN)
    candidate = make_gold(phase, scenario, table(GOLD | {first: after(GOLD[first])}))
    work_off()
    assert "Gold version 2" in text(as_olga.get(address(candidate, "desk_gold_version")).content.decode())
    publish(candidate, by=olga, note="one label mended")
    work_off()
    refreshed(phase)
    board = reverse("board", args=["parts", "test", 1])
    assert "Gold version 2 since" in text(client.get(board).content.decode())

    end(phase)

    page = text(client.get(board).content.decode())
    assert "The ranked part of the gold decides since" in page
    assert "By the shown part of version 2 of the gold, until" in page
    assert "By the shown part of version 1 of the gold, until" in page
    assert "version 3" not in page
    assert "version 4" not in page
    assert "version 4" not in text(as_olga.get(reverse("desk_gold", args=["parts"])).content.decode())


def test_the_release_says_what_decides_and_what_gold_would_tell(as_olga, olga):
    phase, _ = make_split_task(olga)
    page = text(as_olga.get(reverse("desk_release_phase", args=["parts", "test"])).content.decode())
    assert "the ranked part of the gold decides, once the phase takes no more uploads" in page
    assert "anyone who has the gold can read it" in page


def test_a_clone_has_the_same_parts(olga):
    phase, scenario = make_split_task(olga)
    task = clone(phase.task, "Next year", timezone.now(), with_gold=True, by=olga)
    copy = gold_in_force(task.phases.get(), task.scenarios.get())
    assert (copy.part, copy.n_units, copy.n_units_in_file) == ("shown", 30, 60)
    assert copy.split.units(Part.SHOWN) == units(phase, scenario, Part.SHOWN)
    assert copy.split != gold_in_force(phase, scenario).split
    assert Gold.objects.get(phase__task=task, state="held").n_units == 30
