"""The hidden phases of the demo have so few uploads that their teams are told tables by label."""

import pytest

from demo.plan import FOLDER, read_task
from evalsite.challenges.gold.budget import budget_of
from evalsite.challenges.gold.services import add_gold
from evalsite.challenges.models import Scenario
from scoring.budget import Detail
from tests.factories import make_phase, make_task

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.iterdir() if path.is_dir()))
def test_the_limits_of_hidden_phases_leave_room_for_their_tables(name, tmp_path):
    plan, task = read_task(name), make_task("demo")
    scenarios = [
        Scenario.objects.create(
            task=task, number=n, name=one.name, family=one.family, options=one.options, shown_scores=one.shown_scores
        )
        for n, one in enumerate(plan.scenarios, 1)
    ]
    for planned in plan.phases:
        if planned.gold_released:
            continue
        limits = {"window_limit": planned.window_limit, "total_limit": planned.total_limit}
        phase = make_phase(task, planned.slug, detail="automatic", **limits)
        for scenario in scenarios:
            gold = plan.gold(planned.slug, scenario.number)
            path = tmp_path / gold.name
            path.write_bytes(gold.content)
            add_gold(phase, scenario, path, gold.name, by=None)
        budget = budget_of(phase)
        assert budget.detail is Detail.TABLES, [(each.bits_told(Detail.TABLES), each.holds) for each in budget.golds]
        runs = [run for run in plan.runs(planned.slug) if not run.reference]
        teams = [run.team for run in runs]
        assert max(map(teams.count, teams)) <= planned.total_limit
