"""The site without a mouse: everything is reached by Tab, seen where it is, and works by Enter."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from tests.evalsite.families import make_annotated
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.factories import PARTLY_RIGHT, zip_of

SUBMIT = "/tasks/health/test/submit/"


def focused(page: Page) -> Locator:
    return page.locator("*:focus")


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus; fails after going once round the page."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if target.evaluate("(element) => element === document.activeElement"):
            return
    raise AssertionError(f"{target} is not reached by Tab")


# An outline of its own, or a shadow that it has only while it is focused.
INVISIBLE = """() => {
    const element = document.activeElement;
    if (element === document.body) return null;
    const seen = getComputedStyle(element);
    if (seen.outlineStyle !== "none" && parseFloat(seen.outlineWidth) > 0) return "";
    const shadow = seen.boxShadow;
    element.blur();
    const hadShadow = getComputedStyle(element).boxShadow;
    element.focus();
    return shadow === hadShadow ? element.outerHTML.slice(0, 120) : "";
}"""


def unseen_stops(page: Page) -> list[str]:
    """The places of the page on which Tab stops and where one cannot see that it does."""
    unseen = []
    for stop in range(100):
        page.keyboard.press("Tab")
        found = page.evaluate(INVISIBLE)
        if found is None:
            assert stop > 5, "nothing on the page is reached"
            return unseen
        unseen += [found] if found else []
    raise AssertionError("the focus is caught")


@pytest.mark.thorough
def test_the_first_tab_offers_to_skip_to_the_content(visit, phase):
    page = visit("/")
    page.keyboard.press("Tab")
    expect(focused(page)).to_have_text("Skip to the content")
    expect(focused(page)).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
    page.keyboard.press("Tab")
    expect(focused(page)).to_have_text("Task health")


@pytest.mark.thorough
def test_the_menu_opens_by_enter_and_closes_by_escape(visit, alice):
    page = visit("/", alice)
    summary = page.locator(".menu > summary")
    tab_to(page, summary)
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(focused(page)).to_have_text("Profile")
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Profile")).to_be_hidden()
    expect(summary).to_be_focused()


@pytest.mark.thorough
def test_a_run_is_uploaded_by_keyboard(visit, phase, team, alice):
    page = visit(SUBMIT, alice)
    with page.expect_file_chooser() as chooser:
        tab_to(page, page.get_by_label("Files", exact=True))
        page.keyboard.press("Enter")
    chooser.value.set_files({"name": "run.zip", "mimeType": "application/zip", "buffer": zip_of(PARTLY_RIGHT)})
    tab_to(page, page.get_by_label("Name of the method"))
    page.keyboard.type("Typed")
    tab_to(page, page.get_by_role("button", name="Upload and check"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Typed")).to_be_visible()


@pytest.mark.thorough
def test_the_list_of_mistakes_leads_to_the_fields(visit, phase, team, alice):
    page = visit(SUBMIT, alice)
    page.get_by_role("button", name="Upload and check").click()
    tab_to(page, page.get_by_role("link", name=re.compile("^Name of the method:")))
    page.keyboard.press("Enter")
    page.keyboard.type("Typed")
    expect(page.get_by_label("Name of the method")).to_have_value("Typed")


@pytest.fixture
def document(visit, olga, team, alice) -> Page:
    made = make_annotated(olga, team, alice, gold_released=True)
    return visit(reverse("submission_unit", args=[made.pk, 1, "one.json"]), alice)


@pytest.mark.thorough
def test_tab_leads_from_error_to_error_and_enter_to_what_it_is(document):
    tab_to(document, document.locator("#gold-3"))
    document.keyboard.press("Tab")
    expect(document.locator("#gold-5")).to_be_focused()  # gold-4 is a match
    document.keyboard.press("Enter")
    expect(document.locator("tr:target")).to_contain_text("Both differ")


@pytest.mark.thorough
def test_keys_lead_from_error_to_error_and_round(document):
    errors = document.locator("[data-marks] a.tag")
    document.get_by_role("button", name="Next error").press("Enter")
    expect(errors.first).to_be_focused()
    document.keyboard.press("n")
    expect(errors.nth(1)).to_be_focused()
    document.keyboard.press("p")
    document.keyboard.press("p")
    expect(errors.last).to_be_focused()
    document.keyboard.press("n")
    expect(errors.first).to_be_focused()


@pytest.mark.thorough
def test_the_keys_do_nothing_elsewhere_on_the_page(document):
    document.get_by_role("link", name="Teams").focus()
    document.keyboard.press("n")
    expect(document.get_by_role("link", name="Teams")).to_be_focused()


@pytest.mark.thorough
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_one_sees_the_focus_in_a_marked_text(document, colours):
    document.emulate_media(color_scheme=colours)
    assert unseen_stops(document) == []


@pytest.mark.thorough
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/tasks/health/", SUBMIT, "/tasks/health/test/board/1/", "/profile/", "/teams/"])
def test_one_always_sees_where_the_focus_is(visit, phase, scenario, team, alice, path, colours):
    first, second = make_teams(phase, "First", "Second")
    make_board(phase, scenario, [make_entry(first, 0.7, 1), make_entry(second, 0.6, 2)])
    assert unseen_stops(visit(path, alice, color_scheme=colours)) == []
