"""Organisers announce news on the task's page."""

import pytest

from evalsite.challenges.models import Announcement, Event

pytestmark = pytest.mark.django_db


def test_an_announcement_stands_on_the_page(as_olga, client, task):
    new = f"/tasks/{task.slug}/organise/texts/news/new/"
    typed = {"title": "Data <b>mended\x0b", "text": "See the [rules](/tasks/health/pages/rules/).<script>"}
    typed = {f"announcement-{name}": value for name, value in typed.items()}
    assert as_olga.post(new, typed).status_code == 302
    page = client.get(task.get_absolute_url()).content.decode()
    assert "Data &lt;b&gt;mended" in page
    assert "<script>" not in page.partition('id="news"')[2].partition("</section>")[0]
    assert Event.objects.filter(kind="announcement added").exists()


def test_older_ones_are_folded(client, task):
    for number in range(5):
        Announcement.objects.create(task=task, title=f"Number {number}")
    page = client.get(task.get_absolute_url()).content.decode()
    assert page.index("Number 4") < page.index("Earlier news") < page.index("Number 0")
