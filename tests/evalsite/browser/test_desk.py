"""A task as its organisers lead it on their desk, without scripts: few clicks, few fields, pages that one can read."""

import re
from dataclasses import dataclass

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import FilePayload, Page, expect

from evalsite.challenges.models import Phase, Task
from evalsite.desk.making.templates import specimen_of
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Submission
from tests.desk_pages import desk_pages
from tests.factories import (
    PARTLY_RIGHT_PHRASES,
    make_gold,
    make_phase,
    make_scenario,
    make_submission,
    run_files,
    scored,
    work_off,
    zip_of,
)
from tests.workers import states, wait_for

pytestmark = pytest.mark.thorough

MOST_CLICKS = 15  # from an example to a scored run of one's own
MOST_FIELDS = 30  # from nothing
HIGHEST = 2500  # pixels of a page at 1280 of width
SCORE = re.compile(r"0\.\d{3}")


@dataclass
class Organiser:
    """Somebody at the desk, whose clicks are counted, and the fields of each form that is sent."""

    page: Page
    n_clicks: int = 0
    n_fields: int = 0

    def follows(self, name: str, within: str = "main") -> None:
        self.n_clicks += 1
        self.page.locator(within).get_by_role("link", name=name).first.click()

    def opens(self, name: str) -> None:
        """A page of the desk."""
        self.follows(name, ".desk-nav")

    def sends(self, name: str) -> None:
        self.n_clicks += 1
        button = self.page.get_by_role("main").get_by_role("button", name=name, exact=True).first
        form = self.page.locator("main form").filter(has=button)
        self.n_fields += form.locator("input:visible, select:visible, textarea:visible").count()
        button.click()

    def chooses(self, files: dict) -> None:
        self.n_clicks += 1
        file: FilePayload = {"name": "run.zip", "mimeType": "application/zip", "buffer": zip_of(files)}
        self.page.locator("main input[type=file]").first.set_input_files(file)

    def adds(self, gold: dict) -> None:
        """Gold so small that it looks odd, and is asked about."""
        self.chooses(gold)
        self.sends("Check and add")
        self.sends("Use it anyway")

    def tries(self, files: dict, phase: Phase) -> None:
        self.opens("Runs")
        self.follows("Try an upload")
        self.follows(phase.name)
        self.chooses(files)
        self.page.get_by_label("Name of the method").fill("A trial")
        self.sends("Upload and check")


def test_from_an_example_to_a_scored_run_of_ones_own_it_is_few_clicks(visit, celery, olga):
    desk = Organiser(visit("/organise/", olga, java_script_enabled=False))
    desk.follows("New task")
    desk.sends("Create the task: Key phrases and relations")
    task = Task.objects.get()
    desk.tries(specimen_of(task.scenarios.get()).run, task.phases.get())
    with celery("worker", "--concurrency", "1"):
        wait_for(lambda: states() == {"scored"})
    desk.page.reload()
    expect(desk.page.get_by_role("main")).to_contain_text(SCORE)
    desk.follows("Organise", "header")
    desk.follows(task.title)
    desk.opens("Publish")
    desk.sends("Publish the task")  # asked back, as its texts are still the example's
    desk.page.get_by_label("Publish it anyway").check()
    desk.sends("Publish the task")
    task.refresh_from_db()
    assert task.is_published
    assert desk.n_clicks <= MOST_CLICKS


def test_from_nothing_to_a_scored_run_it_is_few_fields(visit, olga):
    desk = Organiser(visit("/organise/new/", olga, java_script_enabled=False))
    desk.page.get_by_label("Title", exact=True).fill("Phrases 2027")
    desk.page.get_by_label("Summary").fill("Find phrases.")
    desk.page.get_by_label("What systems are to do").select_option(label="Key phrases and relations")
    desk.sends("Create the task")
    desk.opens("Phases")
    desk.follows("Add a phase")
    desk.page.get_by_label("Name", exact=True).fill("Test")
    desk.page.locator("[name=new-opens_0]").fill(f"{timezone.now():%Y-%m-%d}")
    desk.page.locator("[name=new-opens_1]").fill("00:00")
    desk.sends("Add the phase")
    task = Task.objects.get()
    specimen = specimen_of(task.scenarios.get())
    desk.opens("Gold")
    desk.follows("Add gold")
    desk.adds(specimen.gold)
    desk.tries(specimen.run, task.phases.get())
    scored(Submission.objects.get())
    desk.page.reload()
    expect(desk.page.get_by_role("main")).to_contain_text(SCORE)
    assert desk.n_fields <= MOST_FIELDS


def test_wrong_gold_found_after_runs_is_mended_and_looked_at_before_anybody_sees_it(
    visit, scored_submission, phase, scenario, olga
):
    refresh(Board.objects.get())
    board = f"/tasks/health/{phase.slug}/board/1/"
    before = Client().get(board).content
    desk = Organiser(visit("/tasks/health/organise/gold/", olga, java_script_enabled=False))
    desk.follows("Add a version")
    desk.adds(run_files(PARTLY_RIGHT_PHRASES, ""))
    assert Client().get(board).content == before
    work_off()
    desk.opens("Overview")
    desk.follows("Publish or discard it")
    expect(desk.page.get_by_role("main")).to_contain_text("1 of 1 runs get another score.")
    desk.page.get_by_label("What changed, in a few words").fill("three labels corrected")
    desk.sends("Publish")
    refresh(Board.objects.get())
    assert b"three labels corrected" in Client().get(board).content


def test_of_two_browsers_on_one_form_the_second_is_told(visit, phase, olga):
    pages = [visit(f"/tasks/health/organise/phases/{phase.slug}/", olga, java_script_enabled=False) for _ in range(2)]
    for page, name in zip(pages, ("Final", "Last"), strict=True):
        page.get_by_text("Name and description").first.click()
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_role("button", name="Save").first.click()
    expect(pages[1].get_by_role("main")).to_contain_text("was changed while you had this page open")
    phase.refresh_from_db()
    assert phase.name == "Final"


@pytest.fixture
def large_task(task, team, alice) -> Task:
    """Three scenarios and three phases, with gold, a run and texts."""
    scenarios = [make_scenario(task, number, description="Words. " * 100) for number in (1, 2, 3)]
    for slug in ("development", "test", "post"):
        phase = make_phase(task, slug)
        for scenario in scenarios:
            make_gold(phase, scenario)
    make_submission(phase, team, alice, scenarios=scenarios[:1])
    for number in range(3):
        task.pages.create(title=f"Page {number}", slug=f"page-{number}", position=number, text="Words. " * 500)
    return task


def test_no_page_of_the_desk_is_higher_than_three_screens(visit, large_task, olga):
    client = Client()
    client.force_login(olga)
    pages = desk_pages(client, large_task.slug)
    page = visit(pages.pop("desk"), olga, java_script_enabled=False)
    heights = {"desk": height_of(page)}
    for name, path in pages.items():
        page.goto(path)
        heights[name] = height_of(page)
    assert {name: height for name, height in heights.items() if height > HIGHEST} == {}


def test_long_names_of_phases_make_no_row_of_teams_higher(visit, large_task, olga):
    scored(Submission.objects.get())
    page = visit(f"/tasks/{large_task.slug}/organise/teams/", olga, java_script_enabled=False)
    row = page.locator(".desk-teams tbody tr").first
    height = row.bounding_box()["height"]
    long = "Evaluation on the unseen domain of paediatric discharge letters"
    Phase.objects.update(name=long)
    page.reload()
    assert row.get_by_title(long).count() == 2
    assert row.bounding_box()["height"] == height


def test_on_paper_a_scenario_has_its_fields_with_what_they_hold_and_no_controls(visit, large_task, olga):
    scenario = large_task.scenarios.get(number=1)
    page = visit(f"/tasks/{large_task.slug}/organise/scenarios/1/", olga, java_script_enabled=False)
    page.emulate_media(media="print")
    form = page.locator("#scenario_form")
    expect(form.get_by_label("Name")).to_be_visible()
    expect(form.get_by_label("Name")).to_have_value(scenario.name)
    description = form.get_by_label("Description")
    assert description.evaluate("area => area.scrollHeight <= area.clientHeight")
    expect(form.get_by_text("Shown scores")).to_be_visible()
    assert [button for button in form.get_by_role("button", include_hidden=True).all() if button.is_visible()] == []
    page.emulate_media(media="screen")


def height_of(page: Page) -> float:
    box = page.locator("html").bounding_box()
    assert box is not None
    return box["height"]


def test_lists_of_the_desk_tell_the_readers_own_time_and_utc_as_its_title(visit, phase, olga):
    Phase.objects.update(opens="2099-11-26T23:30:00Z", closes=None)
    page = visit("/organise/", olga, java_script_enabled=True)
    chromium = page.context.new_cdp_session(page)
    chromium.send("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
    page.reload()
    opened = page.locator("main time").first
    expect(opened).to_have_text("27 Nov 2099, 08:30")
    expect(opened).to_have_attribute("title", re.compile(r"26 Nov 2099, 23:30\b.* UTC"))
    expect(page.get_by_role("contentinfo")).to_contain_text("Times without a zone are in your time zone.")
    chromium.send("Emulation.setTimezoneOverride", {"timezoneId": ""})
