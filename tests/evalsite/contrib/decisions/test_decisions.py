"""The public list of what was decided about a task: what stands there, for whom, and what never does."""

import csv
import io
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evalsite.challenges import services
from evalsite.challenges.audit_trail import change
from evalsite.challenges.models import Event, Phase, TeamNumber, record
from evalsite.submissions.runs import banning, changing
from evalsite.submissions.runs.unranking import show_unranked
from tests.factories import PARTLY_RIGHT, make_phase, make_run, run_files

pytestmark = pytest.mark.django_db
WITHDRAWN = {"side": changing.Side.ORGANISERS, "reason": "Trained on the test"}


@pytest.fixture
def run(phase, team):
    return make_run(phase, team, run_files(), method="Rules")


@pytest.fixture
def lines(client, task):
    """What somebody reads, as rows of the file; a stranger unless another client is given."""

    def read(by=client) -> list[dict[str, str]]:
        page = by.get(f"/tasks/{task.slug}/decisions/")
        assert page.status_code == 200
        text = by.get(f"/tasks/{task.slug}/decisions.csv").content.decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        shown = unescape(" ".join(page.content.decode().split()))
        assert all(row["what"] in shown and row["why"].lstrip("'") in shown for row in rows)
        return rows

    return read


def test_a_withdrawn_run_stands_there_with_who_and_why(lines, run, olga, phase):
    changing.withdraw([run], by=olga, **WITHDRAWN)
    [line] = lines()
    assert (line["what"], line["by"], line["why"]) == ("Withdrawn", "the organisers", "Trained on the test")
    assert (line["about"], line["phase"]) == ("Alice and Bob: Rules", "Test")
    assert "Olga" not in str(lines())


def test_a_team_without_a_rank_stands_there_with_its_reason(lines, run, olga, task, team):
    show_unranked(task, team, "No system paper", by=olga)
    [line] = lines()
    assert (line["what"], line["why"]) == ("A team is shown without a rank", "No system paper")


def test_a_withdrawal_by_the_team_stands_there_without_its_reason(lines, run, alice):
    changing.withdraw([run], by=alice, reason="A silly mistake of Bob")
    [line] = lines()
    assert (line["what"], line["by"], line["why"]) == ("Withdrawn", "its team", "")


def test_a_reason_that_was_given_before_the_list_was_public_stays_where_it_was(lines, run, task, olga):
    record(task, "withdrawn", actor=olga, subject=run.pk, side="organisers", reason="between us")
    assert lines()[0]["why"] == ""


def test_without_names_neither_team_method_reason_nor_time_of_day_is_told(lines, run, phase, task, team, olga, as_olga):
    Phase.objects.update(is_anonymous=True)
    changing.withdraw([run], by=olga, **WITHDRAWN)
    banning.ban(task, team, "Alice has two accounts", by=olga)
    told = lines()
    assert [line["what"] for line in told] == ["A team was banned", "Withdrawn"]
    assert {line["why"] for line in told} == {""}
    assert {len(line["time"]) for line in told} == {len("2026-11-20")}
    assert told[1]["about"] == "A team"
    assert not any(word in str(told) for word in ("Alice", "Bob", "Rules", "Trained"))
    TeamNumber.objects.create(phase=phase, team=team.pk, number=7)
    assert lines()[1]["about"] == "Team 7"
    assert "Alice and Bob" in str(lines(as_olga))
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))
    assert "Trained on the test" in str(lines())


def test_of_a_board_that_the_visitor_does_not_see_only_times_are_told(lines, run, phase, olga, as_olga, scenario):
    gold = phase.golds.get()
    Phase.objects.update(board_audience="organisers")
    changing.withdraw([run], by=olga, **WITHDRAWN)
    record(phase.task, "gold published", actor=olga, subject=gold.pk, note="Line 3", changes={"version": ("1", "2")})
    change(phase, {"closes": phase.closes + timedelta(days=2)}, by=olga)
    [line] = lines()
    assert line["what"] == "Phase changed"
    assert line["about"].startswith("closes from “")
    assert [each["what"] for each in lines(as_olga)] == ["Phase changed", "Gold changed: version 1 → 2", "Withdrawn"]


def test_what_was_done_to_a_draft_is_not_told(lines, phase, task, olga):
    change(task, {"is_published": False}, by=olga)
    Event.objects.all().delete()
    change(phase, {"closes": phase.closes + timedelta(days=1)}, by=olga)
    change(task, {"is_published": True}, by=olga)
    assert lines() == []
    change(phase, {"closes": phase.closes + timedelta(days=2)}, by=olga)
    assert len(lines()) == 1


def test_other_changes_trials_and_other_tasks_stay_in_the_log(lines, task, phase, run, olga):
    changing.set_reference(run, "trial", by=olga)
    changing.withdraw([run], by=olga, **WITHDRAWN)
    services.pause(phase, "The server is slow", by=olga)
    change(phase, {"board_audience": "participants"}, by=olga)
    record(task, "organiser invited", actor=olga, address="carol@example.org")
    record(task, "team renamed", actor=olga, name="x")
    assert lines() == []


def test_many_runs_that_are_scored_again_are_one_line_on_the_page(client, lines, task, phase, team, olga):
    runs = [make_run(phase, team, PARTLY_RIGHT | {"n.txt": str(number)}) for number in range(3)]
    for run in runs:
        record(task, "queued again", actor=olga, subject=run.pk)
    assert len(lines()) == 3
    page = client.get(f"/tasks/{task.slug}/decisions/")
    assert [line.in_words for line in page.context["lines"]] == ["Scored again: 3 runs"]


def test_its_queries_do_not_grow_with_its_lines(client, task, phase, run):
    gold = phase.golds.get()
    make_phase(task, "other")

    def queries(n_lines: int) -> int:
        for _ in range(n_lines):
            record(task, "withdrawn", subject=run.pk, side="organisers")
            record(task, "gold published", subject=gold.pk, changes={"version": ("1", "2")})
        with CaptureQueriesContext(connection) as counted:
            client.get(f"/tasks/{task.slug}/decisions/")
        return len(counted)

    assert queries(2) == queries(20)


def test_cells_that_a_spreadsheet_would_calculate_are_text(lines, run, olga):
    changing.withdraw([run], by=olga, **WITHDRAWN | {"reason": "=1+1"})
    assert lines()[0]["why"] == "'=1+1"
