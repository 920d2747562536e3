"""What the page of a public task tells search engines for data."""

import json
import re
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from evalsite.challenges.models import Download, Task

pytestmark = pytest.mark.django_db


def blocks(client) -> list[str]:
    html = client.get("/tasks/health/").content.decode()
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
