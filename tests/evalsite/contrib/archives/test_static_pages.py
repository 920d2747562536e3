"""Tests the pages of a finished task as files: as a stranger sees them, whole, and without a server."""

import posixpath
import re
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from evalsite.base.contrib import Trait, names_with
from evalsite.challenges.models import Phase, Task
from tests.evalsite.contrib.archives.finished import make_finished, members_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def task(olga):
    return make_finished(olga)


@pytest.fixture(scope="module")
def written() -> dict[str, bytes]:
    return {}


@pytest.fixture
def pages(written, request, tmp_path):
    """Return the files of the task's pages: the task is made and its pages written for the first who asks."""
    if not written:
        request.getfixturevalue("task")
        Phase.objects.update(results_released=timezone.now())
        call_command("staticpages", "wood", tmp_path / "pages.zip")
        written.update(members_of(tmp_path / "pages.zip"))
    return written


def test_boards_stand_there_with_teams_scores_and_the_sentence(pages):
    board = pages["tasks/wood/test/board/1/index.html"].decode()
    assert "Team Ada" in board
    assert "0.8" in board
    assert "tasks/wood/test/board/combined/index.html" in pages
    of_apps = [reverse(name, args=["wood", "test", 1]) for name in names_with(Trait.KEPT)]
    assert all(f"{address[1:]}index.html" in pages for address in of_apps)
    assert any(re.fullmatch(r"tasks/wood/test/entries/[0-9a-f-]+/index.html", name) for name in pages)


def test_every_link_is_relative_and_leads_to_a_file_of_the_folder(pages):
    n_links = 0
    for name, content in pages.items():
        if not name.endswith(".html"):
            continue
        for target in re.findall(r'\s(?:href|src)="([^"#]+)', content.decode()):
            parts = urlsplit(target)
            if parts.scheme:
                continue
            assert not target.startswith("/"), (name, target)
            n_links += 1
            assert posixpath.normpath(posixpath.join(posixpath.dirname(name), parts.path)) in pages, (name, target)
    assert n_links > 100
    for name, content in pages.items():
        if name.endswith(".css"):
            for target in re.findall(r"url\(\"?([^)\":]+)\"?\)", content.decode()):
                assert posixpath.normpath(posixpath.join(posixpath.dirname(name), target)) in pages, (name, target)


def test_nothing_needs_a_server(pages):
    for name, content in pages.items():
        if name.endswith(".html"):
            html = content.decode()
            assert not re.search(r"<script|<form|\shx-", html), name
            assert html.count("<header") == html.count("</header>"), name
            for icon in re.findall(r'<use href="#([^"]+)"', html):
                assert f'id="{icon}"' in html, (name, icon)


@pytest.mark.thorough
def test_what_strangers_do_not_see_is_not_in_it(task, tmp_path):
    Phase.objects.update(is_anonymous=True)
    call_command("staticpages", "wood", tmp_path / "hidden.zip")
    for name, content in members_of(tmp_path / "hidden.zip").items():
        assert b"Team Ada" not in content, name
    Task.objects.update(is_published=False)
    with pytest.raises(CommandError, match="publish it first"):
        call_command("staticpages", "wood", tmp_path / "draft.zip")
    assert not (tmp_path / "draft.zip").exists()
