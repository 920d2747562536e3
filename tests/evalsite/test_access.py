"""Who may open which page: every address of the site, for every role."""

import pytest
from django.core.files.base import ContentFile
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from evalsite.challenges.models import Download, Gold, Phase
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
    "download": (200, 200, 200, 200, 200),
    "gold": (404, 404, 404, 404, 200),
    "board": (200, 200, 200, 200, 200),
    "board_export": (200, 200, 200, 200, 200),
    "board_overview": (200, 200, 200, 200, 200),
    "board_pairs": (200, 200, 200, 200, 200),
    "board_compare": (200, 200, 200, 200, 200),
    "board_history": (200, 200, 200, 200, 200),
    "how_to_read": (200, 200, 200, 200, 200),
    "submit": (LOGIN, 200, 200, 200, 200),
    "submission": (LOGIN, 200, 200, 404, 200),
    "submission_file": (LOGIN, 200, 200, 404, 200),
    "submission_scores": (LOGIN, 200, 200, 404, 200),
    "submission_export": (LOGIN, 200, 200, 404, 200),
    "submission_unit": (LOGIN, 404, 404, 404, 200),
    "submissions": (LOGIN, 200, 200, 200, 200),
    "profile": (LOGIN, 200, 200, 200, 200),
    "teams": (LOGIN, 200, 200, 200, 200),
    "team_create": (LOGIN, 200, 200, 200, 200),
    "team": (LOGIN, 200, 200, 404, 404),
    "team_edit": (LOGIN, 200, 403, 404, 404),
    "team_join": (LOGIN, 302, 302, 200, 200),  # members are led to their team
    "team_bring": (LOGIN, 302, 302, 404, 404),  # members who have nothing to bring are led to their team
}
# What changes something takes POST only, and of whom.
POST_ONLY = {
    "submission_cancel": (LOGIN, 302, 302, 404, 302),
    "submission_withdraw": (LOGIN, 302, 302, 404, 302),
    "submission_restore": (LOGIN, 302, 302, 404, 302),
    "team_invitation": (LOGIN, 302, 403, 404, 404),
    "team_leave": (LOGIN, 302, 302, 404, 404),
    "team_delete": (LOGIN, 302, 403, 404, 404),
    "team_remove": (LOGIN, 302, 403, 404, 404),
    "team_hand_over": (LOGIN, 302, 403, 404, 404),
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
    arguments = {
        "task": [task.slug],
        "download": [download.pk],
        "example": [task.slug, scenario.number],
        "gold": [gold.pk],
        "board": [task.slug, phase.slug, scenario.number],
        "board_export": [task.slug, phase.slug, scenario.number, "csv"],
        "board_overview": [task.slug, phase.slug],
        **{f"board_{name}": [task.slug, phase.slug, scenario.number] for name in ("pairs", "compare", "history")},
        "submit": [task.slug, phase.slug],
        "submission_scores": [scored_submission.pk, scenario.number],
        "submission_export": [answered.pk, 1, "report.txt"],
        "submission_unit": [answered.pk, 1, "QAC1-1001-01"],
        "submissions": [task.slug],
        "team_join": [team.invitation],
        "team_remove": [team.pk, bob.pk],
        "team_hand_over": [team.pk, bob.pk],
    }
    for name in (*TABLE, *POST_ONLY):
        if name.startswith("submission") and name != "submissions":
            arguments.setdefault(name, [scored_submission.pk])
        elif name in ("team", "team_bring", *(each for each in POST_ONLY if each.startswith("team_")), "team_edit"):
            arguments.setdefault(name, of_team)
    return {name: reverse(name, args=arguments.get(name, [])) for name in (*TABLE, *POST_ONLY)}


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


def test_every_address_is_in_the_table():
    named = {name for name in names(get_resolver()) if not name.startswith(FOREIGN)}
    assert named == set(TABLE) | set(POST_ONLY)


def names(resolver: URLResolver, space: str = ""):
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield f"{space}{pattern.name}"
        else:
            yield from names(pattern, f"{pattern.namespace}:" if pattern.namespace else space)


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
