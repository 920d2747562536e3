"""A task whose runs are judged elsewhere, and a program with the token of its judge."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from evalsite.accounts.models import User
from evalsite.api import tokens
from evalsite.challenges.models import Phase, Scenario
from evalsite.submissions.models import Submission
from tests.factories import make_gold, make_phase, make_scenario, make_submission, make_task, make_team, make_user

N_UNITS = 30
API = "/api/v1/judge/summaries/test"
COMET = {"name": "COMET", "version": "1"}


@pytest.fixture
def scenario(olga: User) -> Scenario:
    task = make_task("summaries", olga)
    phase = make_phase(task)
    scenario = make_scenario(task, name="Summaries", family="given", options={"range": "0..1"}, is_judged=True)
    make_gold(phase, scenario, {"units.csv": "unit\n" + "".join(f"u{k}\n" for k in range(N_UNITS))})
    return scenario


@pytest.fixture
def phase(scenario: Scenario) -> Phase:
    return scenario.task.phases.get()


@pytest.fixture
def runs(phase: Phase) -> list[Submission]:
    """Ada's and Bo's, which wait."""
    return [upload(phase, name) for name in ("Ada", "Bo")]


def upload(phase: Phase, name: str, text: str = "") -> Submission:
    user = User.objects.filter(name=name).first() or make_user(name)
    team = user.teams.first() or make_team(f"Team {name}", user)
    return make_submission(phase, team, user, {"summaries.txt": text or f"What {name}'s system wrote\n"})


Judging = Callable[..., Client]


@pytest.fixture
def judging(olga: User, scenario: Scenario) -> Judging:
    """A client of a program that has a new token of olga's for her task."""

    def make(scopes: str = "judge", user: User = olga) -> Client:
        _, text = tokens.make(user, "GPU", scopes, None, scenario.task)
        return Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {text}"})

    return make


@pytest.fixture
def judge(judging: Judging) -> Client:
    return judging()


def marks(quality: float, shift: int = 0) -> list[dict[str, Any]]:
    return [{"unit": f"u{k}", "score": round(quality + ((k * 7 + shift) % 10 - 4.5) / 50, 4)} for k in range(N_UNITS)]


def post(program: Client, run: Submission | str, quality: float = 0.6, **fields: Any) -> Any:
    key = run if isinstance(run, str) else str(run.pk)
    sent = {"run": key, "scenario": 1, "judge": COMET, "scores": marks(quality)} | fields
    return program.post(f"{API}/scores", json.dumps(sent), content_type="application/json")


def listed(program: Client, version: str = "1", **query: Any) -> Any:
    return program.get(f"{API}/runs", {"scenario": 1, "name": "COMET", "version": version} | query)
