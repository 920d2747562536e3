"""NUL, which PostgreSQL takes in no text: an address, a cookie or a form with one is refused, whoever sends it."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse

from evalsite.api import tokens
from tests.evalsite.access.cast import World, addresses, make_worlds, parts
from tests.evalsite.access.table import TABLE

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]
API = "/api/v1/"
UPLOAD = f"{API}tasks/health/test/submissions"


def is_refused(answer: HttpResponse, path: str) -> bool:
    kind = "application/problem+json" if path.startswith(API) else "text/html; charset=utf-8"
    return (answer.status_code, answer["Content-Type"]) == (400, kind)


def test_a_nul_in_any_argument_of_any_address_is_refused(client):
    world, _, people = make_worlds()
    client.force_login(people["root"])
    asked = list(with_nul(world))
    assert [path for path in asked if not is_refused(client.get(path), path)] == []
    assert len(asked) > 200


def with_nul(world: World) -> Iterator[str]:
    """Every address of the table, with a NUL behind each of its arguments in turn."""
    for name, wanted in addresses():
        given = parts(name, wanted, world) if name in TABLE else {}
        path = reverse(name, kwargs=given) if given else ""
        for value in (quote(str(each), safe="/:") for each in given.values()):
            yield path.replace(value, f"{value}%00")


@pytest.mark.parametrize(
    "path", ["/?a=%00", "/no/such/page/%00", "/accounts/confirm-email/%00/", "/admin/%00", f"{API}tasks?a=%00"]
)
def test_a_nul_in_a_query_or_in_an_address_of_a_package_is_refused(client, path):
    answer = client.get(path)
    assert is_refused(answer, path)
    assert "default-src" in answer["Content-Security-Policy"]


def test_a_static_file_with_nul_in_its_name_is_none(client):
    assert client.get("/static/css/%00").status_code in (400, 404)


@pytest.mark.parametrize("name", [settings.SESSION_COOKIE_NAME, "any"])
def test_a_nul_in_a_cookie_is_refused(client, name):
    assert is_refused(client.get("/profile/", headers={"Cookie": rf'{name}="\000aaaaaaaaa"'}), "/profile/")


def test_a_nul_in_a_form_is_refused(client, as_alice, team, task):
    assert is_refused(client.post(reverse("account_login"), {"login": "a\0@example.org", "password": "x"}), "/")
    for fields in ({"name": "A\0"}, {"name": "A", "a\0": "b"}):
        assert is_refused(as_alice.post(reverse("team_edit", args=[team.pk]), fields), "/")


@pytest.mark.parametrize("field", ["method", "facts"])
def test_a_nul_in_a_form_of_the_api_is_refused(client, alice, phase, field):
    bearer = {"Authorization": f"Bearer {tokens.make(alice, 'test', 'read upload', None)[1]}"}
    fields = {"method": "Rules", "facts": "Track=open"}
    assert is_refused(client.post(UPLOAD, fields | {field: "a\0"}, headers=bearer), UPLOAD)
    assert client.post(UPLOAD, fields, headers=bearer).status_code == 422
