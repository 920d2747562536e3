"""People look at runs, list theirs and compare two, in two languages, while organisers change what is told and who
they are.

What pages keep of a result must never show: each page is the same as one that is made with all caches empty, and who
may not see a run gets none.
"""

import random
import re
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from evalsite.accounts.models import Membership, User
from evalsite.challenges.models import Organiser, Phase, Scenario
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, ComparisonCount
from evalsite.submissions.models import Submission
from tests.evalsite.conftest import logged_in
from tests.factories import PARTLY_RIGHT, make_run, run_files

pytestmark = pytest.mark.django_db
N_STEPS = 120
CACHES = ("pages", "default", "editions")
# Of a session, of a moment, or of a request.
PASSING = re.compile(r'csrfmiddlewaretoken" value="\w+"|data-token="\w+"|<time .*?</time>', re.DOTALL)
_numbers = count()


class Walk:
    def __init__(self, people: dict[User, set[Any]], runs: list[Submission], commit: Any, seed: int) -> None:
        """`people` with the teams that they are in and out of."""
        self.commit = commit
        self.browsers = {user: logged_in(user) for user in people}
        self.people, self.runs = people, runs
        self.phase, self.scenario = runs[0].phase, runs[0].phase.task.scenarios.get()
        self.random = random.Random(seed)
        self.seen = {user: 0 for user in people}
        self.refused = {user: 0 for user in people}

    def step(self) -> None:
        doings: list[Callable[[], None]] = [self.look_at_run] * 8 + [self.compare] * 4 + [self.list_runs] * 4
        doings += [
            self.change_phase,
            self.change_scores,
            self.change_role,
            self.change_team,
            self.rename,
            self.withdraw,
        ]
        self.random.choice(doings)()

    def look_at_run(self) -> None:
        self.look(self.random.choice(self.runs).get_absolute_url())

    def compare(self) -> None:
        ComparisonCount.objects.all().delete()  # of the day, which the second request for a page would count again
        first, second = self.random.sample(self.runs, 2)
        self.look(f"/tasks/health/test/board/1/compare/?a={first.pk}&b={second.pk}")

    def list_runs(self) -> None:
        for user in self.random.sample(list(self.people), len(self.people)):
            self.look("/tasks/health/submissions/", user)

    def look(self, address: str, user: User | None = None) -> None:
        user = user or self.random.choice(list(self.people))
        headers = {"accept-language": self.random.choice(["en", "es"])}
        answer = self.browsers[user].get(address, headers=headers)
        anew = self.anew(self.browsers[user], address, headers)
        assert answer.status_code == anew.status_code, (user, address)
        assert _lasting(answer) == _lasting(anew), (user, address)
        found = self.seen if answer.status_code == 200 else self.refused
        found[user] += 1

    def anew(self, browser: Client, address: str, headers: dict[str, str]) -> Any:
        """Return the page as it is made where nothing is kept; what is kept meanwhile stays."""
        for name in CACHES:
            caches[name].key_prefix = f"anew-{next(_numbers)}"
        try:
            return browser.get(address, headers=headers)
        finally:
            for name in CACHES:
                caches[name].key_prefix = ""

    def change_phase(self) -> None:
        phase = Phase.objects.get()
        phase.gold_released = self.random.random() < 0.5
        phase.detail = self.random.choice(Phase.Detail.values)
        phase.shows_scores = self.random.random() < 0.8
        phase.save()

    def change_scores(self) -> None:
        scenario = Scenario.objects.get()
        scenario.shown_scores = self.random.choice([["f1"], ["f1", "precision"], ["f1", "f1_a", "recall"]])
        scenario.name = self.random.choice(["Phrases", "Relations"])
        scenario.save()

    def change_role(self) -> None:
        user, task = self.random.choice(list(self.people)), self.phase.task
        row, is_new = Organiser.objects.get_or_create(task=task, user=user, defaults={"role": "viewer"})
        if not is_new:
            row.delete()

    def change_team(self) -> None:
        user = self.random.choice(list(self.people))
        team = self.random.choice(sorted({run.team for run in self.runs}, key=lambda team: team.name))
        member, is_new = Membership.objects.get_or_create(team=team, user=user)
        if not is_new and team.memberships.count() > 1:
            member.delete()

    def rename(self) -> None:
        run = self.random.choice(self.runs)
        run.method = f"Method {next(_numbers)}"
        Submission.objects.filter(pk=run.pk).update(method=run.method)

    def withdraw(self) -> None:
        run = self.random.choice(self.runs)
        run.withdrawn = None if run.withdrawn else run.created
        Submission.objects.filter(pk=run.pk).update(withdrawn=run.withdrawn)
        with self.commit(execute=True):
            for board in Board.objects.all():
                refresh(board)


def _lasting(answer: Any) -> str:
    return PASSING.sub("", answer.content.decode())


def test_pages_of_runs_are_never_those_of_somebody_else_or_of_before(
    phase, team, alice, charlie, strangers, olga, django_capture_on_commit_callbacks
):
    runs = [
        make_run(phase, team, PARTLY_RIGHT),
        make_run(phase, team, run_files()),
        make_run(phase, strangers, run_files(relations="")),
        make_run(phase, strangers, PARTLY_RIGHT | {"note.txt": "again"}),
    ]
    for board in Board.objects.all():
        refresh(board)
    people = {alice: {team}, charlie: {strangers}, olga: set()}
    walk = Walk(people, runs, django_capture_on_commit_callbacks, seed=2297)
    for _ in range(N_STEPS):
        walk.step()
    assert min(walk.seen.values()) > 5
    assert walk.refused[alice] > 2
    assert walk.refused[charlie] > 2
