"""What two runs say of the size of a test goes by the shown part of a split gold."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from evalsite.challenges.gold.versions import gold_in_force
from evalsite.contrib.power.pair import plan_of_pair
from tests.factories import zip_of
from tests.split_gold import ITEMS, make_split_task, wrong_in

pytestmark = pytest.mark.django_db


@pytest.mark.thorough
def test_the_size_that_two_runs_ask_for_is_that_of_the_shown_part(olga):
    phase, scenario = make_split_task(olga)
    gold = gold_in_force(phase, scenario)
    upload = [
        [SimpleUploadedFile("run.zip", zip_of(files))] for files in (wrong_in(ITEMS, 30), wrong_in(ITEMS, 9, seed=5))
    ]
    plan, _ = plan_of_pair(gold, scenario, upload, 2)
    assert plan.test.n_units == 30
