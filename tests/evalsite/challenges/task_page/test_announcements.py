"""Organisers announce news on the task's page, which a feed reader follows."""

import xml.etree.ElementTree as ET

import pytest

from evalsite.challenges.models import Announcement, Event
from tests.factories import make_task

pytestmark = pytest.mark.django_db
ATOM = {"atom": "http://www.w3.org/2005/Atom"}


def test_an_announcement_stands_on_the_page_and_in_the_feed(as_olga, client, task):
    new = f"/tasks/{task.slug}/organise/texts/news/new/"
    typed = {"title": "Data <b>mended\x0b", "text": "See the [rules](/tasks/health/pages/rules/).<script>"}
    typed = {f"announcement-{name}": value for name, value in typed.items()}
    assert as_olga.post(new, typed).status_code == 302
    page = client.get(task.get_absolute_url()).content.decode()
    assert "Data &lt;b&gt;mended" in page
    assert "<script>" not in page.partition('id="news"')[2].partition("</section>")[0]
    assert 'type="application/atom+xml" href="/tasks/health/news.atom"' in page
    answer = client.get("/tasks/health/news.atom")
    assert answer["Content-Type"].startswith("application/atom+xml")
    [entry] = ET.fromstring(answer.content).findall("atom:entry", ATOM)
    assert entry.find("atom:title", ATOM).text == "Data <b>mended"
    assert 'href="http://testserver/tasks/health/pages/rules/"' in entry.find("atom:summary", ATOM).text
    assert Event.objects.filter(kind="announcement added").exists()


def test_older_ones_are_folded_and_drafts_have_no_feed_for_strangers(client, task):
    for number in range(5):
        Announcement.objects.create(task=task, title=f"Number {number}")
    page = client.get(task.get_absolute_url()).content.decode()
    assert page.index("Number 4") < page.index("Earlier news") < page.index("Number 0")
    draft = make_task("draft", is_published=False)
    Announcement.objects.create(task=draft, title="Secret")
    assert client.get("/tasks/draft/news.atom").status_code == 404
