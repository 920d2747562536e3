"""Tests what organisers lose without their second factor or their place on the list, and what others never see."""

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.urls import reverse

from evalsite.accounts.models import User
from evalsite.base.contrib import board_pages
from evalsite.challenges.access import Role, organised_tasks, role_of, visible_tasks
from evalsite.challenges.models import Organiser, Phase
from evalsite.submissions.lifecycle import transitions
from tests.evalsite.access.cast import World, address, make_world, parts
from tests.evalsite.access.cast import addresses as every_address
from tests.evalsite.access.table import TABLE
from tests.evalsite.families import make_answered
from tests.factories import make_gold, make_run, make_task, run_files, zip_upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(olga, team, alice, bob) -> World:
    return make_world("health", olga, team, alice, bob, answered=make_answered(olga, team, alice))


@pytest.fixture
def addresses(world) -> dict[str, str]:
    """An address for each name, about alice's scored submissions."""
    wanted = {name: parts for name, parts in every_address() if name in TABLE and not name.startswith("api:")}
    return {name: address(name, parts(name, wanted[name], world), world) for name in wanted}


# What only organisers get of a task whose gold is hidden.
ORGANISERS_OWN = (
    *("gold", "submission", "submission_file", "submission_scores", "submission_export", "submission_unit"),
    *("organise", "desk", "desk_people", "desk_log"),
)
CHANGING = ("submission_cancel", "submission_withdraw", "submission_restore")


def test_an_organiser_without_a_second_factor_is_told_to_set_it_up_wherever_rights_are_needed(
    as_olga, settings, addresses, olga
):
    settings.REQUIRE_STAFF_MFA = True
    hidden = make_task("hidden", olga, is_published=False)
    asked = [addresses.get(name) or name for name in ORGANISERS_OWN] + [hidden.get_absolute_url()]
    for page in asked:
        refused = as_olga.get(page, follow=True)
        assert "need a second factor" in refused.content.decode()
        assert (refused.status_code, refused.redirect_chain[:1]) in (
            (403, []),
            (200, [("/accounts/2fa/totp/activate/", 302)]),
        ) or refused.redirect_chain[-1][0].startswith("/accounts/reauthenticate/")
    TOTP.activate(olga, generate_totp_secret())
    allowed = [as_olga.get(page) for page in asked]
    for answer in allowed:
        answer.close()
    assert {answer.status_code for answer in allowed} == {200}


def test_an_organiser_without_a_second_factor_changes_nothing_of_a_participant_s(as_olga, settings, addresses):
    settings.REQUIRE_STAFF_MFA = True
    for name in CHANGING:
        assert as_olga.post(addresses[name], {"reason": "Test"}).status_code == 404


def test_every_page_tells_an_organiser_what_is_missing(as_alice, as_olga, settings, addresses):
    settings.REQUIRE_STAFF_MFA = True
    words = "an organiser without a second factor"
    assert words in as_olga.get(addresses["board"]).content.decode()
    assert words not in as_alice.get(addresses["board"]).content.decode()
    assert as_alice.get(addresses["gold"]).status_code == 404


@pytest.mark.parametrize("is_superuser", [False, True])
def test_with_the_row_every_right_of_an_organiser_goes(as_olga, addresses, world, olga, is_superuser):
    """A superuser needs the flag of the administration as well."""
    hidden = make_task("hidden", is_published=False)
    Organiser.objects.all().delete()
    User.objects.filter(pk=olga.pk).update(may_create_tasks=False, is_superuser=is_superuser)
    asked = [addresses[name] for name in ORGANISERS_OWN if name != "organise"] + [hidden.get_absolute_url()]
    assert {as_olga.get(page).status_code for page in asked} == {404}
    assert {as_olga.post(addresses[name]).status_code for name in CHANGING} == {404}
    assert as_olga.get("/admin/", follow=True).status_code == 403
    assert (role_of(olga, world.task), list(organised_tasks(olga))) == (Role.STRANGER, [])
    assert hidden not in visible_tasks(olga)


@pytest.mark.parametrize(("role", "is_told"), [("owner", True), ("organiser", True), ("viewer", False)])
def test_mails_about_failures_go_to_those_who_can_mend_something(olga, task, submission, role, is_told):
    Organiser.objects.update(role=role)
    claimed = transitions.claim(submission.scorings.get().pk)
    transitions.fail(claimed, "the gold is broken in line 3", final=True)
    assert [address for letter in mail.outbox for address in letter.to] == ([olga.email] if is_told else [])


def test_scores_are_kept_back_where_the_phase_does_not_show_them(as_alice, as_olga, addresses, world):
    Phase.objects.filter(pk=world.phase.pk).update(shows_scores=False)
    assert "0.667" not in as_alice.get(addresses["submission"]).content.decode()
    assert as_alice.get(addresses["submission_scores"]).status_code == 404
    assert as_olga.get(addresses["submission_scores"]).status_code == 200


def test_sentences_against_gold_are_shown_once_the_gold_is_released(as_alice, addresses, world):
    assert "Otra frase con" not in as_alice.get(addresses["submission"]).content.decode()
    Phase.objects.filter(pk=world.phase.pk).update(gold_released=True)
    assert "Otra frase con" in as_alice.get(addresses["submission"]).content.decode()


def test_no_page_of_a_participant_contains_the_hidden_gold(as_alice, world, team, addresses):
    """The gold's text column holds a word that occurs nowhere else; runs of every kind are scored against it."""
    phrases = "1\t4 8;9 22\tConcept\tcanary\n2\t27 31\tConcept\tcanary\n3\t57 61\tCanary\tcanary\n"
    make_gold(world.phase, world.scenario, run_files(phrases, "is-a\t1\t2\n"))
    run = run_files("1\t4 8\tConcept\tx\n2\t9 22\tAction\tx\n", "is-a\t1\t2\n")
    unknown_id = run | {"output_b_scenario1.txt": "is-a\t1\t9\n"}
    altered = run | {"input_scenario1.txt": "Otro texto\nOtra frase\n"}
    pages = [
        as_alice.post(addresses["submit"], {"files": [zip_upload(files)], "team": str(team.pk), "method": "Bad"})
        for files in (unknown_id, altered)
    ]
    make_run(world.phase, team, unknown_id)
    made = make_run(world.phase, team, run)
    pages += [as_alice.get(addresses[name]) for name in ("submissions", "board", "task", "submit")]
    pages += [as_alice.get(addresses[name]) for name in ("board_pairs", "board_compare", *board_pages())]
    pages += [as_alice.get(submission.get_absolute_url()) for submission in team.submissions.all()]
    pages.append(as_alice.get(reverse("submission_scores", args=[made.pk, 1])))
    texts = [page.content.decode().lower() for page in pages]
    # The name of a label stands in the tables by label, which are the team's to see; the marked texts are not.
    assert not [text for text in texts if "canary" in text.replace('<span class="name">canary</span>', "")]


def test_warnings_about_the_gold_are_the_organisers(as_alice, as_olga, phase, scenario, team):
    make_gold(phase, scenario, run_files("1\t4 8\tOddlabel\tx\n", ""))
    made = make_run(phase, team, run_files("1\t4 8\tConcept\tx\n", ""))
    words = "Gold: the label"
    assert words not in as_alice.get(made.get_absolute_url()).content.decode()
    assert words in as_olga.get(made.get_absolute_url()).content.decode()
