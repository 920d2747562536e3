"""The pages of tasks and their desk in Spanish."""

import re
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from evalsite.challenges.gold.remarks import SAME_GOLD, SCENARIO, SIZES, remark_in_words
from evalsite.challenges.gold.report import about_phase
from evalsite.challenges.models import Event, Gold, Scenario, record
from evalsite.challenges.option_words import options_in_words
from tests.factories import make_phase

pytestmark = pytest.mark.django_db
SPANISH = {"HTTP_ACCEPT_LANGUAGE": "es"}
ENGLISH = re.compile(
    r"\b(the|phases?|scenarios?|upload(s|ed)?|closes|opens|opened|closed|organisers|downloads|title|gold of)\b",
    re.IGNORECASE,
)


class _Text(HTMLParser):
    """What a page shows, without the words of people, file names and code."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "style", "pre", "code", "textarea", "svg") or (
            self._silent and tag not in ("br", "input", "img", "link", "meta", "use")
        ):
            self._silent.append(tag)

    def handle_endtag(self, tag):
        if self._silent and tag == self._silent[-1]:
            self._silent.pop()

    def handle_data(self, data):
        if not self._silent and data.strip():
            self.found.append(" ".join(data.split()))


def shown(page: str) -> str:
    reader = _Text()
    reader.feed(page)
    return "\n".join(reader.found)


def test_the_phases_of_a_task_are_told_in_spanish(client: Client, phase, scenario, task):
    phase.window_limit, phase.total_limit = 3, 1200
    phase.save()
    page = client.get(task.get_absolute_url(), **SPANISH).content.decode()
    phases = shown(page[page.index('<h2 id="phases"') :].partition("</section>")[0])
    assert ENGLISH.findall(phases) == []
    assert "3 subidas" in phases
    assert "1200" in phases
    assert "Iniciar sesión para subir" in phases


@pytest.mark.parametrize("family", ["ehealthkd", "mat", "qac", "spacy", "coreference"])
def test_what_to_upload_is_told_in_spanish_for_each_family(client: Client, task, family):
    Scenario.objects.create(task=task, number=1, name="Uno", family=family)
    page = client.get(task.get_absolute_url(), **SPANISH).content.decode()
    told = shown(page[page.index('<h2 id="scenarios"') :])
    assert ENGLISH.findall(told) == []
    assert "Se ordena por" in told
    assert "por remuestreo de" in told


@pytest.mark.parametrize("family", ["ehealthkd", "mat", "qac", "spacy", "coreference"])
def test_the_options_of_a_scenario_are_told_in_spanish(task, family):
    made = Scenario(task=task, number=1, name="Uno", family=family)
    made.options = {key: value for key, value in made.configured.items() if value is not None}
    english = options_in_words(made)
    with translation.override("es"):
        spanish = options_in_words(made)
    assert spanish != english
    assert re.findall(r"\b(the|are|count|with|without|needed)\b", spanish) == []


def test_the_administration_speaks_spanish(as_olga: Client, administering, phase, scenario, task):
    events = shown(as_olga.get(reverse("admin:challenges_event_changelist"), **SPANISH).content.decode())
    assert "tarea o equipo" in events.lower()


def test_stored_events_stay_english_and_are_shown_in_spanish(as_olga: Client, administering, olga, task):
    with translation.override("es"):
        record(task, "task created", actor=olga, subject=task.pk)
    assert Event.objects.get().kind == "task created"
    page = as_olga.get(reverse("admin:challenges_event_changelist"), **SPANISH).content.decode()
    assert "tarea creada" in page
    assert "?kind=task+created" in page or "?kind=task%20created" in page


def test_remarks_on_gold_are_stored_in_english_and_shown_in_spanish():
    remark = SIZES[True, True] % {"n": "1,019", "units": "sentences", "version": 1, "before": "12,000", "fewest": 20}
    assert remark_in_words(remark) == remark
    with translation.override("es"):
        said = remark_in_words(remark)
        assert said.startswith("Tiene 1019 oraciones; la versión 1 tiene 12\N{NO-BREAK SPACE}000.")
        assert remark_in_words(SCENARIO % {"number": 2}) == "Escenario 2"
        assert remark_in_words(SAME_GOLD % {"phase": "Prueba"}) == "Es el mismo gold que el de otra fase: Prueba."


def test_a_remark_tells_its_time_in_spanish(task, scenario):
    upcoming = make_phase(
        task, opens=make_phase(task, "otra").opens.replace(year=2090), closes=None, gold_released=True
    )
    [remark] = about_phase(upcoming)
    with translation.override("es"):
        assert " 2090, " in remark_in_words(remark)
        assert not re.search(r"\b(the|Jan|Apr|Aug|Dec)\b", remark_in_words(remark))


def test_refused_gold_is_explained_in_spanish(as_olga: Client, phase, scenario, task):
    page = as_olga.post(reverse("desk_gold_add", args=[task.slug, phase.slug]), {}, **SPANISH)
    text = shown(page.content.decode())
    assert page.status_code == 422
    assert "Elija el archivo." in text
    assert Gold.objects.count() == 1
