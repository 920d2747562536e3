"""Footnotes of organisers' texts stand below the text, and lead there and back."""

import re

import pytest

from evalsite.challenges.texts.markdown import render
from tests.doubling import growth_of_time

TEXT = "Ranked by F1.[^1] Times are in UTC.[^zone]\n\n[^1]: With *both* sides.\n[^zone]: As always."


def test_a_footnote_leads_to_its_words_and_back():
    html = render(TEXT)
    for target in re.findall(r'href="#([^"]+)"', html):
        assert html.count(f'id="{target}"') == 1
    assert html.count("<sup>") == 2
    assert "With <em>both</em> sides." in html


def test_footnotes_of_two_texts_of_a_page_are_told_apart():
    other = render(TEXT.replace("UTC", "CET"))
    names = re.findall(r' id="([^"]+)"', render(TEXT) + other)
    assert len(names) == len(set(names)) == 8


def test_a_footnote_without_words_stays_as_it_is():
    assert "[^1]" in render("Nothing.[^1]")


def test_a_footnote_brings_no_script():
    html = render('x[^a"><script>]\n\n[^a"><script>]: [y](javascript:alert)')
    assert "<script" not in html
    assert 'href="javascript' not in html


@pytest.mark.parametrize("piece", ["[^1]", "[^", "[^1]: x\n\n", "[^1]: ", "x[^1]\n\n[^1]: "])
def test_a_text_is_rendered_in_time_that_grows_with_it(piece):
    growth = growth_of_time(lambda n: lambda: render(piece * (n // len(piece))), [2**11, 2**13])
    assert growth.is_linear, str(growth)
