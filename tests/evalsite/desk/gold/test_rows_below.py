"""Rows below a ranking: kept apart from it on pages, in downloads and the API, and removed."""

import csv
import io
import json
from dataclasses import asdict

import pytest
from django.urls import reverse

from evalsite.challenges.models import Phase, Task
from evalsite.leaderboard.imported import ImportedRow
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, ImportedTable
from tests.evalsite.board_pages.pages import names, page
from tests.factories import make_gold, make_run, run_files

pytestmark = pytest.mark.django_db
ROWS = (
    ImportedRow("Grammar", ["61.20"], "2014-06", "https://example.org/paper"),
    ImportedRow("<b>שיטה</b>", [""], "", ""),
)


def store(phase, columns=("F1",), rows=ROWS) -> ImportedTable:
    """Store a table as an earlier version imported it."""
    scenario = phase.task.scenarios.get(number=1)
    return ImportedTable.objects.create(
        phase=phase, scenario=scenario, columns=columns, rows=[asdict(row) for row in rows]
    )


@pytest.fixture
def board(phase, scenario, team) -> Board:
    make_gold(phase, scenario)
    make_run(phase, team, run_files())
    found = Board.objects.get()
    refresh(found)
    return found


def test_rows_stand_below_the_ranking_and_change_nothing_of_it(client, board, phase):
    before = page(client)
    store(phase)
    after = page(client)
    assert names(after) == names(before)
    ranking, _, imported = after.partition("Imported, not verified")
    assert "Grammar" not in ranking[ranking.index("<main") :]
    assert "2 rows, imported on" in imported
    assert "61.20" in imported
    assert 'href="https://example.org/paper" rel="nofollow noopener ugc"' in imported
    assert '<bdi class="name">&lt;b&gt;שיטה&lt;/b&gt;</bdi>' in imported
    day = before[before.index("?on=") :].partition('"')[0].replace("&amp;", "&")
    assert "Imported, not verified" not in page(client, day)


@pytest.mark.thorough
def test_a_board_without_results_shows_them_too(client, phase, scenario):
    make_gold(phase, scenario)
    store(phase)
    assert "Imported, not verified" in page(client)


@pytest.mark.thorough
def test_downloads_and_the_api_have_them_marked(client, board, phase):
    path = "/tasks/health/test/board/1/board"
    before = [client.get(f"{path}.{suffix}").content for suffix in ("csv", "tex", "md", "svg")]
    store(phase)
    lines = client.get(f"{path}.csv").content.decode()
    entry, grammar, other = csv.DictReader(io.StringIO(lines))
    assert None not in {*entry, *grammar, *other}
    assert (grammar["team"], grammar["reference"], grammar["rank"], grammar["date"]) == (
        "Grammar",
        "imported",
        "",
        "2014-06",
    )
    assert (grammar["imported: F1"], grammar["source"], grammar["f1"]) == ("61.20", "https://example.org/paper", "")
    assert (other["imported: F1"], entry["imported: F1"]) == ("", "")
    for found in (
        json.loads(client.get(f"{path}.json").content),
        client.get("/api/v1/tasks/health/test/boards/1").json(),
    ):
        assert len(found["entries"]) == 1
        first, second = found["imported"]
        assert (first["name"], first["is_verified"], first["source"]) == ("Grammar", False, "https://example.org/paper")
        assert (first["scores"], first["written"]) == ({"F1": 61.2}, {"F1": "61.20"})
        assert (second["scores"], second["date"]) == ({"F1": None}, None)
    assert client.get("/api/v1/tasks/health/test/boards/1?on=2020-01-01").json()["imported"] == []
    assert [client.get(f"{path}.{suffix}").content for suffix in ("tex", "md", "svg")] == before[1:]
    ImportedTable.objects.all().delete()
    assert client.get(f"{path}.csv").content == before[0]


@pytest.mark.thorough
def test_all_rows_of_a_table_are_removed_and_the_others_stay(as_olga, client, board, phase):
    first = store(phase)
    store(phase, ["Accuracy"], [ImportedRow("Other", ["0.5"], "", "")])
    address = reverse("desk_runs_imported_remove", args=["health", "test", first.pk])
    assert address in as_olga.get(reverse("desk_runs_imported", args=["health", "test"])).content.decode()
    assert as_olga.get(address).status_code == 405
    assert as_olga.post(address).status_code == 302
    assert as_olga.post(address).status_code == 404
    assert [table.columns for table in ImportedTable.objects.all()] == [["Accuracy"]]
    assert "61.20" not in page(client)


def test_who_does_not_see_the_board_sees_no_imported_rows(client, board, phase):
    store(phase)
    Phase.objects.update(board_audience="organisers")
    Task.objects.get().save()
    for path in ("board.csv", "board.json", ""):
        answer = client.get(f"/tasks/health/test/board/1/{path}")
        assert answer.status_code == 403
        assert "Grammar" not in answer.content.decode()
