"""Rows of a board that was elsewhere: read, shown first, stored, kept apart from the ranking, and removed."""

import csv
import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from evalsite.challenges.models import Event, Phase, Task
from evalsite.desk.imported.reading import MOST_PROBLEMS, read_table
from evalsite.leaderboard.imported import MOST_ROWS, ImportedRow
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, ImportedTable
from tests.evalsite.board_pages.pages import names, page
from tests.factories import make_gold, make_run, make_scenario, run_files

pytestmark = pytest.mark.django_db
TEXT = "name,F1,date,source\nGrammar,61.20,2014-06,https://example.org/paper\n‮<b>שיטה</b>,-,,\n"


@pytest.fixture
def board(phase, scenario, team) -> Board:
    make_gold(phase, scenario)
    make_run(phase, team, run_files())
    found = Board.objects.get()
    refresh(found)
    return found


def send(client, text, **more):
    address = reverse("desk_runs_imported", args=["health", "test"])
    return client.post(address, {"scenario": "1", "table": text} | more)


def bring(client, text=TEXT):
    answer = send(client, text, **{"import": "yes"})
    assert answer.status_code == 302, answer.content.decode()


@pytest.mark.parametrize(
    "text",
    [
        'name,F1,date,source\n"A, B",61.20,2014,https://example.org/\nC,,,\n',
        "\ufeffSystem;F1;Fecha;Fuente\r\nA, B;61.20;2014;https://example.org/\r\n\r\nC;–;;\r\n",
        "F1\tname\tURL\tyear\n61.20\tA, B\thttps://example.org/\t2014\n-\tC\t\t\n",
    ],
    ids=["commas", "BOM and semicolons", "tabs in another order"],
)
def test_a_table_is_read_however_a_spreadsheet_writes_it(text):
    table = read_table(text)
    assert table.problems == []
    assert table.columns == ["F1"]
    assert table.rows == [
        ImportedRow("A, B", ["61.20"], "2014", "https://example.org/"),
        ImportedRow("C", [""], "", ""),
    ]
    assert [row.numbers for row in table.rows] == [[61.2], [None]]


@pytest.mark.thorough
def test_a_decimal_comma_is_one_where_commas_do_not_separate():
    assert read_table("name;F1\nA;0,612\n").rows[0].numbers == [0.612]
    assert "columns" in read_table("name,F1\nA,0,612\n").problems[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "The table has no rows"),
        ("name,F1\n", "The table has no rows"),
        ("rank,F1\n1,2\n", "Line 1: no column is headed “name”"),
        ("name,date\nA,2014\n", "Line 1: 0 columns of scores"),
        ("name," + ",".join(f"s{n}" for n in range(21)) + "\n", "Line 1: 21 columns of scores; 1 to 20"),
        ("name,F1,f1\nA,1,2\n", "Line 1: two columns are headed “f1”"),
        ("name,F1,\nA,1,2\n", "Line 1, column 3: "),
        ("name,F1\nA,1\n\nB,1,2\n", "Line 4: 3 columns, where the headings have 2."),
        ("name,F1\nA,1\na,2\n", "Line 3: “a” stands in line 2 already."),
        ("name,F1\nOld,1\n", "Line 2: “Old” is among the rows that were imported before."),
        ("name,F1\n,1\n", "Line 2, name: "),
        (f"name,F1\n{'x' * 201},1\n", "Line 2, name: "),
        ("name,F1\nA,61 %\n", "Line 2, F1: “61 %” is no number"),
        ("name,F1\nA,nan\n", "“nan” is no number"),
        ("name,F1\nA,inf\n", "“inf” is no number"),
        ("name,F1\nA,1e999\n", "“1e999” is no number"),
        ("name,F1\nA,٣\n", "“٣” is no number"),
        ("name;F1\nA;1,234.5\n", "“1,234.5” is no number"),
        ("name,F1,date\nA,1,31/05/2019\n", "Line 2, date: “31/05/2019” is no date"),
        ("name,F1,date\nA,1,2019-13\n", "“2019-13” is no date"),
        ("name,F1,date\nA,1,2019-02-30\n", "“2019-02-30” is no date"),
        ("name,F1,source\nA,1,javascript:alert(1)\n", "Line 2, source: “javascript:alert(1)” is no address"),
        ("name,F1,source\nA,1,ftp://example.org/\n", "“ftp://example.org/” is no address"),
        (f"name,F1,source\nA,1,https://example.org/{'x' * 500}\n", "is no address"),
        ('name,F1\nA,"1\n', "Line 2: unexpected end of data."),
        ("name,F1\n" + "".join(f"N{n},1\n" for n in range(MOST_ROWS)), f"Line {MOST_ROWS + 1}: a board has at most"),
    ],
    ids=range(26),
)
def test_each_problem_is_told_with_its_line(text, told):
    assert told in " ".join(read_table(text, {"old"}).problems)


@pytest.mark.thorough
def test_of_very_many_problems_some_are_told_and_the_others_counted():
    problems = read_table("name,F1\n" + "A\n" * 300).problems
    assert len(problems) == MOST_PROBLEMS + 1
    assert problems[-1] == "And 280 further problems."


def test_a_table_is_shown_first_and_stored_once(as_olga, board):
    shown = send(as_olga, TEXT)
    assert shown.status_code == 200
    assert "Import these rows" in shown.content.decode()
    assert not ImportedTable.objects.exists()
    bring(as_olga)
    table = ImportedTable.objects.get()
    assert (table.columns, len(table.rows), table.created_by.name) == (["F1"], 2, "Olga")
    again = send(as_olga, TEXT, **{"import": "yes"})
    assert again.status_code == 422
    assert "Line 2: “Grammar” is among the rows" in again.content.decode()
    assert ImportedTable.objects.count() == 1


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("name,F1\nJosé,1\n".encode("latin-1"), "Line 2: this is not UTF-8."),
        ("name,F1\nA,1\n".encode("utf-16"), "Line 1: this is not UTF-8."),
        (b"name,F1\n" + b"A,1\n" * 250_000, "at most 1 MB is possible"),
        (b"\n\n", "Paste a table, or choose a file."),
    ],
    ids=["another encoding", "UTF-16", "too large", "blank"],
)
def test_a_file_that_cannot_be_read_is_told_and_stores_nothing(as_olga, board, data, told):
    answer = send(as_olga, "", file=SimpleUploadedFile("old.csv", data), **{"import": "yes"})
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert not ImportedTable.objects.exists()


@pytest.mark.thorough
def test_a_file_is_read_and_comes_back_as_text_to_import(as_olga, board):
    answer = send(as_olga, "", file=SimpleUploadedFile("old.csv", b"\xef\xbb\xbf" + TEXT.encode()))
    assert answer.status_code == 200
    assert "Grammar,61.20,2014-06,https://example.org/paper" in answer.content.decode()


def test_rows_stand_below_the_ranking_and_change_nothing_of_it(as_olga, client, board):
    before = page(client)
    bring(as_olga)
    after = page(client)
    assert names(after) == names(before)
    ranking, _, imported = after.partition("Imported, not verified")
    assert "Grammar" not in ranking[ranking.index("<main") :]
    assert "2 rows, imported on" in imported
    assert "61.20" in imported
    assert 'href="https://example.org/paper" rel="nofollow noopener ugc"' in imported
    assert '<bdi class="name">&lt;b&gt;שיטה&lt;/b&gt;</bdi>' in imported  # without the sign that would turn it around
    day = before[before.index("?on=") :].partition('"')[0].replace("&amp;", "&")
    assert "Imported, not verified" not in page(client, day)


@pytest.mark.thorough
def test_a_board_without_results_shows_them_too(as_olga, client, phase, scenario):
    make_gold(phase, scenario)
    bring(as_olga)
    assert "Imported, not verified" in page(client)


@pytest.mark.thorough
def test_downloads_and_the_api_have_them_marked(as_olga, client, board):
    path = "/tasks/health/test/board/1/board"
    before = [client.get(f"{path}.{suffix}").content for suffix in ("csv", "tex", "md", "svg")]
    bring(as_olga)
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
def test_all_rows_of_an_import_are_removed_and_the_others_stay(as_olga, client, board):
    bring(as_olga)
    bring(as_olga, "name,Accuracy\nOther,0.5\n")
    first = ImportedTable.objects.get(columns=["F1"])
    address = reverse("desk_runs_imported_remove", args=["health", "test", first.pk])
    assert as_olga.get(address).status_code == 405
    assert as_olga.post(address).status_code == 302
    assert as_olga.post(address).status_code == 404
    assert [table.columns for table in ImportedTable.objects.all()] == [["Accuracy"]]
    assert "61.20" not in page(client)


@pytest.mark.thorough
def test_imports_and_removals_are_public_decisions(as_olga, client, board):
    bring(as_olga)
    as_olga.post(reverse("desk_runs_imported_remove", args=["health", "test", ImportedTable.objects.get().pk]))
    rows = list(csv.DictReader(io.StringIO(client.get("/tasks/health/decisions.csv").content.decode())))
    assert [row["what"] for row in rows] == [
        "Imported rows removed",
        "Rows of another board imported, not verified",
    ]
    assert {(row["about"], row["by"], row["phase"]) for row in rows} == {
        ("scenario 1: 2 rows", "the organisers", "Test")
    }
    assert Event.objects.filter(kind="rows imported").count() == 1


def test_who_does_not_see_the_board_sees_no_imported_rows(as_olga, client, board):
    bring(as_olga)
    Phase.objects.update(board_audience="organisers")
    Task.objects.get().save()
    for path in ("board.csv", "board.json", ""):
        answer = client.get(f"/tasks/health/test/board/1/{path}")
        assert answer.status_code == 403
        assert "Grammar" not in answer.content.decode()
    assert client.get("/tasks/health/decisions.csv").content.decode().count("\n") == 1


@pytest.mark.thorough
def test_a_scenario_without_gold_or_of_no_phase_is_not_offered(as_olga, board, task):
    make_scenario(task, 2)
    assert send(as_olga, TEXT, scenario="2").status_code == 422
    assert send(as_olga, TEXT, scenario="x").status_code == 422
    assert not ImportedTable.objects.exists()
