"""Every page, light, dark and on a phone: axe finds no serious barrier, and nothing makes the page scroll sideways."""

from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from playwright.sync_api import Page

from evalsite.accounts.models import Team
from evalsite.challenges.taking_part.teams import participate
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.lifecycle import transitions
from evalsite.submissions.lifecycle.rescoring import score_again
from evalsite.submissions.models import Submission
from evalsite.submissions.runs import changing
from tests.evalsite.families import make_annotated, make_answered, make_chained, make_listed, make_parsed
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare
from tests.factories import (
    PARTLY_RIGHT,
    PASSWORD,
    make_gold,
    make_phase,
    make_run,
    make_scenario,
    make_submission,
    make_task,
    run_files,
    zip_of,
)
from tests.thoroughness import is_thorough

# Both colours and both widths; with --thorough also each of the colours at the other width, of what was not shown in
# the same colours before. In these two further looks nothing but colours can be wrong.
LOOKS = {"light": ("light", 1280), "dark on a phone": ("dark", 390)}
FURTHER = {"dark": ("dark", 1280), "light on a phone": ("light", 390)} if is_thorough() else {}
AXE = Axe().axe_script + "; window.seen = { light: new WeakSet(), dark: new WeakSet() };"
# Without the style sheets that sheets import: axe would look for them beside the page.
RUN = """async ([colours, isFurther]) => {
  const shown = [...document.querySelectorAll("body *")].filter((each) => each.checkVisibility());
  const fresh = shown.filter((each) => !seen[colours].has(each));
  shown.forEach((each) => seen[colours].add(each));
  const rules = isFurther ? { runOnly: ["color-contrast", "link-in-text-block"] } : {};
  const options = { ...rules, resultTypes: ["violations"], preload: false };
  if (isFurther && !fresh.length) return [];
  return (await axe.run(isFurther ? fresh : document, options)).violations;
}"""


def barriers(page: Page) -> list[str]:
    """Return what would keep somebody from reading or using the page, in any of its looks."""
    found = []
    page.evaluate(AXE)
    for look, (colours, width) in (LOOKS | FURTHER).items():
        page.emulate_media(color_scheme=colours)
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("document.getAnimations().forEach((change) => change.finish())")
        for violation in page.evaluate(RUN, [colours, look in FURTHER]):
            if violation["impact"] in ("serious", "critical"):
                found += [f"{look}: {violation['id']} at {node['target']}" for node in violation["nodes"]]
        if scrolls_sideways(page):
            found.append(f"{look}: scrolls sideways")
    return found


def scrolls_sideways(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def open_all(page: Page) -> None:
    page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })")


SUBMIT, BOARD = "/tasks/health/test/submit/", "/tasks/health/test/board/1/"


# Pages as they are once these fixtures are there, the last of which the address may be about; and who looks.
PAGES = {
    "home without tasks": ("db", None, "/"),
    "a page that is not there": ("db", None, "/nowhere/"),
    "a sent confirmation": ("db", None, reverse_lazy("account_email_verification_sent")),
    "a sent reset": ("db", None, reverse_lazy("account_reset_password_done")),
    "a task without anything": ("task", None, "/tasks/health/"),
    "a team by a member": ("team", "bob", Team.get_absolute_url),
    "an invitation": ("team", "charlie", lambda team: reverse("team_join", args=[team.invitation])),
    "a new team": ("alice", "alice", reverse_lazy("team_create")),
    "a queued submission": ("submission", "alice", Submission.get_absolute_url),
    "an empty history": ("phase team", "alice", "/tasks/health/submissions/"),
    "an empty board": ("phase", None, BOARD),
    "the admin": ("scored_submission administering", "olga", reverse_lazy("admin:index")),
    "tasks in the admin": (
        *("scored_submission administering", "olga"),
        reverse_lazy("admin:challenges_task_changelist"),
    ),
    "a new organiser in the admin": ("task administering", "olga", reverse_lazy("admin:challenges_organiser_add")),
    "runs in the admin": (
        *("scored_submission administering", "olga"),
        reverse_lazy("admin:submissions_submission_changelist"),
    ),
    "a task in the admin": (
        *("scored_submission administering task", "olga"),
        lambda task: reverse("admin:challenges_task_change", args=[task.pk]),
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_needs_nothing_else(visit, request, name):
    there, who, address = PAGES[name]
    *_, last = map(request.getfixturevalue, there.split())
    page = visit(str(address(last) if callable(address) else address), who and request.getfixturevalue(who))
    assert barriers(page) == []


# Tasks


def test_the_home_page_with_tasks(visit, phase, olga, alice):
    for slug, days in (("soon", 2), ("past", -9)):
        opens = timezone.now() + timedelta(days=days)
        make_phase(make_task(slug, olga), opens=opens, closes=opens + timedelta(days=1))
    assert barriers(visit("/", alice)) == []


@pytest.mark.thorough
def test_home_and_task_with_leaders(visit, phase, scenario):
    teams = make_teams(phase, "Anna", "Berta, whose name is " + "long " * 12, "Cleo", "Dora")
    entries = [make_entry(team, score, 1) for team, score in zip(teams, (0.8, 0.799, 0.6, 0.5), strict=True)]
    compare(make_board(phase, scenario, entries), scenario)

    page = visit("/")
    assert barriers(page) == []
    page.goto(page.url + "tasks/health/")
    assert barriers(page) == []


@pytest.mark.parametrize("path", ["/help/", "/help/participants/", "/help/organisers/", "/help/administrators/"])
def test_help(visit, path):
    assert barriers(visit(path)) == []


TASK = {
    "description": "# Overview\n\nFind *phrases* in [text](https://example.org).\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    "```\nID START/END LABEL\n```\n",
    "contact": "olga@example.org",
}


def test_a_task(visit, task, phase, alice, scored_submission):
    type(task).objects.filter(pk=task.pk).update(**TASK)
    make_scenario(task, 2, description="With gold phrases.")
    make_phase(task, "development", gold_released=True, window_limit=3, description="To *try*.")
    assert barriers(visit("/tasks/health/", alice)) == []


# Accounts


@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_reset_password"])
def test_the_entrance(visit, db, name):
    page = visit(reverse(name))
    assert barriers(page) == []
    page.locator("main button.btn-primary").click()
    page.get_by_text("Fill this in.").first.wait_for()
    assert barriers(page) == []


@pytest.mark.parametrize("name", ["profile", "account_change_password", "mfa_index", "account_logout"])
def test_an_account(visit, team, alice, name):
    assert barriers(visit(reverse(name), alice)) == []


@pytest.mark.thorough
def test_the_address(visit, alice):
    page = visit(reverse("account_email"), alice)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_label("New e-mail address").wait_for()
    assert barriers(page) == []


@pytest.mark.thorough
def test_what_an_organiser_without_a_second_factor_sees(visit, olga, task, settings):
    settings.REQUIRE_STAFF_MFA = True
    make_task("hidden", olga, is_published=False)
    assert barriers(visit("/tasks/hidden/", olga)) == []
    assert barriers(visit("/tasks/health/", olga)) == []


@pytest.mark.thorough
def test_the_second_factor(visit, alice):
    page = visit(reverse("mfa_activate_totp"), alice)
    assert barriers(page) == []
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_role("heading", name="Set up the second factor").wait_for()
    assert barriers(page) == []


@pytest.mark.thorough
def test_teams(visit, team, alice):
    assert barriers(visit(reverse("teams"), alice)) == []


@pytest.mark.thorough
def test_a_team_by_its_owner(visit, team, alice, scored_submission):
    page = visit(team.get_absolute_url(), alice)
    open_all(page)
    assert barriers(page) == []


# Uploads


def test_the_upload_form(visit, phase, team, alice):
    make_scenario(phase.task, 2)
    page = visit(SUBMIT, alice)
    assert barriers(page) == []
    page.get_by_role("button", name="Upload and check").click()
    page.get_by_role("heading", name="This upload was not accepted").wait_for()
    assert barriers(page) == []


@pytest.mark.thorough
def test_the_upload_form_with_problems(visit, phase, team, alice):
    page = visit(SUBMIT, alice)
    broken = zip_of(run_files("1\t4 8\n2\tx y\tConcept\tniño\n"))
    page.get_by_label("Files").set_input_files({"name": "run.zip", "mimeType": "application/zip", "buffer": broken})
    page.get_by_label("Name of the method").fill("Broken")
    page.get_by_role("button", name="Upload and check").click()
    page.get_by_role("heading", name="These files cannot be scored as they are").wait_for()
    assert barriers(page) == []


@pytest.mark.thorough
def test_an_upload_that_is_too_large(visit, phase, team, alice, settings):
    settings.MAX_UPLOAD_BYTES = 1000
    page = visit(SUBMIT, alice)
    large = {"name": "run.txt", "mimeType": "text/plain", "buffer": b"x" * 5000}
    page.get_by_label("Files").set_input_files(large)
    page.locator(".drop-refused").wait_for()
    assert page.get_by_role("button", name="Upload and check").is_disabled()
    assert barriers(page) == []


@pytest.mark.thorough
def test_a_closed_phase(visit, task, scenario, team, alice):
    past = timezone.now() - timedelta(days=2)
    make_phase(task, opens=past, closes=past + timedelta(days=1))
    assert barriers(visit(SUBMIT, alice)) == []


# Submissions

PROBLEM = {"message": "This phrase has no label.", "file": "output_a_scenario1.txt", "line": 2, "column": None}


@pytest.mark.thorough
def test_a_running_submission(visit, submission, alice):
    transitions.claim(submission.scorings.get().pk)
    submission.scorings.update(step="intervals")
    assert barriers(visit(submission.get_absolute_url(), alice)) == []


def test_a_scored_submission(visit, scored_submission, alice):
    assert barriers(visit(scored_submission.get_absolute_url(), alice)) == []


@pytest.mark.thorough
def test_a_submission_of_a_development_phase(visit, phase, scored_submission, alice):
    type(phase).objects.update(gold_released=True)
    page = visit(scored_submission.get_absolute_url(), alice)
    page.get_by_text("Las vías respiratorias del niño").first.wait_for(state="attached")
    open_all(page)
    assert barriers(page) == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("make", "name", "heading"),
    [
        (make_annotated, "one.json", "Span by span"),
        (make_answered, "QAC1-1001-01", "System"),
        (make_chained, "the trial", "Chain by chain"),
        (make_parsed, "d1", "Sentence by sentence"),
    ],
)
def test_a_run_of_each_family_and_a_unit_of_it(visit, olga, team, alice, make, name, heading):
    page = visit(make(olga, team, alice, gold_released=True).get_absolute_url(), alice)
    open_all(page)
    assert barriers(page) == []
    page.get_by_role("link", name=name).click()
    page.get_by_role("heading", name=heading).wait_for()
    open_all(page)
    assert barriers(page) == []
    if make is make_annotated:
        page.get_by_role("link", name="Other label 1").click()
        page.get_by_role("row").nth(1).wait_for()
        assert barriers(page) == []
    if make is make_chained:
        page.locator("#gold-1").focus()
        page.locator(".is-lit").first.wait_for()
        assert barriers(page) == []
        page.get_by_role("link", name="Split off 2").click()
        page.locator(".is-faint").first.wait_for()
        assert barriers(page) == []


@pytest.mark.thorough
def test_chains_without_a_text(visit, olga, team, alice):
    made = make_listed(olga, team, alice, gold_released=True)
    assert barriers(visit(reverse("submission_unit", args=[made.pk, 1, "one"]), alice)) == []


@pytest.mark.thorough
def test_a_page_whose_files_are_gone(visit, olga, team, alice):
    made = make_answered(olga, team, alice, gold_released=True)
    made.file.delete(save=False)
    page = visit(reverse("submission_unit", args=[made.pk, 1, "QAC1-1001-01"]), alice)
    page.get_by_role("heading", name="The files are no longer there").wait_for()
    assert barriers(page) == []


@pytest.mark.thorough
def test_what_to_upload(visit, olga, team, alice):
    page = visit("/", alice)
    for make in (make_annotated, make_answered, make_chained, make_parsed):
        made = make(olga, team, alice)
        page.goto(reverse("submit", args=[made.phase.task.slug, made.phase.slug]))
        assert barriers(page) == []


@pytest.mark.thorough
def test_a_refused_submission(visit, submission, alice):
    submission.scorings.update(state="refused", problems=[PROBLEM], finished=timezone.now())
    assert barriers(visit(submission.get_absolute_url(), alice)) == []


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["alice", "olga"])
def test_a_failed_submission(visit, submission, request, name):
    submission.scorings.update(state="failed", error="MemoryError: " + "x" * 200, finished=timezone.now())
    assert barriers(visit(submission.get_absolute_url(), request.getfixturevalue(name))) == []


@pytest.mark.thorough
def test_a_withdrawn_submission(visit, scored_submission, alice):
    changing.withdraw([scored_submission], by=alice)
    assert barriers(visit(scored_submission.get_absolute_url(), alice)) == []


@pytest.mark.thorough
def test_a_submission_that_organisers_withdrew(visit, scored_submission, alice, olga):
    page = visit(scored_submission.get_absolute_url(), olga)
    page.get_by_text("Withdraw this submission").click()
    assert barriers(page) == []
    changing.withdraw([scored_submission], by=olga, side="organisers", reason="Trained on the test set. " * 10)
    assert barriers(visit(scored_submission.get_absolute_url(), alice)) == []


@pytest.mark.thorough
def test_a_run_and_a_board_that_wait_for_new_gold(visit, phase, scenario, scored_submission, olga):
    refresh(Board.objects.get())
    make_gold(phase, scenario, run_files(relations=""))
    score_again([scored_submission], by=olga)
    page = visit(scored_submission.get_absolute_url(), olga)
    assert page.get_by_text("It is being scored on the candidate, version 2 of the gold, too.").count() == 1
    assert barriers(page) == []
    page.goto(BOARD)
    assert page.get_by_text("0 of 1 runs are done").count() == 1
    assert barriers(page) == []


@pytest.mark.thorough
def test_a_history_with_a_chart(visit, phase, team, alice, scored_submission):
    make_run(phase, team, run_files(), method="Better rules")
    make_submission(phase, team, alice, PARTLY_RIGHT | {"note.txt": "3"}, method="Waiting " + "long" * 20)
    page = visit("/tasks/health/submissions/", alice)
    assert page.locator(".progress-chart").count() == 1
    assert barriers(page) == []


# Boards


def test_a_full_board(visit, phase, scenario, team, alice):
    participate(phase.task, team)
    teams = make_teams(phase, *(f"Team {name}" for name in "ABCDEFGHIJKL"))
    entries = [make_entry(each, 0.9 - 0.05 * place, place + 1) for place, each in enumerate(teams)]
    own = make_entry(team, 0.2, 13, method="Rules")
    baseline = make_entry(team, 0.3, method="Most frequent label", reference="baseline")
    make_board(phase, scenario, [*entries, baseline, own, make_entry(team, None)])
    assert barriers(visit(BOARD, alice)) == []


@pytest.fixture
def compared(phase, scenario):
    teams = make_teams(phase, *(f"Team {name}" for name in "ABCDEFGHIJKL"))
    scores = (0.8, 0.799, 0.7, 0.699, 0.698, 0.5, 0.499, 0.4, 0.3, 0.299, 0.2, 0.1)
    entries = [make_entry(each, score, 1) for each, score in zip(teams, scores, strict=True)]
    entries.insert(4, make_entry(teams[0], 0.6985, reference="baseline", method="Most frequent label"))
    edition = make_board(phase, scenario, entries)
    compare(edition, scenario, twins=((0, 1),))
    return edition


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["Columns", "Earlier boards", "Download"])
def test_a_board_with_groups_and_its_menus(visit, compared, name):
    page = visit(BOARD)
    page.locator("summary", has_text=name).click()
    assert barriers(page) == []


@pytest.mark.thorough
def test_a_board_with_a_row_in_focus(visit, compared):
    page = visit(BOARD)
    page.locator("tbody tr").nth(3).focus()
    page.get_by_role("status").wait_for()
    assert barriers(page) == []


@pytest.mark.thorough
def test_a_board_with_open_runs_on_an_earlier_day(visit, phase, team, alice):
    make_run(phase, team, run_files(), method="Second try")
    make_run(phase, team, method="First try")
    refresh(Board.objects.get())
    page = visit(f"{BOARD}?on=2030-01-01&columns=best,runs,date", alice)
    page.locator(".runs-link").click()
    page.locator("tr.runs").wait_for()
    assert barriers(page) == []


@pytest.mark.thorough
def test_all_scenarios_side_by_side(visit, phase, task, compared):
    second = make_scenario(task, 2)
    make_gold(phase, second)
    assert barriers(visit("/tasks/health/test/board/")) == []


@pytest.mark.thorough
@pytest.mark.parametrize("audience", ["participants", "organisers"])
def test_a_hidden_board(visit, phase, audience):
    type(phase).objects.update(board_audience=audience)
    assert barriers(visit(BOARD)) == []


# Errors


@pytest.mark.thorough
def test_a_page_that_one_may_not_see(visit, team, bob):
    page = visit(reverse("team_edit", args=[team.pk]), bob)
    page.get_by_text("You may not see this page.").wait_for()
    assert barriers(page) == []


# Organisers
