"""Files go to the site by a script: dropped anywhere, asked back about, kept, and sent on over a line that breaks."""

import re
import zipfile
from io import BytesIO

import pytest
from playwright.sync_api import Page, expect

from evalsite.challenges.models import Phase
from evalsite.submissions.models import KeptUpload, Submission
from evalsite.submissions.receiving import parts
from tests.evalsite.browser.test_journeys import INTERVAL, RUN, SUBMISSION, SUBMIT, a_zip, dragged, upload
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


class TestInParts:
    @pytest.fixture(autouse=True)
    def _small_parts(self, settings, phase):
        settings.PART_BYTES = 16 * 1024
        settings.MAX_UPLOAD_BYTES = 20 * 1024
        Phase.objects.filter(pk=phase.pk).update(upload_megabytes=1)

    @pytest.fixture
    def run(self) -> bytes:
        """Larger than a form takes, for all that is in it beside the run."""
        buffer = BytesIO(zip_of(RUN))
        with zipfile.ZipFile(buffer, "a") as archive:
            archive.writestr("README.md", bytes(range(256)) * 300)
        return buffer.getvalue()

    @pytest.mark.thorough
    def test_a_large_file_goes_in_parts_over_a_line_that_breaks(self, visit, celery, phase, team, alice, run):
        page = visit(SUBMIT, alice)
        asked = []

        def broken_twice(route):
            asked.append(route)
            route.abort("connectionreset") if len(asked) in (2, 4) else route.continue_()

        page.route("**/part/", broken_twice)
        choose(page, run)
        page.get_by_label("Name of the method").fill("Large")
        with celery("worker", "--concurrency", "1"):
            page.get_by_role("button", name="Upload and check").click()
            expect(page).to_have_url(SUBMISSION)
            expect(page.get_by_role("main")).to_contain_text(INTERVAL, timeout=60_000)
        assert len(asked) == 2 + -(-len(run) // (16 * 1024))
        assert Submission.objects.get().size == len(run)
        assert not KeptUpload.objects.exists()

    @pytest.mark.thorough
    def test_after_a_cut_and_a_reload_it_goes_on_where_it_was(self, visit, phase, team, alice, run, tmp_path):
        path = tmp_path / "run.zip"
        path.write_bytes(run)
        page = visit(SUBMIT, alice)
        n_sent = 0

        def cut_after_two(route):
            nonlocal n_sent
            n_sent += 1
            route.continue_() if n_sent <= 2 else route.abort("connectionreset")

        page.route("**/part/", cut_after_two)
        page.get_by_label("Files", exact=True).set_input_files(path)
        page.get_by_label("Name of the method").fill("Large")
        page.get_by_role("button", name="Upload and check").click()
        expect(page.locator(".sending-state")).to_contain_text("The connection was lost. Trying again")
        page.unroute("**/part/")
        page.goto(SUBMIT)
        expect(page.locator(".under-way")).to_contain_text(re.compile(r"run\.zip:\s+32 kB of 7\d kB sent"))
        further = []
        page.on("request", lambda request: further.append(request) if "/part/" in request.url else None)
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Go on").click()
        chooser.value.set_files(path)
        page.get_by_label("Name of the method").fill("Large")
        page.get_by_role("button", name="Upload and check").click()
        expect(page).to_have_url(SUBMISSION)
        assert further[0].headers["content-range"].startswith("bytes 32768-")
        assert Submission.objects.get().size == len(run)

    @pytest.mark.thorough
    def test_others_that_leave_no_room_are_given_up_from_the_page(self, visit, phase, team, alice, run, settings):
        settings.MAX_KEPT = 1
        page = visit(SUBMIT, alice)
        parts.begin(alice, phase, "left.zip", 500)
        choose(page, run)
        page.get_by_label("Name of the method").fill("Large")
        page.get_by_role("button", name="Upload and check").click()
        expect(page.locator(".sending-state")).to_contain_text("unfinished uploads: left.zip (Test)")
        expect(page.locator(".under-way")).to_contain_text("left.zip")
        page.get_by_role("button", name="Give it up").click()
        expect(page.get_by_text("Removed. Nothing of it was kept.")).to_be_visible()
        assert not KeptUpload.objects.exists()

    @pytest.mark.thorough
    def test_what_is_missing_in_the_form_is_told_before_anything_is_sent(self, visit, phase, team, alice, run):
        page = visit(SUBMIT, alice)
        choose(page, run)
        page.get_by_role("button", name="Upload and check").click()
        expect(page.get_by_label("Name of the method")).to_be_focused()
        assert not KeptUpload.objects.exists()


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
