"""Who may open which page: every address of the site, for every role."""

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core.files.base import ContentFile
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from evalsite.accounts.models import User
from evalsite.api import tokens
from evalsite.challenges import wheel
from evalsite.challenges.models import Download, Gold, Phase
from evalsite.submissions import keeping
from evalsite.submissions.uploads import as_upload
from tests.evalsite.families import make_answered
from tests.factories import make_gold, make_submission, make_task, run_files, scored, zip_upload

pytestmark = pytest.mark.django_db

ROLES = ("stranger", "alice", "bob", "charlie", "olga")
LOGIN = 302  # to the log-in page
# What a GET answers to a visitor, alice, bob of her team, charlie of another one, and olga who organises.
TABLE = {
    "home": (200, 200, 200, 200, 200),
    "task": (200, 200, 200, 200, 200),
    "example": (200, 200, 200, 200, 200),
    "engine": (200, 200, 200, 200, 200),
    "engine_package": (200, 200, 200, 200, 200),
    "kit": (LOGIN, 200, 200, 200, 200),
    "api_reference": (200, 200, 200, 200, 200),
    "download": (200, 200, 200, 200, 200),
    "gold": (404, 404, 404, 404, 200),
    "board": (200, 200, 200, 200, 200),
    "board_export": (200, 200, 200, 200, 200),
    "board_overview": (200, 200, 200, 200, 200),
    "board_pairs": (200, 200, 200, 200, 200),
    "board_compare": (200, 200, 200, 200, 200),
    "board_compare_units": (404, 404, 404, 404, 200),
    "board_compare_unit": (404, 404, 404, 404, 200),
    "board_history": (200, 200, 200, 200, 200),
    "board_size": (LOGIN, 404, 404, 404, 200),
    "open_check": (200, 200, 200, 200, 200),
    "board_atlas": (404, 404, 404, 404, 200),
    "how_to_read": (200, 200, 200, 200, 200),
    "help": (200, 200, 200, 200, 200),
    "guide": (200, 200, 200, 200, 200),
    "status": (200, 200, 200, 200, 200),
    "robots": (200, 200, 200, 200, 200),
    "favicon": (302, 302, 302, 302, 302),  # to the drawing that pages name
    "about": (404, 404, 404, 404, 404),  # until the owner of the site has written it
    "submit": (LOGIN, 200, 200, 200, 200),
    "kept": (LOGIN, 200, 404, 404, 404),
    "submission": (LOGIN, 200, 200, 404, 200),
    "submission_file": (LOGIN, 200, 200, 404, 200),
    "submission_scores": (LOGIN, 200, 200, 404, 200),
    "submission_export": (LOGIN, 200, 200, 404, 200),
    "submission_units": (LOGIN, 404, 404, 404, 200),
    "submission_unit": (LOGIN, 404, 404, 404, 200),
    "submissions": (LOGIN, 200, 200, 200, 200),
    "submissions_compare": (LOGIN, 302, 302, 302, 302),
    "profile": (LOGIN, 200, 200, 200, 200),
    "tokens": (LOGIN, 200, 200, 200, 200),
    "token_create": (LOGIN, 302, 302, 302, 302),  # asks for the password first
    "teams": (LOGIN, 200, 200, 200, 200),
    "team_create": (LOGIN, 200, 200, 200, 200),
    "team": (LOGIN, 200, 200, 404, 404),
    "team_edit": (LOGIN, 200, 403, 404, 404),
    "team_join": (LOGIN, 302, 302, 200, 200),  # members are led to their team
    "team_bring": (LOGIN, 302, 302, 404, 404),  # members who have nothing to bring are led to their team
}
# What changes something takes POST only, and of whom.
POST_ONLY = {
    "kept_begin": (LOGIN, 400, 400, 400, 400),  # what it lacks is told to anybody who may upload
    "kept_part": (LOGIN, 400, 404, 404, 404),
    "kept_remove": (LOGIN, 302, 404, 404, 404),
    "submission_cancel": (LOGIN, 302, 302, 404, 302),
    "submission_withdraw": (LOGIN, 302, 302, 404, 302),
    "submission_restore": (LOGIN, 302, 302, 404, 302),
    "token_revoke": (LOGIN, 302, 404, 404, 404),
    "team_invitation": (LOGIN, 302, 403, 404, 404),
    "team_leave": (LOGIN, 302, 302, 404, 404),
    "team_delete": (LOGIN, 302, 403, 404, 404),
    "team_remove": (LOGIN, 302, 403, 404, 404),
    "team_hand_over": (LOGIN, 302, 403, 404, 404),
    "choose_language": (400, 400, 400, 400, 400),  # of everybody, but not without saying which
}
# What the API answers to a GET with a token of these people; cookies open nothing there.
UNKNOWN = 401
API = {
    "api-root": (404, 404, 404, 404, 404),
    "openapi-json": (200, 200, 200, 200, 200),
    "me": (UNKNOWN, 200, 200, 200, 200),
    "tasks": (200, 200, 200, 200, 200),
    "task": (200, 200, 200, 200, 200),
    "phase": (200, 200, 200, 200, 200),
    "kit": (404, 200, 200, 200, 200),
    "board": (200, 200, 200, 200, 200),
    "submissions": (UNKNOWN, 200, 200, 200, 200),
    "submission": (UNKNOWN, 200, 200, 404, 200),
    "submission_events": (UNKNOWN, 200, 200, 404, 200),
    "submission_scores": (UNKNOWN, 200, 200, 404, 200),
    "submission_file": (UNKNOWN, 200, 200, 404, 200),
    "kept": (UNKNOWN, 200, 404, 404, 404),
}
# Of a POST with nothing in it.
API_POST = {
    "upload": (UNKNOWN, 422, 422, 422, 422),
    "check": (UNKNOWN, 422, 422, 422, 422),
    "kept_begin": (UNKNOWN, 422, 422, 422, 422),
    "kept_part": (UNKNOWN, 400, 404, 404, 404),
    "kept_remove": (UNKNOWN, 204, 404, 404, 404),
    "submission_withdraw": (UNKNOWN, 200, 200, 404, 422),  # organisers have to say why
    "submission_restore": (UNKNOWN, 200, 200, 404, 200),
}
# Packages with tests of their own decide for these.
FOREIGN = ("account_", "mfa_", "admin:")


@pytest.fixture
def addresses(scored_submission, phase, scenario, team, alice, bob, olga, task) -> dict[str, str]:
    """An address for each name, about alice's scored submissions."""
    download = Download.objects.create(task=task, title="Input", file=ContentFile(b"x", "input.txt"))
    of_team = [team.pk]
    gold = Gold.objects.get()
    answered = make_answered(olga, team, alice)
    with as_upload([zip_upload(run_files())]) as upload:
        kept = keeping.keep(alice, phase, upload)
    arguments = {
        "task": [task.slug],
        **{name: [kept.pk] for name in ("kept", "kept_part", "kept_remove")},
        "kept_begin": [task.slug, phase.slug],
        "download": [download.pk],
        "engine_package": [wheel.NAME],
        "kit": [task.slug, phase.slug],
        "token_revoke": [tokens.make(alice, "laptop", "read", None)[0].pk],
        "example": [task.slug, scenario.number],
        "gold": [gold.pk],
        "guide": ["participants"],
        "board": [task.slug, phase.slug, scenario.number],
        "board_export": [task.slug, phase.slug, scenario.number, "csv"],
        "board_overview": [task.slug, phase.slug],
        **{
            f"board_{name}": [task.slug, phase.slug, scenario.number]
            for name in ("pairs", "compare", "history", "size", "atlas")
        },
        "submit": [task.slug, phase.slug],
        "open_check": [task.slug, phase.slug],
        "submission_scores": [scored_submission.pk, scenario.number],
        "submission_export": [answered.pk, 1, "report.txt"],
        "submission_units": [answered.pk, 1],
        "submission_unit": [answered.pk, 1, "QAC1-1001-01"],
        "submissions": [task.slug],
        "submissions_compare": [task.slug],
        "team_join": [team.invitation],
        "team_remove": [team.pk, bob.pk],
        "team_hand_over": [team.pk, bob.pk],
    }
    for name in (*TABLE, *POST_ONLY):
        if name.startswith("submission") and not name.startswith("submissions"):
            arguments.setdefault(name, [scored_submission.pk])
        elif name in ("team", "team_bring", *(each for each in POST_ONLY if each.startswith("team_")), "team_edit"):
            arguments.setdefault(name, of_team)
    other = scored(make_submission(phase, team, alice, run_files("1\t4 8\tConcept\tx\n", ""), method="Other"))
    both = f"?a={scored_submission.pk}&b={other.pk}"
    arguments |= {
        "board_compare_units": [task.slug, phase.slug, scenario.number],
        "board_compare_unit": [task.slug, phase.slug, scenario.number, "sentence 1"],
    }
    found = {name: reverse(name, args=arguments.get(name, [])) for name in (*TABLE, *POST_ONLY)}
    return {name: address + both * name.startswith("board_compare_unit") for name, address in found.items()}


def log_in(client, role: str, request) -> None:
    if role != "stranger":
        client.force_login(request.getfixturevalue(role))


@pytest.mark.parametrize("name", TABLE)
def test_a_page_opens_for_those_it_is_meant_for(client, request, addresses, strangers, name):
    responses = []
    for role in ROLES:
        client.logout()
        log_in(client, role, request)
        responses.append(client.get(addresses[name]))
    for response in responses:
        response.close()  # files are streamed; only now, as the end of a response closes the database too
    assert tuple(response.status_code for response in responses) == TABLE[name]


@pytest.mark.parametrize("name", POST_ONLY)
def test_what_changes_something_needs_post_and_the_right(request, addresses, strangers, name):
    found = []
    for role in ROLES:
        client = Client()
        with transaction.atomic():  # and undone, so that each role finds what the first one found
            log_in(client, role, request)
            assert client.get(addresses[name]).status_code == 405
            found.append(client.post(addresses[name]).status_code)
            transaction.set_rollback(True)
    assert tuple(found) == POST_ONLY[name]


@pytest.fixture
def api_addresses(scored_submission, phase, scenario, task, alice) -> dict[str, str]:
    """An address of the API for each name, about alice's scored submission and her kept files."""
    with as_upload([zip_upload(run_files())]) as upload:
        kept = keeping.keep(alice, phase, upload)
    arguments = {
        **dict.fromkeys(("kept", "kept_part", "kept_remove"), [kept.pk]),
        **dict.fromkeys(("task", "submissions"), [task.slug]),
        **dict.fromkeys(("phase", "kit", "upload", "check", "kept_begin"), [task.slug, phase.slug]),
        "board": [task.slug, phase.slug, scenario.number],
        "submission_scores": [scored_submission.pk, scenario.number],
    }
    about_run = {name: [scored_submission.pk] for name in (*API, *API_POST) if name.startswith("submission_")}
    arguments = about_run | {"submission": [scored_submission.pk]} | arguments
    return {name: reverse(f"api:{name}", args=arguments.get(name, [])) for name in (*API, *API_POST)}


def bearer(role: str, request) -> dict[str, str]:
    if role == "stranger":
        return {}
    _, text = tokens.make(request.getfixturevalue(role), "test", "read upload", None)
    return {"Authorization": f"Bearer {text}"}


@pytest.mark.parametrize("name", API)
def test_the_api_answers_those_whom_the_pages_answer(client, request, api_addresses, team, strangers, name):
    responses = [client.get(api_addresses[name], headers=bearer(role, request)) for role in ROLES]
    for response in responses:
        response.close()
    assert tuple(response.status_code for response in responses) == API[name]


@pytest.mark.parametrize("name", API_POST)
def test_what_changes_something_by_the_api_needs_post_and_the_right(
    request, api_addresses, team, strangers, olga, name
):
    found = []
    for role in ROLES:
        client = Client(enforce_csrf_checks=True)
        with transaction.atomic():
            headers = bearer(role, request)
            assert client.get(api_addresses[name], headers=headers).status_code == 405
            found.append(client.post(api_addresses[name], headers=headers).status_code)
            transaction.set_rollback(True)
    assert tuple(found) == API_POST[name]


def test_every_address_is_in_the_table():
    named = {name for name in names(get_resolver()) if not name.startswith(FOREIGN)}
    assert named == set(TABLE) | set(POST_ONLY) | {f"api:{name}" for name in (*API, *API_POST)}


def names(resolver: URLResolver, space: str = ""):
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield f"{space}{pattern.name}"
        else:
            yield from names(pattern, f"{pattern.namespace}:" if pattern.namespace else space)


# What only organisers get of a task whose gold is hidden.
ORGANISERS_OWN = (
    *("gold", "submission", "submission_file", "submission_scores", "submission_export", "submission_unit"),
    *("hidden task", "admin:index", "admin:challenges_task_changelist", "admin:submissions_submission_changelist"),
    *("admin:accounts_team_changelist", "admin:challenges_gold_changelist"),
)


@pytest.mark.parametrize("name", ORGANISERS_OWN)
def test_an_organiser_without_a_second_factor_is_told_to_set_it_up_wherever_rights_are_needed(
    client, settings, addresses, olga, name
):
    settings.REQUIRE_STAFF_MFA = True
    hidden = make_task("hidden", olga, is_published=False)
    address = addresses.get(name) or (hidden.get_absolute_url() if name == "hidden task" else reverse(name))
    client.force_login(olga)
    refused = client.get(address, follow=True)
    assert "need a second factor" in refused.content.decode()
    assert (refused.status_code, refused.redirect_chain[:1]) in (
        (403, []),
        (200, [("/accounts/2fa/totp/activate/", 302)]),
    ) or refused.redirect_chain[-1][0].startswith("/accounts/reauthenticate/")
    TOTP.activate(olga, generate_totp_secret())
    allowed = client.get(address)
    allowed.close()
    assert allowed.status_code == 200


def test_an_organiser_without_a_second_factor_changes_nothing_of_a_participant_s(client, settings, addresses, olga):
    settings.REQUIRE_STAFF_MFA = True
    client.force_login(olga)
    for name in ("submission_cancel", "submission_withdraw", "submission_restore"):
        assert client.post(addresses[name], {"reason": "Test"}).status_code == 404


def test_every_page_tells_an_organiser_what_is_missing(client, settings, addresses, olga, alice):
    settings.REQUIRE_STAFF_MFA = True
    words = "an organiser without a second factor"
    client.force_login(olga)
    assert words in client.get(addresses["board"]).content.decode()
    client.force_login(alice)
    assert words not in client.get(addresses["board"]).content.decode()
    assert client.get(addresses["gold"]).status_code == 404


@pytest.mark.parametrize("is_superuser", [False, True])
def test_with_the_flag_every_right_of_an_organiser_goes(client, addresses, olga, is_superuser):
    User.objects.filter(pk=olga.pk).update(is_staff=False, is_superuser=is_superuser)
    client.force_login(olga)
    statuses = {client.get(addresses[name]).status_code for name in ORGANISERS_OWN if name in addresses}
    assert statuses == {404}
    assert client.get("/admin/", follow=True).status_code == 403


def test_an_unpublished_task_does_not_exist_but_for_its_organisers(client, olga, alice):
    hidden = make_task("hidden", olga, is_published=False)
    page = reverse("task", args=[hidden.slug])
    assert client.get(page).status_code == 404
    client.force_login(alice)
    assert client.get(page).status_code == 404
    client.force_login(olga)
    assert client.get(page).status_code == 200


@pytest.mark.parametrize(
    ("audience", "statuses"),
    [
        (Phase.Audience.EVERYBODY, (200, 200, 200, 200, 200)),
        (Phase.Audience.PARTICIPANTS, (403, 200, 200, 403, 200)),
        (Phase.Audience.ORGANISERS, (403, 403, 403, 403, 200)),
    ],
)
def test_the_board_opens_to_whom_the_phase_says(client, request, addresses, phase, audience, statuses):
    Phase.objects.filter(pk=phase.pk).update(board_audience=audience)
    names = ("board", "board_export", "board_overview", "board_pairs", "board_history")
    found = {name: [] for name in names}
    for role in ROLES:
        client.logout()
        log_in(client, role, request)
        for name in names:
            found[name].append(client.get(addresses[name]).status_code)
    assert found == dict.fromkeys(names, [*statuses])


def test_scores_are_kept_back_where_the_phase_does_not_show_them(client, addresses, phase, alice, olga):
    Phase.objects.filter(pk=phase.pk).update(shows_scores=False)
    client.force_login(alice)
    assert "0.667" not in client.get(addresses["submission"]).content.decode()
    assert client.get(addresses["submission_scores"]).status_code == 404
    client.force_login(olga)
    assert client.get(addresses["submission_scores"]).status_code == 200


def test_sentences_against_gold_are_shown_once_the_gold_is_released(client, addresses, phase, alice):
    client.force_login(alice)
    assert "Otra frase con" not in client.get(addresses["submission"]).content.decode()
    Phase.objects.filter(pk=phase.pk).update(gold_released=True)
    assert "Otra frase con" in client.get(addresses["submission"]).content.decode()


def test_no_page_of_a_participant_contains_the_hidden_gold(client, phase, scenario, team, alice, addresses):
    """The gold's text column holds a word that occurs nowhere else; runs of every kind are scored against it."""
    phrases = "1\t4 8;9 22\tConcept\tcanary\n2\t27 31\tConcept\tcanary\n3\t57 61\tCanary\tcanary\n"
    make_gold(phase, scenario, run_files(phrases, "is-a\t1\t2\n"))
    client.force_login(alice)
    run = run_files("1\t4 8\tConcept\tx\n2\t9 22\tAction\tx\n", "is-a\t1\t2\n")
    unknown_id = run | {"output_b_scenario1.txt": "is-a\t1\t9\n"}
    altered = run | {"input_scenario1.txt": "Otro texto\nOtra frase\n"}
    pages = [
        client.post(addresses["submit"], {"files": [zip_upload(files)], "team": str(team.pk), "method": "Bad"})
        for files in (unknown_id, altered)
    ]
    scored(make_submission(phase, team, alice, unknown_id))
    made = scored(make_submission(phase, team, alice, run))
    pages += [client.get(addresses[name]) for name in ("submissions", "board", "task", "submit")]
    pages += [client.get(addresses[f"board_{name}"]) for name in ("pairs", "compare", "history")]
    pages += [client.get(submission.get_absolute_url()) for submission in team.submissions.all()]
    pages.append(client.get(reverse("submission_scores", args=[made.pk, 1])))
    texts = [page.content.decode().lower() for page in pages]
    # The name of a label stands in the tables by label, which are the team's to see; the marked texts are not.
    assert not [text for text in texts if "canary" in text.replace('<span class="name">canary</span>', "")]


def test_warnings_about_the_gold_are_the_organisers(client, phase, scenario, team, alice, olga):
    make_gold(phase, scenario, run_files("1\t4 8\tOddlabel\tx\n", ""))
    made = scored(make_submission(phase, team, alice, run_files("1\t4 8\tConcept\tx\n", "")))
    words = "Gold: the label"
    client.force_login(alice)
    assert words not in client.get(made.get_absolute_url()).content.decode()
    client.force_login(olga)
    assert words in client.get(made.get_absolute_url()).content.decode()
