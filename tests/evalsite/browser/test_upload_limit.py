"""An upload that the site cannot take is stopped before it is sent; what was typed stays, with and without scripts."""

import pytest
from playwright.sync_api import Page, expect

from evalsite.challenges.models import Phase
from evalsite.submissions.models import Submission
from tests.factories import PARTLY_RIGHT, zip_of

pytestmark = pytest.mark.thorough

SUBMIT = "/tasks/health/test/submit/"


@pytest.fixture(autouse=True)
def _small(settings):
    settings.MAX_UPLOAD_BYTES = 64 * 1024


def choose(page: Page, *files: tuple[str, bytes]) -> None:
    chosen = [{"name": name, "mimeType": "application/octet-stream", "buffer": content} for name, content in files]
    page.get_by_label("Files", exact=True).set_input_files(chosen)


def button(page: Page):
    return page.get_by_role("button", name="Upload and check")


def test_too_large_files_are_named_in_words_and_cannot_be_sent(visit, phase, team, alice):
    page = visit(SUBMIT, alice)
    page.get_by_label("Name of the method").fill("CRF")
    choose(page, ("run.zip", bytes(100 * 1024)))
    alert = page.locator(".drop-refused")
    expect(alert).to_have_text(
        "This file is 100 kB, and the limit for an upload is 64 kB. Leave out files that the layout does not name."
    )
    expect(button(page)).to_be_disabled()
    choose(page, ("run.zip", zip_of(PARTLY_RIGHT)))
    expect(alert).to_be_hidden()
    expect(button(page)).to_be_enabled()
    expect(page.get_by_label("Name of the method")).to_have_value("CRF")
    button(page).click()
    expect(page.get_by_role("heading", name="CRF")).to_be_visible()
    assert Submission.objects.count() == 1


def test_several_files_count_together(visit, phase, team, alice):
    page = visit(SUBMIT, alice)
    choose(page, ("a.txt", bytes(40 * 1024)), ("b.txt", bytes(40 * 1024)))
    words = "Together these files are 80 kB, and the limit for an upload is 64 kB. Pack them into a zip archive"
    expect(page.locator(".drop-refused")).to_contain_text(words)
    expect(button(page)).to_be_disabled()


def test_more_single_files_than_can_be_sent_are_told_to_be_packed(visit, phase, team, alice, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    page = visit(SUBMIT, alice)
    choose(page, *((f"{number}.txt", b"x") for number in range(3)))
    expect(page.locator(".drop-refused")).to_contain_text("These are 3 files, and at most 2 can be sent one by one.")


def test_without_scripts_the_site_says_it_and_keeps_what_was_typed(visit, phase, team, alice):
    page = visit(SUBMIT, alice, java_script_enabled=False)
    choose(page, ("run.zip", bytes(100 * 1024)))
    page.get_by_label("Name of the method").fill("CRF")
    page.get_by_label("Description").fill("With a gazetteer.")
    button(page).click()
    summary = page.get_by_role("alert").first
    expect(summary).to_contain_text("larger than 64 kB")
    expect(summary.get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_label("Name of the method")).to_have_value("CRF")
    expect(page.get_by_label("Description")).to_have_value("With a gazetteer.")


def test_a_person_who_may_upload_for_no_team_cannot_send(visit, phase, team, strangers, alice, charlie):
    Phase.objects.update(window_limit=3)
    type(team).objects.filter(pk=team.pk).update(name="Charlie's  Team", name_key=strangers.name_key)
    phase.task.participations.create(team=strangers, number=1)
    page = visit(SUBMIT, alice)
    expect(page.get_by_text("Another team of this task is called Charlie's team.")).to_be_visible()
    expect(button(page)).to_be_disabled()
    choose(page, ("run.zip", zip_of(PARTLY_RIGHT)))
    expect(button(page)).to_be_disabled()
