"""A family of an installed package on the site: from the organiser's form to a board, and when the package is gone."""

import pytest
from babel.messages import Catalog
from babel.messages.mofile import write_mo
from django.urls import reverse
from django.utils import translation

from evalsite.jobs import sandbox
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.lifecycle import scorer
from evalsite.submissions.models import Scoring
from evalsite.translating.engine import from_engine
from evalsite.translating.languages import catalogues
from evalsite.upkeep.checks import contents
from scoring import FAMILIES, SubmissionError
from scoring.families.packages import declared
from tests.factories import make_gold, make_submission
from tests.forms import filled
from tests.scoring.own_families import installed, written_by_the_guide

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]
OWN = [name for name, family in FAMILIES.items() if family.package is None]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    package = written_by_the_guide(tmp_path_factory.mktemp("guide") / "evalsite-segmentation")
    return installed(package, tmp_path_factory.mktemp("site"))


@pytest.fixture
def segmentation(folder, monkeypatch):
    """Make it as in a process that was started with the package installed; the engine's children too."""
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=":")
    monkeypatch.setitem(vars(FAMILIES), "_declared", declared(OWN))
    server = sandbox._Server()
    monkeypatch.setattr(sandbox, "_server", server)
    yield
    server.end()


@pytest.fixture
def documents(segmentation, as_olga, task, phase):
    """A scenario of the package's family, added on the desk, and its gold."""
    address = reverse("desk_scenarios_add", args=[task.slug, "segmentation"])
    page = as_olga.get(address)
    assert "Text segmentation" in page.content.decode()
    assert as_olga.post(address, filled(page, "scenario_form")).status_code == 302
    scenario = task.scenarios.get(family="segmentation")
    make_gold(phase, scenario, {"gold.tsv": "a\t3 3\nb\t2 4\n"})
    return scenario


def test_runs_are_scored_and_ranked_by_it(documents, as_alice, phase, team, alice):
    run = make_submission(phase, team, alice, {"run.tsv": "a\t2 4\nb\t2 4\n"}, scenarios=[documents])
    scoring = run.scorings.get()
    assert scoring.engine_version.endswith("+0.1.0")
    assert scorer.score(scoring.pk) == "scored"
    result = scoring.result
    assert result.headline == pytest.approx(0.25)
    assert "|package:evalsite-segmentation 0.1.0|" in result.signature
    refresh(Board.objects.get(phase=phase, scenario=documents))
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert "WindowDiff" in page
    board = as_alice.get(reverse("board", args=[phase.task.slug, phase.slug, documents.number])).content.decode()
    assert team.name in board


def test_a_file_with_problems_is_refused_with_their_lines(documents, phase, team, alice):
    run = make_submission(phase, team, alice, {"run.tsv": "a\t2 4\nb\t2 x\n"}, scenarios=[documents])
    assert scorer.score(run.scorings.get().pk) == "refused"
    problem = "expected whole numbers from 1, with a blank between them, found '2 x'"
    assert [(each["line"], each["message"]) for each in run.scorings.get().problems] == [(2, problem)]


def test_what_it_says_is_translated_by_a_catalogue_of_its_own(folder, monkeypatch, settings):
    monkeypatch.syspath_prepend(folder)
    place = folder / "evalsite_segmentation/locale"
    assert place not in catalogues()
    catalogue = Catalog("es")
    catalogue.add("{own} sentences instead of {wanted}", "{own} oraciones en lugar de {wanted}", context="engine")
    catalogue.add("Window", "Ventana", context="engine")
    (place / "es/LC_MESSAGES").mkdir(parents=True)
    with (place / "es/LC_MESSAGES/django.mo").open("wb") as file:
        write_mo(file, catalogue)
    settings.LOCALE_PATHS = catalogues()
    family = declared(OWN).families["segmentation"]
    gold = family.read_gold({"gold.tsv": b"a\t3 3\n"}, {})
    with pytest.raises(SubmissionError) as refused:
        family.read_system({"run.tsv": b"a\t3 4\n"}, gold, {})
    with translation.override("es"):
        assert from_engine(refused.value.problems[0].message) == "7 oraciones en lugar de 6"
        assert from_engine(family.options[0].title) == "Ventana"
        assert from_engine("Documents") == "Documentos"  # of the site's own catalogue


def test_without_the_package_pages_say_so_and_runs_wait_for_it(documents, as_alice, phase, team, alice, monkeypatch):
    run = make_submission(phase, team, alice, {"run.tsv": "a\t2 4\nb\t2 4\n"}, scenarios=[documents])
    assert contents.families().said.endswith("; segmentation of evalsite-segmentation 0.1.0.")
    monkeypatch.setattr("scoring.families.packages.GROUP", "nothing declares this")
    monkeypatch.setitem(vars(FAMILIES), "_declared", declared(OWN))
    as_alice.raise_request_exception = False
    page = as_alice.get(reverse("submit", args=[phase.task.slug, phase.slug]))
    assert page.status_code == 503
    assert "The program that scores this task is not installed on this site at the moment." in page.content.decode()
    scorer.score(run.scorings.get().pk)
    scoring = Scoring.objects.get(submission=run)
    assert (scoring.state, scoring.fault, scoring.attempts) == ("queued", "family missing", 0)
    found = contents.families()
    assert found.state == "wrong"
    assert found.said == "Scenarios need families that are not installed, or cannot be used: segmentation."
