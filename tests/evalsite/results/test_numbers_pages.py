"""The pages of a result with numbers: its slices, and an item with the numbers of both sides."""

import re
from html import unescape

import pytest

from tests.evalsite.families import make_judged

pytestmark = pytest.mark.django_db


@pytest.fixture
def get(client, alice):
    def answer(address, *, status=200):
        client.force_login(alice)
        response = client.get(address)
        assert response.status_code == status
        return re.sub(r"\s+", " ", unescape(response.content.decode()))

    return answer


def test_a_result_tells_its_slices_and_leads_to_items_where_the_gold_is_open(get, olga, team, alice):
    run = make_judged(olga, team, alice, gold_released=True)
    page = get(run.get_absolute_url())
    assert "Slice by slice" in page
    assert "RMSE" in page
    assert f"/submissions/{run.pk}/scores/1/units/" in page
    listed = re.findall(r"/units/(n[0-9])/", get(f"/submissions/{run.pk}/scores/1/units/"))
    assert list(dict.fromkeys(listed)) == ["n3", "n4", "n2", "n1"]


def test_an_item_shows_both_numbers_what_lies_between_and_what_people_read(get, olga, team, alice):
    run = make_judged(olga, team, alice, gold_released=True)
    page = get(f"/submissions/{run.pk}/scores/1/units/n4/")
    assert "Now" in page
    assert "+2" in page
    assert "× no" in page
    assert "○ yes" in get(f"/submissions/{run.pk}/scores/1/units/n2/")
    assert "Well & good." in get(f"/submissions/{run.pk}/scores/1/units/n1/")


def test_while_the_gold_is_hidden_no_item_is_shown(get, olga, team, alice):
    run = make_judged(olga, team, alice)
    assert "/units/" not in get(run.get_absolute_url())
    get(f"/submissions/{run.pk}/scores/1/units/n4/", status=404)


def test_while_the_gold_is_hidden_a_slice_of_few_items_tells_none_of_its_numbers(get, olga, team, alice):
    run = make_judged(olga, team, alice)
    page = re.sub(r"<[^>]*>", " ", get(run.get_absolute_url()))
    table = page.partition("Slice by slice")[2]
    assert re.search(r"short\s+2\s+–", table)
    assert not re.search(r"short\s+2\s+[0-9.−-]*[0-9]", table)
