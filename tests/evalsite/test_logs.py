"""Tests what stands in the logs, and what must not."""

import logging
import re

import pytest
from django.conf import settings
from django.urls import URLResolver, get_resolver, reverse

from evalsite.base.logs import SECRET_ADDRESSES, hide_secrets

pytestmark = pytest.mark.django_db


def test_the_invitation_in_an_address_is_cut_out_of_the_log(team):
    path = reverse("team_join", args=[team.invitation])
    line = hide_secrets(None, "info", {"event": f"Not Found: {path}", "request": f"GET {path}", "code": 404})
    assert team.invitation not in str(line)
    assert line["request"] == "GET /teams/join/…/"


@pytest.mark.parametrize("slash", ["/", "%2F", "%2f", "%252F"])
def test_an_invitation_inside_another_address_is_cut_out_too(team, slash):
    path = reverse("team_join", args=[team.invitation]).replace("/", slash)
    event = {"request": f"GET /accounts/signup/?next={path}&a=b", "headers": {"Referer": [f"http://x/?next={path}"]}}
    line = hide_secrets(None, "info", event)
    assert team.invitation not in str(line)
    assert line["request"].endswith("&a=b")


def test_no_line_of_the_way_from_an_invitation_to_the_team_names_it(client, as_charlie, team, caplog):
    page = client.get(reverse("team_join", args=[team.invitation]))
    client.get(page.url)
    client.get(f"{reverse('account_signup')}?{page.url.partition('?')[2]}")
    as_charlie.post(reverse("team_join", args=[team.invitation]))
    formatter = site_s_handler().formatter
    printed = [formatter.format(record) for record in caplog.records]
    assert len([line for line in printed if "request_finished" in line]) == 4
    assert team.invitation not in str(printed)


# What stands in addresses and opens nothing by itself: names, numbers and keys of rows, to which access is checked.
OPEN = {
    *("task", "phase", "scenario", "page", "number", "name", "use", "unit", "rest", "slug", "suffix", "day"),
    *("pk", "id", "gold", "user", "kept", "object_id", "content_type_id", "app_label", "url", "section"),
    "provider_id",
}


def routes(patterns, before="/"):
    for each in patterns:
        route = before + str(each.pattern).lstrip("^")
        if isinstance(each, URLResolver):
            yield from routes(each.url_patterns, route)
        else:
            yield route


def test_every_address_with_a_secret_is_on_the_list_that_the_log_goes_by():
    secret = {
        re.split(r"\(\?P<|<", route)[0]
        for route in routes(get_resolver().url_patterns)
        if set(re.findall(r"<(?:\w+:)?(\w+)>", route)) - OPEN
    }
    assert secret == set(SECRET_ADDRESSES)


def test_what_a_provider_of_log_ins_sends_back_is_cut_out():
    line = hide_secrets(None, "info", {"request": "GET /accounts/orcid/login/callback/?code=a1&state=b2"})
    assert line == {"request": "GET /accounts/orcid/login/callback/?…"}


@pytest.mark.parametrize("address", SECRET_ADDRESSES)
def test_the_log_keeps_the_beginning_of_each_of_them(address):
    line = hide_secrets(None, "info", {"request": f"POST {address}3b-x1:Zy_9/", "event": f"Not Found: {address}abc"})
    assert line == {"request": f"POST {address}…/", "event": f"Not Found: {address}…"}


def test_the_proxy_s_log_goes_by_the_same_list():
    sample = (settings.BASE_DIR / "deploy" / "nginx.conf").read_text()
    [beginnings] = re.findall(r"\(\?<beginning>(.*?)\)", sample)
    assert tuple(beginnings.split("|")) == SECRET_ADDRESSES


def test_the_site_s_own_log_goes_through_the_filter(client, team, alice):
    record = logging.LogRecord("x", logging.INFO, __file__, 1, f"/teams/join/{team.invitation}/", None, None)
    assert team.invitation not in site_s_handler().formatter.format(record)


def site_s_handler() -> logging.Handler:
    return next(each for each in logging.getLogger().handlers if hasattr(each.formatter, "foreign_pre_chain"))


def test_an_access_token_is_cut_short_in_the_log():
    line = hide_secrets(None, "info", {"event": "sent Bearer evs_abcdefGHIJKLMNOP-qrst_uvw to /api/v1/me"})
    assert line["event"] == "sent Bearer evs_abcdef… to /api/v1/me"


def test_a_foreign_name_of_the_site_costs_one_line_without_a_trace(client, caplog):
    assert client.get("/", HTTP_HOST="elsewhere.example.org").status_code == 400
    record = next(each for each in caplog.records if each.name == "django.security.DisallowedHost")
    assert "elsewhere.example.org" in record.getMessage()
    assert len(site_s_handler().formatter.format(record)) < 1000
