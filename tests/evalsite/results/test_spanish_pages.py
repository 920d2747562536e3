"""The pages of a result in Spanish: words, numbers, and what stays as people wrote it."""

import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils import translation

from evalsite.results.disclosure import FEW
from evalsite.results.page.headings import HEADINGS, heading, row_name
from scoring.labels import NOT_IN_GOLD
from tests.factories import make_run, run_files

pytestmark = pytest.mark.django_db
SPANISH = {"HTTP_ACCEPT_LANGUAGE": "es"}
ENGLISH_WORDS = {"the", "and", "with", "are", "missing", "spurious", "recall", "sentences", "worst", "run", "scores"}


@pytest.fixture
def spanish(as_alice, phase):
    """What alice reads on a page in Spanish, while the gold is open, without what people wrote."""
    phase.gold_released = True
    phase.save()

    def read(address: str) -> str:
        page = as_alice.get(address, **SPANISH).content.decode()
        main = re.search(r"<main.*</main>", page, re.DOTALL).group()
        own = re.sub(r"<(bdi|code|a class=\"name\").*?</\1>|<(\w+)[^>]* lang=\"[^\"]*\".*?</\2>", "", main)
        return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", own)))

    return read


def english_in(text: str) -> set[str]:
    return ENGLISH_WORDS & set(re.findall(r"\w+", text.lower()))


def test_a_run_is_read_in_spanish_with_commas_in_its_numbers(spanish, scored_submission):
    page = spanish(scored_submission.get_absolute_url())
    assert "F1, frases 0,667" in page
    assert "Frases clave por etiqueta" in page
    assert "De 2 oraciones, 0 tienen todo correcto y 0 no tienen nada correcto" in page
    assert "Frases omitidas" in page
    assert not re.search(r"\b[01]\.[0-9]{3}\b", page)


@pytest.mark.parametrize("name", ["submission_units", "submission_unit"])
def test_lists_and_pages_of_units_have_no_english_left(spanish, scored_submission, name):
    unit = ["sentence 1"] if name == "submission_unit" else []
    page = spanish(reverse(name, args=[scored_submission.pk, 1, *unit]))
    assert "oración" in page.lower()
    assert "ejecución de" in page
    assert english_in(page) == set()


def test_the_team_s_runs_are_listed_in_spanish(spanish, phase, team, scored_submission):
    make_run(phase, team, run_files())
    page = spanish(reverse("submissions", args=[phase.task.slug])).replace(team.name, "")
    assert "Sus envíos" in page
    assert "en 2 ejecuciones" in page
    assert english_in(page) == set()


def test_names_of_tables_and_rows_are_what_the_engine_calls_them_in_english():
    assert {name: heading(name) for name in HEADINGS} == {name: name for name in HEADINGS}


def test_headings_keep_their_capital_and_unknown_ones_their_words():
    with translation.override("es"):
        assert (heading("Missing"), heading("missing"), heading("new_column")) == ("Omitidas", "omitidas", "new column")


def test_labels_of_people_stay_and_rows_of_several_labels_are_called_in_words():
    with translation.override("es"):
        assert [row_name(name) for name in ("missing", NOT_IN_GOLD, FEW)] == [
            "missing",
            "(no está en el gold)",
            "(menos de 10)",
        ]
