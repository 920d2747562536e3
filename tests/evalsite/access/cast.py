"""Two tasks with everything in them, for each address one about something in it, and somebody in each role."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.files.base import ContentFile
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from evalsite.accounts.models import Team, User
from evalsite.api import tokens
from evalsite.api.models import AccessToken
from evalsite.challenges.models import (
    Announcement,
    Application,
    Download,
    Gold,
    OrganiserInvitation,
    Page,
    Phase,
    Picture,
    Scenario,
    Task,
    WaitingGold,
)
from evalsite.challenges.starter_kit import wheel
from evalsite.leaderboard.models import ImportedTable
from evalsite.mailing.models import Letter
from evalsite.mailing.switches import switch_address
from evalsite.submissions.models import Allowance, KeptUpload, Submission
from evalsite.submissions.quotas import grant_allowance
from evalsite.submissions.receiving import kept_uploads
from evalsite.submissions.uploads import as_upload
from tests.contrib_apps import contrib_modules
from tests.evalsite.families import make_answered
from tests.factories import (
    make_gold,
    make_organiser,
    make_phase,
    make_scenario,
    make_submission,
    make_task,
    make_team,
    make_user,
    run_files,
    scored,
    zip_upload,
)

# A visitor; alice, bob of her team, and charlie of another one; who may look at her task, change it, and owns it; who
# owns another one; and the site's administrator.
ROLES = ("stranger", "alice", "bob", "charlie", "viewer", "organiser", "olga", "foreign", "root")


@dataclass
class World:
    """A task, and one of everything that has an address; `answered` is a run whose units can be looked at."""

    task: Task
    scenario: Scenario
    phase: Phase
    gold: Gold
    team: Team
    members: tuple[User, User]
    owner: User
    run: Submission
    other_run: Submission
    answered: Submission
    download: Download
    page: Page
    picture: Picture
    kept: KeptUpload
    token: AccessToken
    judge_token: AccessToken
    invitation: OrganiserInvitation
    allowance: Allowance
    waiting: WaitingGold
    letter: Letter
    application: Application
    announcement: Announcement
    imported: ImportedTable


def make_world(slug: str, owner: User, team: Team, *members: User, answered: Submission | None = None) -> World:
    task = make_task(slug, owner)
    scenario, phase = make_scenario(task), make_phase(task)
    uploader = members[0]
    gold = make_gold(phase, scenario)
    run = scored(make_submission(phase, team, uploader))
    with as_upload([zip_upload(run_files())]) as upload:
        kept = kept_uploads.keep(uploader, phase, upload)
    worse = run_files("1\t4 8\tConcept\tx\n", "")
    return World(
        task=task,
        scenario=scenario,
        phase=phase,
        gold=gold,
        team=team,
        members=members,
        owner=owner,
        run=run,
        other_run=scored(make_submission(phase, team, uploader, worse, method="Other")),
        answered=answered or run,
        download=Download.objects.create(task=task, title="Input", file=ContentFile(b"x", "input.txt")),
        page=Page.objects.create(task=task, title="Rules", slug="rules"),
        picture=Picture.objects.create(task=task, name="figure.png", file=ContentFile(b"x", "figure.png")),
        kept=kept,
        token=tokens.make(uploader, "laptop", "read", None)[0],
        judge_token=tokens.make(owner, "judge", "judge", None, task)[0],
        invitation=task.organiser_invitations.create(email="charlie@example.org", role="viewer"),
        allowance=grant_allowance(phase, team, 1, reason="server was down", by=owner),
        announcement=Announcement.objects.create(task=task, title="The test is open"),
        imported=phase.imported_tables.create(scenario=scenario, columns=["f1"], rows=[]),
        letter=Letter.objects.create(task=task, subject="News", text="The test opens soon.", by=owner),
        application=task.applications.create(team=make_team(f"Asking {slug}"), state="waiting"),
        waiting=WaitingGold.objects.create(phase=phase, remarks=[], created_by=owner),
    )


def make_people(world: World) -> dict[str, User | None]:
    """Return people by role; those who look at the task and change it do so in the one of `answered` too."""
    alice, bob = world.members
    viewer, organiser = make_user("Vera"), make_user("Otto", may_create_tasks=True)
    for task in {world.task, world.answered.phase.task}:
        make_organiser(task, viewer, "viewer")
        make_organiser(task, organiser)
    charlie = make_user("Charlie")
    make_team("Charlie's team", charlie)
    root = make_user("Root", is_staff=True, is_superuser=True)
    foreign = make_user("Frida", may_create_tasks=True)
    return dict(zip(ROLES, (None, alice, bob, charlie, viewer, organiser, world.owner, foreign, root), strict=True))


def make_worlds() -> tuple[World, World, dict[str, User | None]]:
    """The task of olga, that of somebody else, and the people."""
    alice, bob, olga = make_user("Alice"), make_user("Bob"), make_user("Olga", may_create_tasks=True)
    team = make_team("Alice and Bob", alice, bob)
    own = make_world("health", olga, team, alice, bob, answered=make_answered(olga, team, alice))
    people = make_people(own)
    dora, emil = make_user("Dora"), make_user("Emil")
    elsewhere = make_world("elsewhere", people["foreign"], make_team("Dora and Emil", dora, emil), dora, emil)
    return own, elsewhere, people


# What stands in an address under a name, and what of it hangs on the address: the longest beginning counts.
_PARTS: dict[str, dict[str, Callable[[World], Any]]] = {
    "": {
        "task": lambda world: world.task.slug,
        "phase": lambda world: world.phase.slug,
        "scenario": lambda world: world.scenario.number,
        "number": lambda world: world.scenario.number,
        "user": lambda world: world.members[1].pk,
        "page": lambda world: world.page.pk,
        "pk": lambda world: world.run.pk,
        "id": lambda world: world.run.pk,
        "secret": lambda world: world.invitation.secret,
        "invitation": lambda world: world.team.invitation,
        "unit": lambda world: "sentence 1",
        "suffix": lambda world: "csv",
    },
    "task_page": {"page": lambda world: world.page.slug},
    "picture": {"name": lambda world: world.picture.name},
    "engine_package": {"name": lambda world: wheel.NAME},
    "guide": {"name": lambda world: "participants"},
    "sitemap": {"section": lambda world: "entries"},
    "download": {"pk": lambda world: world.download.pk},
    "gold": {"pk": lambda world: world.gold.pk},
    "token_revoke": {"pk": lambda world: world.token.pk},
    "team": {"pk": lambda world: world.team.pk},
    "submission_export": {"pk": lambda world: world.answered.pk, "name": lambda world: "report.txt"},
    "submission_unit": {"pk": lambda world: world.answered.pk, "unit": lambda world: "QAC1-1001-01"},
    "desk_people": {"user": lambda world: world.owner.pk, "pk": lambda world: world.invitation.pk},
    "desk_scenarios_add": {"use": lambda world: "named-entities"},
    "desk_texts_announcement": {"pk": lambda world: world.announcement.pk},
    "desk_texts_download": {"pk": lambda world: world.download.pk},
    "enter_by_link": {"secret": lambda world: "no-such-link"},
    "desk_entry": {"pk": lambda world: world.application.pk},
    "desk_gold": {"gold": lambda world: world.gold.pk},
    "desk_gold_waiting": {"pk": lambda world: world.waiting.pk},
    "mail_switch": {"token": lambda world: switch_address(world.members[0].pk, "letter").split("/")[-2]},
    "desk_teams": {"team": lambda world: world.team.pk, "pk": lambda world: world.team.pk},
    "desk_teams_allowance": {"pk": lambda world: world.allowance.pk},
    "desk_texts_picture": {"pk": lambda world: world.picture.pk},
    "desk_runs_scores_preview": {"kept": lambda world: world.phase.pk},
    "desk_runs_imported_remove": {"pk": lambda world: world.imported.pk},
    "desk_preview_page": {"rest": lambda world: f"{world.phase.slug}/submit/"},
    **{name: parts for module in contrib_modules("addresses") for name, parts in getattr(module, "PARTS", {}).items()},
}


def addresses(resolver: URLResolver | None = None, space: str = "") -> Iterator[tuple[str, list[str]]]:
    """The name of every address of the site, and what stands in it."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLPattern) and pattern.name is None and not space:
            assert pattern.lookup_str.endswith("RedirectView"), "a former address of allauth"
        elif isinstance(pattern, URLPattern):
            yield f"{space}{pattern.name}", list(pattern.pattern.converters)
        else:
            yield from addresses(pattern, f"{pattern.namespace}:" if pattern.namespace else space)


def parts(name: str, wanted: Iterable[str], world: World) -> dict[str, Any]:
    """Return what stands in the address where it is about something in this world."""
    found = {}
    for part in wanted:
        beginnings = [each for each in _PARTS if name.startswith(each) and part in _PARTS[each]]
        found[part] = _PARTS[max(beginnings, key=len)][part](world)
    return found


def address(name: str, given: Mapping[str, Any], world: World) -> str:
    compared = f"?a={world.run.pk}&b={world.other_run.pk}" if name.startswith("board_compare_unit") else ""
    return reverse(name, kwargs=given) + compared
