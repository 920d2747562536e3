"""Files go to the site by a script: dropped anywhere, asked back about, kept, and sent once more."""

import pytest
from playwright.sync_api import Page, expect

from evalsite.challenges.models import Phase
from evalsite.submissions.models import KeptUpload, Submission
from tests.evalsite.browser.test_journeys import RUN, SUBMISSION, SUBMIT, a_zip, dragged, upload
from tests.factories import PHRASES, run_files, zip_of
from tests.workers import states

ODD = run_files(PHRASES.replace("Concept", "concept"), "part-of\t1\t2\n")
BROKEN = run_files(PHRASES.replace("\t", " "))


def choose(page: Page, content: bytes, name: str = "run.zip") -> None:
    page.get_by_label("Files", exact=True).set_input_files(
        {"name": name, "mimeType": "application/zip", "buffer": content}
    )


@pytest.mark.thorough
def test_odd_files_are_asked_about_and_scored_anyway(visit, celery, phase, team, alice):
    Phase.objects.filter(pk=phase.pk).update(total_limit=5)
    page = visit(SUBMIT, alice)
    upload(page, ODD)
    question = page.locator(".in-order")
    expect(question).to_contain_text("This is what we read")
    expect(question).to_contain_text("did you mean Concept?")
    assert not Submission.objects.exists()
    with celery("worker", "--concurrency", "1"):
        page.get_by_role("button", name="Score it anyway (uses 1 of 5)").click()
        expect(page).to_have_url(SUBMISSION)
        expect(page.get_by_role("heading", name="Rules", level=1)).to_be_visible()
        expect(page.get_by_role("main")).to_contain_text("F1", timeout=60_000)
    assert not KeptUpload.objects.exists()


@pytest.mark.thorough
def test_the_question_works_without_javascript(visit, phase, team, alice):
    page = visit(SUBMIT, alice, java_script_enabled=False)
    upload(page, ODD)
    expect(page.locator(".in-order")).to_contain_text("did you mean Concept?")
    page.get_by_role("button", name="Score it anyway").click()
    expect(page).to_have_url(SUBMISSION)
    assert states() == {"queued"}


@pytest.mark.thorough
def test_a_file_may_be_dropped_anywhere_and_the_page_says_where_it_goes(visit, phase, team, alice):
    page = visit(SUBMIT, alice)
    page.wait_for_load_state()
    dropped = dragged(page, RUN)
    page.dispatch_event("footer", "dragenter", {"dataTransfer": dropped})
    expect(page.locator(".drop-overlay")).to_contain_text("Drop the files of your run for Test")
    page.dispatch_event("footer", "drop", {"dataTransfer": dropped})
    expect(page.locator(".drop-overlay")).to_have_count(0)
    expect(page.locator(".drop-files")).to_contain_text("run.zip")
    page.get_by_label("Name of the method").fill("Dropped")
    page.get_by_role("button", name="Upload and check").click()
    expect(page).to_have_url(SUBMISSION)


@pytest.mark.thorough
def test_a_refused_file_is_still_there_and_so_is_what_was_typed(visit, phase, team, alice):
    page = visit(SUBMIT, alice)
    choose(page, zip_of(RUN))
    page.get_by_label("Description").fill("With a gazetteer.")
    page.get_by_role("button", name="Upload and check").click()  # without a name
    expect(page.locator(".kept")).to_contain_text("run.zip")
    expect(page.get_by_role("alert").first).to_be_focused()
    expect(page.get_by_label("Description")).to_have_value("With a gazetteer.")
    page.reload()
    expect(page.locator(".kept")).to_contain_text("run.zip")
    page.get_by_label("Name of the method").fill("Rules")
    page.get_by_role("button", name="Upload and check").click()
    expect(page).to_have_url(SUBMISSION)
    assert Submission.objects.get().file_name == "run.zip"


@pytest.mark.thorough
def test_files_with_problems_are_replaced_by_mended_ones(visit, phase, team, alice):
    page = visit(SUBMIT, alice)
    upload(page, BROKEN)
    expect(page.get_by_role("heading", name="These files cannot be scored as they are")).to_be_visible()
    page.get_by_label("Files", exact=True).set_input_files(a_zip(RUN, "mended.zip"))
    expect(page.locator(".kept")).to_be_hidden()
    page.get_by_role("button", name="Upload and check").click()
    expect(page).to_have_url(SUBMISSION)
    assert Submission.objects.get().file_name == "mended.zip"


@pytest.mark.thorough
def test_what_was_only_checked_is_uploaded_by_one_more_button(visit, phase, team, alice):
    page = visit(SUBMIT, alice)
    choose(page, zip_of(RUN))
    page.get_by_label("Name of the method").fill("Rules")
    page.get_by_role("button", name="Check only").click()
    expect(page.locator(".in-order")).to_contain_text("No problem found")
    page.get_by_role("button", name="Upload it").click()
    expect(page).to_have_url(SUBMISSION)


@pytest.mark.thorough
def test_the_button_is_locked_while_files_are_sent_and_sending_can_be_stopped(visit, phase, team, alice):
    page = visit(SUBMIT, alice)
    unanswered = []

    def leave_the_first_unanswered(route):
        # Taking the rule away would let the first request through to the site after all.
        if unanswered:
            route.continue_()
        else:
            unanswered.append(route)

    page.route(f"**{SUBMIT}", leave_the_first_unanswered)
    upload(page, RUN)
    button = page.get_by_role("button", name="Sending…")
    expect(button).to_be_disabled()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped.")).to_be_visible()
    expect(page.get_by_role("button", name="Upload and check")).to_be_enabled()
    page.get_by_role("button", name="Upload and check").click()
    expect(page).to_have_url(SUBMISSION)


def test_a_stranger_drops_a_run_on_the_task_s_page_and_learns_its_score(visit, phase):
    Phase.objects.filter(pk=phase.pk).update(gold_released=True)
    page = visit("/tasks/health/")
    page.wait_for_load_state()
    dropped = dragged(page, RUN)
    page.dispatch_event("h1", "dragenter", {"dataTransfer": dropped})
    expect(page.locator(".drop-overlay")).to_contain_text("Drop a run for Test to check it")
    page.dispatch_event("h1", "drop", {"dataTransfer": dropped})
    expect(page.locator(".trial-score")).to_contain_text("F1")
    expect(page.get_by_role("link", name="Log in to put it on the board")).to_be_visible()
    assert not Submission.objects.exists()
