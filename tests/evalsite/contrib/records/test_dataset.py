"""What the page of a public task tells search engines for data."""

import json
import re
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from evalsite.challenges.models import Download, Task
from evalsite.desk.making.cloning import clone
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def blocks(client, slug="health") -> list[str]:
    html = client.get(f"/tasks/{slug}/").content.decode()
    return re.findall(r'<script type="application/ld\+json">(.*?)</script>', html, re.DOTALL)


def offer(task, title: str, **fields) -> Download:
    return Download.objects.create(task=task, title=title, file=ContentFile(b"data", "input.txt"), **fields)


def test_a_task_is_described_with_its_organisers_and_files(client, task, olga):
    Task.objects.update(data_language="es en")
    offered = offer(task, "Input")
    [told] = map(json.loads, blocks(client))

    assert (told["@type"], told["name"], told["description"]) == ("Dataset", task.title, task.summary)
    assert told["url"] == "http://testserver/tasks/health/"
    assert told["inLanguage"] == ["es", "en"]
    assert [person["name"] for person in told["creator"]] == ["Olga"]
    assert [each["contentUrl"] for each in told["distribution"]] == [f"http://testserver/downloads/{offered.pk}/"]


def test_a_task_with_a_doi_is_known_by_it(client, task):
    Task.objects.update(doi="10.5281/zenodo.1234567")
    [told] = map(json.loads, blocks(client))
    assert told["identifier"] == "https://doi.org/10.5281/zenodo.1234567"


def test_a_clone_is_described_with_its_own_files_and_organiser_and_without_the_doi_of_last_year(client, task, olga):
    Task.objects.update(doi="10.5281/zenodo.1234567")
    task.refresh_from_db()
    former = offer(task, "Input")
    made = clone(task, "Task of next year", None, with_gold=False, by=make_user("Nora"))
    Task.objects.update(is_published=True)
    [block] = blocks(client, made.slug)
    told = json.loads(block)
    assert [person["name"] for person in told["creator"]] == ["Nora"]
    assert [file["contentUrl"] for file in told["distribution"]] == [
        f"http://testserver/downloads/{made.downloads.get().pk}/"
    ]
    assert not [word for word in ("zenodo", str(former.pk), "health/", "Olga") if word in block]


def test_kept_and_hidden_files_are_told_to_nobody(as_olga, task):
    offer(task, "Kept", members_only=True)
    offer(task, "Hidden", available_from=timezone.now() + timedelta(days=1))

    assert all("distribution" not in json.loads(block) for block in blocks(as_olga))
    assert len(blocks(as_olga)) == 1


def test_a_draft_is_not_described(as_olga, task):
    Task.objects.update(is_published=False)

    assert blocks(as_olga) == []


def test_no_title_ends_the_block(client, task):
    title = "</script><script>alert(1)</script> & <!-- more"
    Task.objects.update(title=title)
    [block] = blocks(client)

    assert not set("<>&") & set(block)
    assert json.loads(block)["name"] == title
