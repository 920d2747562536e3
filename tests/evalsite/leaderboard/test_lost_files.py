"""A lost or broken evaluation file takes the place of its own entry, which the board says, and can be made again."""

import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from evalsite.leaderboard.making import comparison, scheduling
from evalsite.leaderboard.making.draws import draws_of, evict_draws
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, BoardLease, Edition
from evalsite.leaderboard.tasks import refresh_boards
from evalsite.submissions.models import Result
from tests.evalsite.board_pages.pages import page, text
from tests.evalsite.comparisons.test_compare_two import N_SENTENCES, found
from tests.factories import make_gold, make_run, make_team, make_user

THIRD = "Third team"


@pytest.fixture
def results(phase, scenario, team, strangers):
    """Three runs that can be told apart, the best one first."""
    make_gold(phase, scenario, found(*range(N_SENTENCES)))
    third = make_team(THIRD, make_user("Dora"))
    runs = [make_run(phase, each, found(*range(n))) for each, n in ((team, 38), (strangers, 22), (third, 9))]
    return [Result.objects.get(scoring__submission=run, scoring__gold__version=2) for run in runs]


def made():
    refresh(Board.objects.get())
    return Edition.objects.get().entries


def lose(result, settings):
    result.evaluation.storage.delete(result.evaluation.name)
    shutil.rmtree(settings.CACHE_DIR, ignore_errors=True)


def breaks(result, settings):
    path = Path(result.evaluation.path)
    beginning = path.read_bytes()[:100]
    path.unlink()
    path.write_bytes(beginning)
    shutil.rmtree(settings.CACHE_DIR, ignore_errors=True)


def make_again(*words) -> str:
    said = StringIO()
    try:
        call_command("make_again", *words, stdout=said)
    except CommandError as error:
        raise CommandError(f"{error} {said.getvalue()}") from error
    return said.getvalue()


@pytest.mark.parametrize("fault", [lose, breaks])
def test_it_takes_the_place_of_its_entry_alone(as_alice, results, settings, fault):
    assert [entry["group"] for entry in made()] == ["a", "b", "c"]
    fault(results[0], settings)

    entries = made()

    assert [entry["rank"] for entry in entries] == [None, 1, 2]
    assert [entry["group"] for entry in entries] == [None, "a", "b"]
    assert [entry.get("is_lost", False) for entry in entries] == [True, False, False]
    words = text(page(as_alice))
    assert "Alice and Bob has no place: the file with its resamples is lost or broken." in words
    assert "is not defined" not in words
    of_run = text(as_alice.get(results[0].scoring.submission.get_absolute_url()).content.decode())
    assert "It has no place at present: the file with its resamples is lost or broken." in of_run
    assert "First: Charlie's team" in words


@pytest.mark.thorough
@pytest.mark.parametrize("n_lost", [1, 3])
def test_a_board_is_made_anew_once_a_lost_file_is_back(results, settings, monkeypatch, n_lost):
    """Beat looks for them, as when a folder is mounted again; a file that stays lost makes no board anew."""
    whole = made()
    paths = [Path(result.evaluation.path) for result in results[:n_lost]]
    for path in paths:
        path.rename(path.with_suffix(".away"))
    shutil.rmtree(settings.CACHE_DIR, ignore_errors=True)
    scheduling.mark_stale(Board.objects.get())
    refresh_boards()
    assert [entry.get("is_lost", False) for entry in newest()] == [True] * n_lost + [False] * (3 - n_lost)
    wanted = Board.objects.get().wanted
    refresh_boards()
    assert Board.objects.get().wanted == wanted

    for path in paths:
        path.with_suffix(".away").rename(path)
    BoardLease.objects.all().delete()
    refresh_boards()

    assert newest() == whole
    assert not Board.objects.get().has_lost


def newest():
    return Edition.objects.get().entries


def test_storage_that_is_away_is_no_fault_of_an_entry(results, settings, monkeypatch):
    def away(result):
        raise ConnectionRefusedError

    made()
    before = Edition.objects.get()
    monkeypatch.setattr(comparison, "load_draws", away)
    Board.objects.update(wanted=99)
    with pytest.raises(ConnectionRefusedError):
        refresh(Board.objects.get())
    assert Edition.objects.get().entries == before.entries
    assert Board.objects.get().is_stale


@pytest.mark.thorough
def test_a_board_of_which_no_file_is_there_still_ranks(results, settings):
    for result in results:
        lose(result, settings)
    assert [entry["rank"] for entry in made()] == [1, 2, 3]
    assert Edition.objects.get().comparison == {}


@pytest.mark.parametrize("fault", [lose, breaks])
def test_the_file_is_made_again_and_is_the_same(results, settings, fault):
    made()
    before = draws_of(results[1]).tolist()
    fault(results[1], settings)
    made()

    assert "1 file made again" in make_again("--lost")

    assert Result.objects.get(pk=results[1].pk).evaluation.name
    entries = made()
    assert [entry["group"] for entry in entries] == ["a", "b", "c"]
    assert draws_of(Result.objects.get(pk=results[1].pk)).tolist() == before
    assert "No file is lost" in make_again("--lost")


@pytest.mark.thorough
def test_what_does_not_come_out_as_stored_is_not_stored_and_said(results, settings):
    lose(results[1], settings)
    scores = results[1].scores | {"recall_a": 0.123}
    Result.objects.filter(pk=results[1].pk).update(scores=scores)

    with pytest.raises(CommandError, match="other numbers come out than are stored: scores"):
        make_again(str(results[1].pk))

    assert not results[1].evaluation.storage.exists(results[1].evaluation.name)


@pytest.mark.thorough
def test_without_the_upload_it_says_that_it_is_missing(results, settings):
    lose(results[1], settings)
    upload = results[1].scoring.submission.file
    upload.storage.delete(upload.name)
    with pytest.raises(CommandError, match="the upload is missing"):
        make_again(str(results[1].pk))


# Draws at hand


def test_draws_are_fetched_once(results, settings, monkeypatch):
    first = draws_of(results[0]).tolist()
    results[0].evaluation.storage.delete(results[0].evaluation.name)
    assert draws_of(results[0]).tolist() == first


@pytest.mark.thorough
def test_a_kept_file_that_is_not_whole_is_fetched_anew(results, settings):
    first = draws_of(results[0]).tolist()
    [kept] = settings.CACHE_DIR.glob("draws/??/*")
    kept.write_bytes(kept.read_bytes()[:-8])
    assert draws_of(results[0]).tolist() == first
    kept.write_bytes(bytes(len(kept.read_bytes())))
    assert draws_of(results[0]).tolist() == first


@pytest.mark.thorough
def test_what_is_kept_stays_within_its_room(results, settings):
    made()
    files = list(settings.CACHE_DIR.glob("draws/??/*"))
    assert len(files) == 3
    settings.DRAWS_CACHE_BYTES = 2 * files[0].stat().st_size
    evict_draws()
    assert len(list(settings.CACHE_DIR.glob("draws/??/*"))) == 1
    assert [entry["group"] for entry in made()] == ["a", "b", "c"]


@pytest.mark.thorough
def test_a_disk_that_takes_nothing_costs_time_alone(results, settings):
    settings.CACHE_DIR.parent.mkdir(parents=True, exist_ok=True)
    settings.CACHE_DIR.write_text("no folder")
    assert [entry["group"] for entry in made()] == ["a", "b", "c"]
