"""The fold of the upload form on what the tests can tell is empty until it is opened, and then says it of each."""

import pytest
from playwright.sync_api import expect

from tests.factories import make_gold, make_scenario

pytestmark = pytest.mark.thorough


def test_the_fold_on_what_tests_can_tell_is_fetched_as_it_opens(visit, alice, task, phase, scenario, team):
    make_gold(phase, make_scenario(task, 2))
    page = visit("/tasks/health/test/submit/", alice)
    told = page.locator(".powers-told")
    expect(told).to_be_empty()
    page.get_by_text("How much these tests can tell").click()
    expect(told).to_contain_text("is known once three teams are ranked")
