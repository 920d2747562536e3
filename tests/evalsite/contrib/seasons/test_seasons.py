"""The next season: a task goes on in a new phase, and the board before stays as it is."""

from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.gold.inputs import read_input, store_input
from evalsite.challenges.models import Download, Event, Gold, Phase
from evalsite.contrib.seasons.forms import next_name
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, Combined
from evalsite.submissions.lifecycle.candidates import publish
from evalsite.submissions.receiving.admission import Rejection
from scoring.readers.archive import Named
from tests.desk_parts import PartsPage
from tests.evalsite import families
from tests.evalsite.board_pages.pages import text
from tests.factories import (
    PARTLY_RIGHT,
    make_gold,
    make_phase,
    make_run,
    make_scenario,
    make_submission,
    run_files,
    work_off,
)
from tests.split_gold import make_split_task

pytestmark = pytest.mark.django_db
TASKS = [
    *(families.make_answered, families.make_ranked, families.make_judged, families.make_annotated),
    *(families.make_chained, families.make_listed, families.make_treebank, families.make_transcribed),
]


@pytest.fixture
def run(phase, team):
    found = make_run(phase, team, PARTLY_RIGHT)
    refresh(Board.objects.select_related("phase", "scenario").get())
    return found


def page_of(olga, phase) -> PartsPage:
    return PartsPage(olga, reverse("desk_phases_season", args=[phase.task.slug, phase.slug]))


def begun(olga, phase, **typed) -> Phase:
    answer = page_of(olga, phase).save("season", **typed)
    assert answer.status_code == 302, answer.content.decode()
    return phase.task.phases.exclude(pk=phase.pk).get()


def test_the_new_season_is_like_the_one_before_with_a_copy_of_its_gold(olga, phase, run):
    Phase.objects.update(window_limit=3, is_ladder=True, description="Every year.", is_anonymous=True)
    Download.objects.create(task=phase.task, phase=phase, title="Input", file=ContentFile(b"x", "input.txt"))
    Combined.objects.create(phase=phase, formula="mean(*.f1)")
    new = begun(olga, phase, name="Test 2", slug="")
    assert (new.slug, new.state, new.closes) == ("test-2", "open", None)
    assert (new.window_limit, new.is_ladder, new.description, new.is_anonymous) == (3, True, "Every year.", True)
    assert (new.gold_released, new.results_released, new.is_former_season) == (False, None, False)
    old, copied = phase.golds.get(), new.golds.get()
    assert (copied.sha256, copied.version, copied.state) == (old.sha256, 1, "published")
    assert copied.file.name != old.file.name
    with new.downloads.get().file.open() as file:
        assert file.read() == b"x"
    assert new.combined.formula == "mean(*.f1)"
    kinds = set(Event.objects.values_list("kind", flat=True))
    assert {"phase added", "phase changed", "gold added"} <= kinds


@pytest.mark.thorough
def test_the_season_before_is_closed_released_and_readable_where_it_was(olga, client, phase, run, team, alice):
    begun(olga, phase, name="Test 2", slug="second")
    phase.refresh_from_db()
    assert (phase.state, phase.is_released, phase.is_former_season) == ("closed", True, True)
    board = client.get(reverse("board", args=[phase.task.slug, phase.slug, 1]))
    assert "Alice and Bob" in board.content.decode()
    with pytest.raises(Rejection, match="closed"):
        make_submission(phase, team, alice, run_files())


def test_teams_upload_to_the_new_season_at_once(olga, phase, run, team):
    new = begun(olga, phase, name="Test 2", slug="second")
    assert make_run(new, team, PARTLY_RIGHT).scorings.get().state == "scored"


@pytest.mark.thorough
def test_pages_show_the_current_season_and_list_the_former_ones(olga, client, phase, run):
    new = begun(olga, phase, name="Second year", slug="second")
    page = client.get(phase.task.get_absolute_url()).content.decode()
    told = text(page[page.index('<h2 id="phases"') : page.index('id="data"')])
    assert told.index("Second year") < told.index("Former seasons") < told.rindex("Test")
    assert reverse("board", args=[phase.task.slug, phase.slug, 1]) in page
    assert new.name in text(client.get("/").content.decode())


def test_without_the_gold_and_the_release_neither_is_given(olga, client, phase, run):
    new = begun(olga, phase, name="Test 2", slug="second", with_gold="", releases_results="")
    assert not new.golds.exists()
    phase.refresh_from_db()
    assert phase.results_released is None


@pytest.fixture
def collecting(task, tmp_path) -> Phase:
    """A phase that takes runs on two sentences before there is gold."""
    phase, scenario = make_phase(task, mend_days=3), make_scenario(task)
    path = tmp_path / "input_scenario1.txt"
    path.write_text(run_files()[path.name])
    store_input(phase, scenario, read_input(scenario, Named(str(path), path.name)), by=None)
    return phase


def test_the_next_season_of_a_phase_that_collects_has_its_input_and_takes_runs_that_wait(olga, collecting, team, alice):
    new = begun(olga, collecting, name="Test 2", slug="second")
    old, copied = collecting.golds.get(), new.golds.get()
    assert (copied.is_input, copied.version, copied.n_units, copied.sha256) == (True, 0, 2, old.sha256)
    assert copied.file.name != old.file.name
    assert new.mend_days == 3
    scoring = make_submission(new, team, alice).scorings.get()
    assert (scoring.gold, scoring.awaits_gold) == (copied, True)


def test_the_next_season_of_a_phase_whose_gold_has_come_begins_with_the_gold(olga, collecting, team, alice):
    make_submission(collecting, team, alice)
    gold = make_gold(collecting, collecting.task.scenarios.get())
    work_off()
    gold.refresh_from_db()
    publish(gold, by=olga)
    new = begun(olga, collecting, name="Test 2", slug="second")
    copied = new.golds.get()
    assert (copied.is_input, copied.version, copied.sha256) == (False, 1, gold.sha256)


def test_who_begins_it_second_is_told_and_nothing_is_made_twice(olga, otto, phase, run):
    first, second = page_of(olga, phase), page_of(otto, phase)
    assert first.save("season", name="Second", slug="second").status_code == 302
    assert second.save("season", name="Other", slug="other").status_code == 302
    assert phase.task.phases.count() == 2
    assert Gold.objects.count() == 2


@pytest.mark.thorough
def test_a_phase_that_has_not_opened_has_no_next_season(olga, phase):
    shown = page_of(olga, phase)
    Phase.objects.update(opens=timezone.now() + timedelta(days=1), closes=None)
    assert shown.save("season", name="Second", slug="second").status_code == 302
    assert phase.task.phases.count() == 1


@pytest.mark.thorough
def test_gold_that_everybody_can_read_is_asked_back_about(olga, phase, run):
    Phase.objects.update(gold_released=True)
    page = page_of(olga, phase)
    assert page.save("season", name="Second", slug="second", with_gold="on").status_code == 422
    assert "The gold is released" in " ".join(page.questions)
    assert page.save_all_the_same("season").status_code == 302


def test_a_failure_leaves_nothing_behind(olga, phase, run, monkeypatch):
    shown = page_of(olga, phase)
    monkeypatch.setattr("evalsite.contrib.seasons.beginning.record", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        shown.save("season", name="Second", slug="second")
    phase.refresh_from_db()
    assert (phase.state, phase.is_former_season, phase.task.phases.count()) == ("open", False, 1)


@pytest.mark.thorough
@pytest.mark.parametrize("make", TASKS)
def test_tasks_of_every_kind_have_seasons(make, olga, team, alice, client):
    former = make(olga, team, alice).phase
    new = begun(olga, former, name="Next", slug="next")
    assert new.golds.get().n_units == former.golds.get().n_units
    for phase in (former, new):
        assert client.get(reverse("board", args=[new.task.slug, phase.slug, 1])).status_code == 200


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "following"),
    [("Season 1", "Season 2"), ("2026", "2027"), ("Test", "Test 2"), ("Round 9 (open)", "Round 10 (open)")],
)
def test_the_next_name_counts_on(name, following):
    assert next_name(name) == following


@pytest.mark.thorough
def test_the_next_season_has_the_same_parts_of_its_gold(olga):
    former, _ = make_split_task(olga)
    new = begun(olga, former)
    shown, held = new.golds.order_by("version")
    assert (shown.part, shown.n_units, held.state, held.part) == ("shown", 30, "held", "ranked")
    assert shown.split.names == former.golds.first().split.names
    assert shown.split.phase == new
