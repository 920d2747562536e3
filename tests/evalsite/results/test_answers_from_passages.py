"""The pages of a result whose questions are about passages, as in SQuAD."""

import re
from html import unescape

import pytest

from scoring import FAMILIES
from tests.evalsite.families import _scored_run

pytestmark = pytest.mark.django_db


def test_a_result_tells_squads_scores_and_a_question_its_passage(as_alice, olga, team, alice):
    family, options = FAMILIES["qac"], {"format": "squad"}
    specimen = family.offer.specimen(family.configure(options))
    files = [{name: content.decode() for name, content in side.items()} for side in (specimen.gold, specimen.run)]
    run = _scored_run("passages", "qac", options, *files, olga, team, alice, {"gold_released": True})
    page, question = (
        re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", as_alice.get(address).content.decode())))
        for address in (run.get_absolute_url(), f"/submissions/{run.pk}/scores/1/units/alder-1-2/")
    )
    assert "Exact match, questions with an answer" in page
    assert "marks out of" not in page
    assert "runs for 84 km to Harl" in question
    assert "for 84 km to Harl" in question
