"""A new engine ranks when it says the same, or when organisers have seen what it changes; boards never mix engines."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

import scoring
from evalsite.challenges.models import Event, Gold
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, Edition
from evalsite.submissions.models import Result
from tests.evalsite.board_pages.pages import names, page, text
from tests.factories import make_run, make_team, make_user, run_files, work_off

pytestmark = pytest.mark.django_db
INSTALLED = scoring.__version__


@pytest.fixture
def runs(phase, team, strangers):
    """A partly right run and a perfect one, on a board."""
    found = [
        make_run(phase, team),
        make_run(phase, strangers, run_files()),
    ]
    refresh(Board.objects.get())
    return found


@pytest.fixture
def upgraded(runs, monkeypatch):
    monkeypatch.setattr("scoring.signature.__version__", "99.0")


def rescored(*words):
    said = StringIO()
    call_command("rescore", *words, stdout=said)
    work_off()
    return said.getvalue()


def edition():
    refresh(Board.objects.get())
    return Edition.objects.order_by("-made").first()


def test_a_new_engine_that_says_the_same_ranks_by_itself(upgraded, phase):
    before = edition()
    assert before.engine == INSTALLED

    assert "2 runs, by engine 99.0" in rescored("--task", "health")

    assert edition().engine == "99.0"
    assert [each["headline"] for each in edition().entries] == [each["headline"] for each in before.entries]
    assert Event.objects.get(kind="engine published").detail["changed"] == {"engine": [INSTALLED, "99.0"]}
    assert "up to date with engine 99.0" in rescored()


def test_where_numbers_differ_the_board_stays_until_organisers_publish_them(
    client, as_olga, runs, phase, team, strangers, alice, monkeypatch
):
    of_strangers = Result.objects.get(scoring__submission=runs[1])
    Result.objects.filter(pk=of_strangers.pk).update(headline=0.2, scores=of_strangers.scores | {"f1": 0.2})
    assert edition().entries[0]["team"] == str(team.pk)
    before = page(client)
    monkeypatch.setattr("scoring.signature.__version__", "99.0")

    rescored()
    assert page(client) == before

    late = make_run(phase, make_team("Dave's", make_user("Dave")), run_files(relations=""))
    work_off()
    assert late.scorings.get().engine_version == "99.0"
    assert {entry["team"] for entry in edition().entries} == {str(team.pk), str(strangers.pk)}
    address = reverse("desk_gold_version", args=[phase.task.slug, Gold.objects.get().pk])
    said = text(as_olga.get(address).content.decode())
    assert f"The board ranks by engine {INSTALLED}." in said
    assert "1 of 3 runs get another score." in said
    assert as_olga.post(address, {"discard": "1", "reason": "no"}).status_code == 422

    as_olga.post(address, {"publish": "1", "note": "spans are counted once"})

    published = edition()
    assert (published.engine, len(published.entries)) == ("99.0", 3)
    assert published.entries[0]["team"] == str(strangers.pk)
    assert set(Edition.objects.values_list("engine", flat=True)) == {INSTALLED, "99.0"}
    assert "Engine 99.0 since " in text(page(client))
    assert ": spans are counted once" in text(page(client))
    assert len(names(page(client, f"?gold=1&engine={INSTALLED}"))) == 2


def test_the_first_upload_after_an_upgrade_has_its_board_scored_again(upgraded, phase, team):
    make_run(phase, team, run_files(relations=""))
    work_off()
    assert (edition().engine, edition().entries[1]["n_runs"]) == ("99.0", 2)


def test_a_board_whose_engine_is_installed_again_forgets_the_candidate(runs, monkeypatch):
    with monkeypatch.context() as upgrade:
        upgrade.setattr("scoring.signature.__version__", "99.0")
        call_command("rescore", stdout=StringIO())
        assert Gold.objects.get().candidate_engine == "99.0"
    rescored()
    assert (Gold.objects.get().engine, Gold.objects.get().candidate_engine) == (INSTALLED, "")
