"""What stands in the logs, and what must not."""

import logging

import pytest
from django.urls import reverse

from evalsite.logs import hide_secrets

pytestmark = pytest.mark.django_db


def test_the_invitation_in_an_address_is_cut_out_of_the_log(team):
    path = reverse("team_join", args=[team.invitation])
    line = hide_secrets(None, "info", {"event": f"Not Found: {path}", "request": f"GET {path}", "code": 404})
    assert team.invitation not in str(line)
    assert line["request"] == "GET /teams/join/…/"


def test_keys_of_resets_and_confirmations_are_cut_out():
    line = hide_secrets(
        None, "info", {"a": "/accounts/password/reset/key/3b-x1/", "b": "/accounts/confirm-email/MQ:1a/"}
    )
    assert line == {"a": "/accounts/password/reset/key/…/", "b": "/accounts/confirm-email/…/"}


def test_the_site_s_own_log_goes_through_the_filter(client, team, alice):
    handler = next(each for each in logging.getLogger().handlers if hasattr(each.formatter, "foreign_pre_chain"))
    record = logging.LogRecord("x", logging.INFO, __file__, 1, f"/teams/join/{team.invitation}/", None, None)
    assert team.invitation not in handler.formatter.format(record)
