"""The reference of the API in a browser: folded, and opened by links, without a script."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.thorough
PAGE = "/api/"
KEY = "evalsite_api_endpoints_tasks_task"


def test_addresses_are_folded_and_a_link_to_one_opens_it(visit):
    page = visit(PAGE, java_script_enabled=False)
    opened = page.locator("details.operation[open]")
    assert page.locator("details.operation").count() > 10
    expect(opened).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollHeight") < 4_000
    page.goto(f"{page.url}#{KEY}")
    expect(opened).to_have_count(1)
    expect(page.locator(f"#{KEY}")).to_be_in_viewport()
    expect(opened).to_contain_text("A task with its phases")
