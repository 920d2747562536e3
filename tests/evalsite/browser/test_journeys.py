"""Tests what people come for, from the first page to the last, with a real worker where something is scored."""

import re

import pytest
from django.core import mail
from playwright.sync_api import JSHandle, Page, expect

from evalsite.accounts.models import User
from evalsite.leaderboard.models import Edition
from evalsite.submissions.models import Submission
from tests.factories import PASSWORD, run_files, scored, zip_of
from tests.workers import states, wait_for

SUBMIT = "/tasks/health/test/submit/"
BOARD = "/tasks/health/test/board/1/"
SUBMISSION = re.compile(r"/submissions/[0-9a-f-]{36}/$")
# One relation is missing, so that the sentences differ and the score has an interval.
RUN = run_files(relations="part-of\t1\t2\n")
INTERVAL = re.compile(r"0\.\d{3} \[0\.\d{3}, [01]\.\d{3}\]")


def a_zip(files: dict, name: str = "run.zip") -> dict:
    return {"name": name, "mimeType": "application/zip", "buffer": zip_of(files)}


def upload(page: Page, files: dict, method: str = "Rules") -> None:
    page.get_by_label("Files", exact=True).set_input_files(a_zip(files))
    page.get_by_label("Name of the method").fill(method)
    page.get_by_role("button", name="Upload and check").click()


def dragged(page: Page, files: dict) -> JSHandle:
    """A zip as it comes from a folder of the desktop."""
    return page.evaluate_handle(
        """(bytes) => {
            const dragged = new DataTransfer();
            dragged.items.add(new File([new Uint8Array(bytes)], "run.zip", { type: "application/zip" }));
            return dragged;
        }""",
        list(zip_of(files)),
    )


def log_in(page: Page, user: User) -> None:
    page.get_by_label("E-mail address").fill(user.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()


@pytest.mark.thorough
def test_a_newcomer_signs_up_confirms_the_address_and_can_upload(visit, phase):
    page = visit("/")
    page.get_by_role("link", name="Sign up").click()
    page.get_by_label("Name", exact=True).fill("Dana")
    page.get_by_label("E-mail address").fill("dana@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", name="Check your mail")).to_be_visible()
    [message] = mail.outbox
    page.goto(re.search(r"http://\S+", message.body).group())
    page.get_by_role("button", name="Yes, confirm it").click()
    page.get_by_role("link", name="Task health").click()
    page.get_by_role("link", name="Upload a run").click()
    expect(page.get_by_label("Files", exact=True)).to_be_visible()
    upload(page, RUN)
    expect(page).to_have_url(SUBMISSION)
    assert Submission.objects.get().team.name == "Dana"


def test_a_visitor_chooses_a_language_on_a_page_without_a_token(visit, phase):
    page = visit(phase.task.get_absolute_url())
    page.get_by_role("button", name="Español").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page).to_have_url(re.compile(rf"{phase.task.get_absolute_url()}$"))


@pytest.mark.thorough
def test_a_dropped_run_is_queued_and_scored_while_the_page_follows_and_the_board_lists_the_team(
    visit, celery, phase, team, alice
):
    page = visit(SUBMIT)
    log_in(page, alice)
    expect(page).to_have_url(SUBMIT)
    page.wait_for_load_state()  # the script that takes what is dropped
    dropped = dragged(page, RUN)
    for event in ("dragenter", "dragover", "drop"):
        page.dispatch_event("[data-drop]", event, {"dataTransfer": dropped})
    expect(page.locator(".drop-files")).to_contain_text("run.zip")
    page.get_by_label("Name of the method").fill("Rules by Alice")
    page.get_by_role("button", name="Upload and check").click()
    expect(page).to_have_url(SUBMISSION)
    expect(page.get_by_role("main")).to_contain_text("Next in the queue.")
    with celery("worker", "--concurrency", "1"):
        expect(page.get_by_role("main")).to_contain_text(INTERVAL, timeout=60_000)
        wait_for(Edition.objects.exists)
    expect(page.get_by_role("table").first).to_contain_text("F1")
    board = visit(BOARD)
    row = board.get_by_role("row", name="Alice and Bob")
    expect(row).to_contain_text("Rules by Alice")
    expect(row).to_contain_text(INTERVAL)


def test_a_run_with_problems_is_told_by_cause_file_and_line_and_goes_through_once_mended(visit, phase, team, alice):
    page = visit(SUBMIT, alice)
    upload(page, run_files("1\t4 8\n2\t9 x\tConcept\tvías\n", ""))
    causes = page.get_by_role("alert").locator(".cause")
    expect(causes).to_have_count(2)
    expect(causes.nth(0)).to_contain_text(re.compile(r"output_a_scenario1\.txt\s+line 1"))
    expect(causes.nth(1)).to_contain_text(re.compile(r"output_a_scenario1\.txt\s+line 2"))
    page.get_by_role("link", name="choose the corrected files").click()
    expect(page.get_by_label("Files", exact=True)).to_be_in_viewport()
    assert not Submission.objects.exists()
    upload(page, RUN)
    expect(page).to_have_url(re.compile(SUBMISSION.pattern.removesuffix("$")))  # the link to the form left its anchor
    assert states() == {"queued"}


def test_everything_can_be_read_and_a_run_uploaded_without_javascript(visit, phase, team, alice):
    page = visit("/", java_script_enabled=False)
    page.get_by_role("link", name="Task health").click()
    expect(page.get_by_text("What to upload")).to_be_visible()
    page.get_by_role("link", name="Log in to upload").click()
    log_in(page, alice)
    upload(page, RUN)
    expect(page).to_have_url(SUBMISSION)
    expect(page.get_by_role("main")).to_contain_text("queued")
    scored(Submission.objects.get())
    expect(page.get_by_role("main")).to_contain_text(INTERVAL)  # it asks again every 5 seconds
    page.get_by_role("link", name="your submissions").click()
    expect(page.get_by_role("row", name="Rules")).to_contain_text(INTERVAL)
    page.get_by_title("Alice").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Sign up").first).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("path", ["/teams/", "/profile/", "/tasks/health/submissions/"])
def test_pages_for_members_bring_a_stranger_to_the_log_in_and_back(visit, phase, team, alice, path):
    page = visit(path)
    log_in(page, alice)
    expect(page).to_have_url(re.compile(f"{path}$"))


def test_an_organiser_makes_a_whole_task_on_the_desk_and_a_team_uploads_to_it(visit, olga, alice, team):
    olga.may_create_tasks = True
    olga.save()
    page = visit("/organise/new/", olga)
    page.get_by_label("Title", exact=True).fill("Names in letters")
    page.get_by_label("Summary").fill("Find names.")
    page.get_by_label("What systems are to do").select_option("phrases-and-relations")
    page.get_by_role("button", name="Create the task", exact=True).click()
    page.goto(page.url.partition("/organise/")[0] + "/organise/phases/new/")
    page.get_by_label("Name").fill("Test")
    page.locator("[name=new-opens_0]").fill("2026-01-01")
    page.locator("[name=new-opens_1]").fill("00:00")
    page.get_by_role("button", name="Add the phase").click()
    page.goto(page.url.partition("/organise/")[0] + "/organise/gold/add/test/")
    page.get_by_label("File").set_input_files(a_zip(run_files(phrases="", relations=""), "empty.zip"))
    page.get_by_role("button", name="Check and add").click()
    expect(page.get_by_role("main")).to_contain_text("Gold without annotations")
    page.get_by_label("File").set_input_files(a_zip(run_files(), "gold.zip"))
    page.get_by_role("button", name="Check and add").click()
    expect(page.get_by_role("main")).to_contain_text("With fewer than 20")
    page.get_by_role("button", name="Use it anyway").click()
    expect(page.get_by_role("main")).to_contain_text("version 1 with 2 units was added")
    page.get_by_role("link", name="Publish").click()
    page.get_by_role("button", name="Publish the task").click()

    page = visit("/", alice)
    page.get_by_role("link", name="Names in letters").click()
    page.get_by_role("link", name="Upload a run").click()
    upload(page, RUN)
    expect(page).to_have_url(SUBMISSION)
    assert states() == {"queued"}
