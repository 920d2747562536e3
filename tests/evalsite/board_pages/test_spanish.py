"""The pages of boards in Spanish: their words are, and numbers have a comma."""

import re

import numpy as np
import pytest
from django.urls import reverse
from django.utils import translation

from evalsite.base.contrib import Trait, names_with
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.comparisons.compare_two.scatter import scatter_of
from evalsite.comparisons.guide import guide
from evalsite.results.page.headings import heading
from tests.evalsite.board_pages.pages import PATH, text
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare

ENGLISH = r"the|of|and|with|to|is|are|place|team|score|board|run|runs|better|sentences?|baseline|difference|how|what"
SPANISH = {"headers": {"accept-language": "es"}}


@pytest.fixture
def board(phase, scenario):
    """Three teams and a baseline, all with names that are no English."""
    Task.objects.update(title="Salud", summary="Hallar frases.")
    Phase.objects.update(name="Prueba")
    Scenario.objects.update(name="Frases")
    teams = make_teams(phase, "Alerce", "Boldo", "Ceibo")
    entries = [
        make_entry(team, score, 1, method="Reglas") for team, score in zip(teams, (0.8, 0.799, 0.5), strict=True)
    ]
    entries.append(make_entry(teams[0], 0.4, reference="baseline", method="Diccionario"))
    edition = make_board(phase, scenario, entries)
    compare(edition, scenario)
    return edition


def shown(client, address: str) -> str:
    """What stands between the heading of the site and its foot; the board's citation stays English."""
    html = client.get(address, **SPANISH).content.decode()
    inside = re.search(r"<main.*</main>", html, re.DOTALL)[0]
    return text(re.sub(r"<(pre|code|svg|cite)\b.*?</\1>|<p class=\"cite-words.*?</p>", " ", inside, flags=re.DOTALL))


@pytest.mark.parametrize("name", ["board", "board_pairs", "board_compare", *sorted(names_with(Trait.KEPT))])
def test_no_english_is_left_on_the_pages_of_a_board(client, board, name):
    said = shown(client, reverse(name, args=["health", "test", 1]))

    assert re.findall(rf"\b(?:{ENGLISH})\b", said, re.IGNORECASE) == []


def test_the_finding_is_a_spanish_sentence_with_commas_in_its_numbers(client, board):
    said = shown(client, PATH)

    assert (
        "Primer puesto compartido: Alerce (0,800) y Boldo (0,799). 120 oraciones no permiten distinguirlos; "
        "Alerce es mejor que Ceibo."
    ) in said
    assert "sistema de referencia" in said
    assert not re.search(r"\d\.\d", said)


def test_the_axis_of_a_board_has_commas_and_places_have_points(client, board):
    html = client.get(PATH, **SPANISH).content.decode()

    assert re.search(r'class="tick-label"[^>]*>\s*0,\d', html)
    assert not re.search(r'\b(?:x1|cx|x)="\d+,\d', html)


def test_the_guide_speaks_the_language_of_each_of_its_readers(client, board):
    spanish = shown(client, "/how-to-read/")
    english = text(client.get("/how-to-read/").content.decode())

    first = guide().lines[0]
    assert f"Primer puesto compartido: {first.name} ({first.score:.3f}".replace(".", ",") in spanish
    assert f"Shared first: {first.name} ({first.score:.3f}" in english
    assert not re.search(r"\d\.\d", re.sub(r"EMNLP.*", "", spanish))


def test_the_script_of_the_board_finds_its_words_on_the_page(client, board):
    html = client.get(PATH, **SPANISH).content.decode()

    assert 'data-is-better="es mejor que {n}"' in html
    assert 'data-not-compared="no se ha comparado"' in html


def test_programs_read_the_same_board_in_all_languages(client, board):
    address = "/api/v1/tasks/health/test/boards/1"
    answer = client.get(address)

    assert answer.status_code == 200
    assert client.get(address, **SPANISH).json() == answer.json()


def test_units_that_only_have_numbers_are_called_in_spanish():
    """So are those of points, while a name that the task gave stays."""
    scatter = scatter_of(
        np.array([0.2, 0.9]), np.array([0.4, 0.1]), is_coarse=False, names=["sentence 34", "noticia 7"]
    )
    with translation.override("es"):
        assert {point.title.partition(": ")[2] for point in scatter.points} == {"oración 34", "noticia 7"}


def test_tables_by_label_are_headed_in_spanish():
    with translation.override("es"):
        assert heading("ents_per_type") == "entidades por tipo"


def test_one_series_is_a_serie():
    with translation.override("es"):
        assert heading("series") == "serie"
