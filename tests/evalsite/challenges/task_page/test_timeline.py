"""The phases of a task on one axis of time, and how a task is cited."""

from datetime import UTC, datetime
from html import unescape

import pytest
import time_machine
from django.urls import reverse

from evalsite.challenges.task_page.timeline import WIDTH, timeline
from tests.factories import make_phase, make_task
from tests.forms import filled

pytestmark = pytest.mark.django_db
PATH = "/tasks/wine/"


def day(month: int, number: int) -> datetime:
    return datetime(2026, month, number, 12, tzinfo=UTC)


@pytest.fixture
def wine(olga):
    task = make_task("wine", title="Wine & _grapes_")
    task.organisers.add(olga)
    make_phase(task, slug="test", name="Test", opens=day(12, 1), closes=day(12, 11))
    make_phase(task, slug="dev", name="Development", opens=day(11, 1), closes=day(11, 21))
    make_phase(task, slug="after", name="Afterwards", opens=day(12, 21), closes=None)
    return task


def test_bars_stand_by_opening_on_one_axis_and_an_open_end_reaches_its_edge(wine):
    with time_machine.travel(day(11, 11), tick=False):
        dev, test, after = timeline(wine.phases.all())

    assert [bar.phase.slug for bar in (dev, test, after)] == ["dev", "test", "after"]
    assert dev.start < dev.now < dev.start + dev.width < test.start < test.start + test.width < after.start
    assert dev.now - dev.start == pytest.approx(dev.width / 2, abs=1)
    assert test.width == pytest.approx(dev.width / 2, abs=1)
    assert after.start + after.width == WIDTH


def test_the_page_of_a_task_draws_its_phases_and_says_their_times_in_words(client, wine):
    with time_machine.travel(day(11, 11), tick=False):
        html = client.get(PATH).content.decode()

    drawn = html.partition('<ol class="timeline')[2].partition("</ol>")[0]
    assert drawn.count("<svg") == 3
    assert drawn.count('class="bar is-open"') == 1
    assert drawn.count('class="bar is-upcoming"') == 2
    assert "Development" in drawn
    assert "2026-11-21" in drawn
    assert "stays open" in drawn


def test_a_task_without_phases_has_no_axis(client):
    make_task("wine")

    assert '<ol class="timeline' not in client.get(PATH).content.decode()


def test_a_task_is_cited_with_its_organisers_and_the_year_of_its_first_phase(client, wine):
    html = unescape(client.get(PATH).content.decode())
    words = html.partition('id="cite"')[2].partition("</details>")[0]

    assert f"Olga (2026). <em>Wine & _grapes_</em> [Shared task]. Evalsite. http://testserver{PATH}" in words
    assert "@misc{wine," in words
    assert r"  title        = {{Wine \& \_grapes\_}}," in words
    assert "  author       = {{Olga}}," in words


def test_a_task_that_names_nobody_is_cited_by_the_site(client):
    make_task("wine")

    assert "{{Evalsite}}" in client.get(PATH).content.decode()


def test_a_phase_that_was_stored_with_a_year_out_of_range_ends_at_the_edge(client, wine):
    far = datetime(9999, 12, 31, 12, tzinfo=UTC)
    wine.phases.filter(slug="test").update(closes=far, opens=datetime(1, 1, 2, tzinfo=UTC))
    bar = timeline(wine.phases.all())[0]
    assert (bar.phase.slug, 0 <= bar.start < bar.start + bar.width <= WIDTH) == ("test", True)
    assert client.get(PATH).status_code == 200


def test_a_task_with_a_doi_is_cited_by_it(client, as_olga, task):
    address = reverse("desk_texts", args=["health"])
    typed = filled(as_olga.get(address), "form-readers", **{"readers-doi": "https://doi.org/10.5281/zenodo.1234567"})
    assert as_olga.post(address, typed).status_code == 302
    page = client.get("/tasks/health/").content.decode()
    assert "[Shared task]. Evalsite. https://doi.org/10.5281/zenodo.1234567" in page
    assert "doi          = {10.5281/zenodo.1234567}" in page
    wrong = as_olga.post(address, typed | {"readers-doi": "10.5281"})
    assert "Write a DOI, such as 10.5281/zenodo.1234567." in wrong.content.decode()
