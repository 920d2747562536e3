"""The announcements of a task are a feed, to which its page leads feed readers."""

import xml.etree.ElementTree as ET

import pytest

from evalsite.challenges.models import Announcement
from tests.factories import make_task

pytestmark = pytest.mark.django_db
ATOM = {"atom": "http://www.w3.org/2005/Atom"}


def test_an_announcement_stands_in_the_feed_whose_links_lead_to_the_site(client, task):
    text = "See the [rules](/tasks/health/pages/rules/).<script>"
    Announcement.objects.create(task=task, title="Data <b>mended\x0b", text=text)
    page = client.get(task.get_absolute_url()).content.decode()
    assert 'type="application/atom+xml" href="/tasks/health/news.atom"' in page
    assert '<a href="/tasks/health/news.atom">As a feed (Atom)</a>' in page
    answer = client.get("/tasks/health/news.atom")
    assert answer["Content-Type"].startswith("application/atom+xml")
    [entry] = ET.fromstring(answer.content).findall("atom:entry", ATOM)
    assert entry.find("atom:title", ATOM).text == "Data <b>mended"
    assert 'href="http://testserver/tasks/health/pages/rules/"' in entry.find("atom:summary", ATOM).text


def test_drafts_have_no_feed_for_strangers(client):
    draft = make_task("draft", is_published=False)
    Announcement.objects.create(task=draft, title="Secret")
    assert client.get("/tasks/draft/news.atom").status_code == 404
