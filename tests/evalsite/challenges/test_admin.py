"""The administration: plain, complete, for administrators alone, and it changes nothing that has rules of its own."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

from evalsite.accounts.models import User
from evalsite.api.tokens import make
from evalsite.background.models import Job
from evalsite.challenges.models import Event, FormerAddress, Organiser, Task
from evalsite.submissions.models import Scoring, Submission
from tests.contrib_apps import contrib_modules
from tests.factories import make_gold
from tests.forgotten import assert_all_are_listed

pytestmark = pytest.mark.django_db

# What the site makes again by itself, or needs for a moment only: nobody reads it row by row.
MACHINERY = {
    "accounts.Membership",  # they stand with their teams
    "upkeep.Pulse",
    "challenges.GoldSplit",  # it has a page on the desk
    *(row for module in contrib_modules("addresses") for row in getattr(module, "MACHINERY", ())),
    "submissions.ResultTables",
    *("leaderboard.BoardLease", "leaderboard.BestRun", "leaderboard.RecordRun", "leaderboard.PerfectRun"),
    *("leaderboard.Predecessor", "leaderboard.ComparisonCount"),
}


@pytest.fixture
def root(client):
    root = User.objects.create_superuser("root@example.org", name="Root")
    client.force_login(root)
    return client


def page_of(obj):
    return reverse(f"admin:{obj._meta.app_label}_{obj._meta.model_name}_change", args=[obj.pk])


def list_of(model):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def own_models():
    return [model for model in apps.get_models() if model.__module__.startswith("evalsite.")]


def test_every_kind_of_row_is_there():
    hidden = {model._meta.label for model in own_models() if not admin.site.is_registered(model)}
    assert_all_are_listed(hidden, MACHINERY, "register it in the admin.py of its app, or add it to MACHINERY")


@pytest.mark.thorough
def test_every_list_and_every_row_is_shown_and_none_tells_a_secret(root, scored_submission, scenario, phase, alice):
    make_gold(phase, scenario)
    Job.objects.create(kind="rescoring", task=phase.task, file="background/x.txt")
    token, text = make(alice, "Laptop", "read", None)
    FormerAddress.objects.create(task=phase.task, slug="before")
    reset = {"subject": "New password", "to": ["alice@example.org"], "body": "/reset/secret"}
    Job.objects.create(kind=Job.MAIL, arguments=reset)
    for model in own_models():
        if not admin.site.is_registered(model):
            continue
        listed = root.get(list_of(model), {"q": "health"})
        assert listed.status_code == 200, model
        assert root.get(list_of(model)).status_code == 200, model
        if row := model.objects.first():
            shown = root.get(page_of(row)).content.decode()
            assert not any(secret in shown for secret in (text, token.digest, "/reset/secret")), model


def test_what_has_rules_of_its_own_can_only_be_looked_at(root, scored_submission, phase):
    for row in (phase.task, phase, phase.golds.get(), Submission.objects.get(), Scoring.objects.get()):
        name = f"admin:{row._meta.app_label}_{row._meta.model_name}"
        assert root.get(reverse(f"{name}_add")).status_code == 403
        assert root.post(page_of(row), {"title": "Other", "state": "failed"}).status_code == 403
        assert root.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403


def test_more_rows_cost_no_more_queries(root, scored_submission, phase, scenario, django_assert_max_num_queries):
    for _ in range(3):
        make_gold(phase, scenario)
    for model in (Task, type(phase.golds.get(version=1)), Submission, Scoring, Event):
        with django_assert_max_num_queries(12):
            root.get(list_of(model))


def test_a_task_leads_to_its_desk_which_is_an_administrators_too(root, phase):
    desk = reverse("desk", args=[phase.task.slug])
    for page in (list_of(Task), page_of(phase.task)):
        assert f'href="{desk}"' in root.get(page).content.decode()
    assert root.get(desk).status_code == 200
    assert reverse("organise_troubles") in root.get(reverse("admin:index")).content.decode()


def test_an_administrator_gives_and_ends_roles_where_owners_cannot(root, task, olga):
    add = reverse("admin:challenges_organiser_add")
    assert root.post(add, {"task": task.pk, "user": olga.pk, "role": "owner"}).status_code == 200  # she has one
    row = Organiser.objects.get(task=task, user=olga)
    root.post(reverse("admin:challenges_organiser_delete", args=[row.pk]), {"post": "yes"})
    root.post(add, {"task": task.pk, "user": olga.pk, "role": "viewer"})
    assert task.organiser_rows.get(user=olga).role == "viewer"
    kinds = set(Event.objects.filter(subject=olga.pk).values_list("kind", flat=True))
    assert kinds == {"organiser removed", "organiser joined"}


def test_an_administrator_revokes_a_token(root, alice):
    token, _ = make(alice, "Laptop", "read", None)
    sent = {"action": "revoke", "_selected_action": str(token.pk)}
    assert "1 token was revoked" in root.post(list_of(type(token)), sent, follow=True).content.decode()
    token.refresh_from_db()
    assert token.revoked


def test_runs_are_found_by_method_team_and_code(root, scored_submission):
    code = scored_submission.scorings.get().code
    for text, n in ((scored_submission.method, 1), ("Alice", 1), (code, 1), ("nothing of it", 0)):
        for model in (Submission, Scoring):
            assert root.get(list_of(model), {"q": text}).context["cl"].result_count == n, (model, text)
