"""Every address of the site, asked by everybody, answers as the table says; what is not in the table fails."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib import admin
from django.urls import reverse

from evalsite.own_runs import position
from tests.evalsite.access.cast import ROLES, World, address, make_worlds, parts
from tests.evalsite.access.rows import NO
from tests.evalsite.access.table import ANY_METHOD, PUBLIC_ELSEWHERE, TABLE
from tests.evalsite.access.walking import WANTED, Browsers
from tests.forgotten import assert_all_are_listed
from tests.thoroughness import is_thorough

pytestmark = pytest.mark.django_db
SHARES = 4  # of the addresses, so that several processes share the walk


@pytest.fixture
def worlds(monkeypatch) -> Iterator[tuple[World, World, Browsers]]:
    # A page that waits for its board gives up after a minute, and on a busy machine the walk takes longer.
    monkeypatch.setattr(position, "ASKS_FOR", timedelta(days=1))
    own, elsewhere, people = make_worlds()
    browsers = Browsers(people)
    yield own, elsewhere, browsers
    for answer in browsers.answers:
        answer.close()  # files are streamed; only now, as the end of an answer closes the database too


def share(number: int) -> list[str]:
    return sorted(TABLE)[number::SHARES]


def test_every_address_is_in_the_table():
    where = "say who may open it in tests/evalsite/access/table.py, or in addresses.py beside the tests of its app"
    assert_all_are_listed(WANTED, TABLE, where)


@pytest.mark.parametrize("number", range(SHARES))
def test_everybody_gets_what_the_table_says(worlds, number):
    own, _, browsers = worlds
    wrong = {}
    for name in share(number):
        asked = address(name, parts(name, WANTED[name], own), own)
        for method, expected in zip(("get", "post"), TABLE[name], strict=True):
            # What nobody may do in this way is tried by the one who may do most.
            roles = ROLES if expected != NO else ["olga"]
            found = {role: browsers.ask(role, method, name, asked) for role in roles}
            if found != {role: status for role, status in zip(ROLES, expected, strict=True) if role in roles}:
                wrong[f"{method} {name}"] = tuple(found.values())
    assert wrong == {}
    assert browsers.kept == set()


@pytest.mark.thorough
def test_a_token_of_a_participant_s_opens_no_more_for_those_who_organise():
    own, _, people = make_worlds()
    some = ("charlie", "viewer", "organiser", "olga", "root")
    browsers = Browsers({role: people[role] for role in some}, "read upload")
    for name in sorted(TABLE):
        if name.startswith("api:") and name != "api:submission_events":
            asked = address(name, parts(name, WANTED[name], own), own)
            for method, expected in zip(("get", "post"), TABLE[name], strict=True):
                if expected != NO:
                    [found] = {browsers.ask(role, method, name, asked) for role in some}
                    assert found == expected[ROLES.index("charlie")], name


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(SHARES))
def test_what_is_elsewhere_or_nowhere_is_not_found_and_other_methods_are_refused(worlds, number):
    own, elsewhere, browsers = worlds
    wrong = {}
    for name in share(number):
        here = parts(name, WANTED[name], own)
        method = "get" if TABLE[name].get != NO else "post"
        for given in [foreign(here, parts(name, WANTED[name], elsewhere)), unknown(here)]:
            if given == here or (name in PUBLIC_ELSEWHERE and given != unknown(here)):
                continue
            for role in ("olga", "root"):
                found = browsers.ask(role, method, name, address(name, given, own))
                # An administrator may see what is elsewhere, where the address doesn't name the task; and who is
                # refused what is here learns nothing from the same refusal.
                is_refused = found == 403 == browsers.ask(role, method, name, address(name, here, own))
                if found != 404 and not is_refused and not (role == "root" and "task" not in given):
                    wrong[f"{role}: {name} {given}"] = found
        if name not in ANY_METHOD and (found := browsers.ask("olga", "delete", name, address(name, here, own))) != 405:
            wrong[f"delete {name}"] = found
    assert wrong == {}


def foreign(here: dict[str, Any], there: dict[str, Any]) -> dict[str, Any]:
    """Put in the keys of things of another task; slugs stay, so that they lead to the own one."""
    return {part: value if isinstance(value, str) else there[part] for part, value in here.items()}


def unknown(here: dict[str, Any]) -> dict[str, Any]:
    return {part: uuid4() if isinstance(value, UUID) else value for part, value in here.items()}


@pytest.mark.thorough
def test_the_administration_is_for_administrators_alone(worlds):
    _, _, browsers = worlds
    models = [model._meta for model in admin.site._registry]
    pages = [
        reverse("admin:index"),
        *(reverse("admin:app_list", args=[app]) for app in {each.app_label for each in models}),
    ]
    pages += [reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist") for meta in models]
    roles = ROLES if is_thorough() else ("stranger", "olga", "root")
    found = {role: {browsers.ask(role, "get", "admin", page) for page in pages} for role in roles}
    assert found == {role: {200} if role == "root" else {302} for role in roles}
