"""The board as a file: what is in it, in which precision, and what is not."""

import csv
import io
import json
from datetime import timedelta

import pytest
from django.utils import timezone

from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from scoring.scale import significant
from tests.evalsite.board_pages.pages import PATH
from tests.evalsite.leaderboard.boards import NOW, make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare
from tests.factories import make_run, run_files

SUFFIXES = ("csv", "json", "tex", "md", "svg")


def file(client, suffix: str, query: str = "") -> str:
    response = client.get(f"{PATH}board.{suffix}{query}")
    assert response.status_code == 200
    return response.content.decode()


def lines(client, query: str = "") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file(client, "csv", query), newline="")))


@pytest.fixture
def edition(phase, scenario, team, strangers):
    for number, each in enumerate((team, strangers), start=1):
        phase.task.participations.create(team=each, number=number)
    (organisers,) = make_teams(phase, "Organisers")
    made = make_board(
        phase,
        scenario,
        [
            make_entry(team, 0.6394812, 1, n_runs=7, method="BiLSTM_v2 & co"),
            make_entry(strangers, 0.62, 2, method="Rules"),
            make_entry(organisers, 0.5, reference="baseline", method="Dictionary"),
        ],
    )
    compare(made, scenario)
    return made


def test_the_spreadsheet_has_a_line_for_each_entry_and_differences_in_two_digits(client, edition):
    first, second, baseline = lines(client)

    assert (first["rank"], first["rank_low"], first["rank_high"], first["group"]) == ("1", "1", "2", "a")
    assert (first["team"], first["method"], first["n_runs"]) == ("Alice and Bob", "BiLSTM_v2 & co", "7")
    assert (first["f1"], first["f1_low"]) == ("0.6394", "0.609")
    assert first["recall"] == ""
    assert second["difference_low"] == str(significant(edition.entries[1]["difference_low"], 2))
    assert (baseline["rank"], baseline["team"], baseline["reference"]) == ("", "", "baseline")


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_cell_of_the_spreadsheet_is_a_formula(client, phase, scenario, name):
    twin, other = make_teams(phase, name, "Other")
    edition = make_board(phase, scenario, [make_entry(twin, 0.5, 1, method=name), make_entry(other, 0.5, 1)])
    compare(edition, scenario, twins=((0, 1),))

    first, second = lines(client)

    # Of a team the name is cleaned as it is stored; methods are written here as an older site has them.
    assert (first["team"], first["method"]) == (f"'{name.strip()}", f"'{name}")
    assert second["identical_to"] == first["team"]
    assert first["f1"] == "0.5"


def test_a_negative_number_stays_a_number(client, edition):
    assert lines(client)[1]["difference_to_leader"].startswith("-0.019")


def test_where_the_gold_is_open_files_have_full_precision(client, edition):
    Phase.objects.update(gold_released=True)
    first, second, _ = lines(client)

    assert (first["f1"], first["f1_low"]) == ("0.6394812", str(0.6394812 - 0.03))
    assert second["difference_low"] == str(edition.entries[1]["difference_low"])


def test_the_json_says_how_it_was_made(client, edition):
    Phase.objects.update(gold_released=True)
    found = json.loads(file(client, "json"))

    assert found["headline"] == "f1"
    assert found["comparison"]["signature"] == edition.comparison["signature"]
    assert found["comparison"]["n_units"] == 120
    assert found["finding"].startswith("Shared first: Alice and Bob (0.639) and ")
    assert found["made"] == NOW.isoformat()
    first, _, baseline = found["entries"]
    assert first["rank_range"] == [1, 2]
    assert first["scores"] == {"f1": 0.6394812, "precision": 0.5, "recall": None}
    assert first["intervals"] == {"f1": [0.6394812 - 0.03, 0.6394812 + 0.02]}
    assert (baseline["team"], baseline["rank"], baseline["reference"]) == (None, None, "baseline")


def test_the_table_for_a_paper_is_escaped_and_signed(client, edition):
    Phase.objects.update(gold_released=True)
    found = file(client, "tex")

    assert found.startswith(f"% {edition.comparison['signature']}\n% Shared first: Alice and Bob (0.639) and ")
    assert r"1--2 & Alice and Bob & 0.639 [0.609, 0.659] & -- & a & 0.500 & -- \\" in found
    assert r"\midrule" + "\n" + r"baseline & Dictionary & 0.500" in found
    assert "$-$0.019 [$-$0." in found


def test_a_table_for_a_paper_has_the_columns_that_are_chosen(client, edition):
    found = file(client, "tex", "?columns=precision")

    assert r"rank & system & F1 & difference & group & Precision \\" in found
    assert r"\begin{tabular}{llllcr}" in found
    # Wider than the line it is scaled, whatever columns are chosen; else it keeps its size.
    assert "\n" + r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%" in found
    assert found.endswith("\\end{tabular}\n}\n")


def test_a_name_cannot_break_out_of_a_comment_or_a_cell(client, phase, scenario):
    name = "A\n\\input{/etc/passwd}%&_"
    first, second = make_teams(phase, name, "Other")
    compare(make_board(phase, scenario, [make_entry(first, 0.5, 1), make_entry(second, 0.4, 2)]), scenario)

    found = file(client, "tex")

    assert r"A \textbackslash{}input\{/etc/passwd\}\%\&\_" in found
    assert not any(line.startswith(r"\input") for line in found.splitlines())


def test_files_hold_all_entries_and_all_scores(client, phase, scenario, scored_submission):
    refresh(Board.objects.get())

    (line,) = lines(client, "?q=nobody&columns=&page=9")

    assert "recall_a" not in line
    Phase.objects.update(gold_released=True)
    client.get(PATH)  # whose contents are kept for a moment
    (line,) = lines(client, "?q=nobody&columns=&page=9")
    assert line["recall_a"] == "0.6"
    assert json.loads(file(client, "json"))["entries"][0]["scores"]["recall_a"] == 0.6


def test_files_can_be_of_an_earlier_day(client, phase, scenario, team, strangers):
    yesterday = timezone.now() - timedelta(days=1)
    make_run(phase, team)
    refresh(board := Board.objects.get())
    board.editions.update(day=yesterday.date(), made=yesterday)  # the database dates them, by its own clock
    make_run(phase, strangers, run_files())
    refresh(board)

    assert [line["team"] for line in lines(client)] == ["Charlie's team", "Alice and Bob"]
    assert [line["team"] for line in lines(client, f"?on={yesterday.date()}")] == ["Alice and Bob"]
    assert lines(client, f"?on={yesterday.date() - timedelta(days=1)}") == []


def test_a_file_is_offered_under_a_name_that_says_what_it_is(client, edition):
    response = client.get(f"{PATH}board.csv")

    assert response["Content-Disposition"] == 'attachment; filename="health-test-scenario1-2026-12-09.csv"'
    assert response["Content-Type"].startswith("text/csv")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_anonymous_board_names_nobody_in_its_files(client, as_alice, edition, suffix):
    Phase.objects.update(is_anonymous=True)

    found = file(client, suffix)

    assert "Team 2" in found
    for hidden in ("Alice", "BiLSTM", "Rules", "Charlie", *(entry["team"] for entry in edition.entries)):
        assert hidden not in found
    assert not any(entry["submission"] in found for entry in edition.entries)
    assert ("BiLSTM" in file(as_alice, suffix)) == (suffix in ("csv", "json"))


def test_other_files_are_not_found(client, edition):
    assert client.get(f"{PATH}board.xlsx").status_code == 404


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_empty_board_has_empty_files(client, phase, suffix):
    assert "Alice" not in file(client, suffix)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_of_many_teams_costs_no_more_queries(client, phase, scenario, suffix, django_assert_num_queries):
    teams = make_teams(phase, *(f"Team {number}" for number in range(300)))
    make_board(phase, scenario, [make_entry(team, 0.5, 1) for team in teams])

    # Those that people read say in words whether the gold is known, which takes one more.
    with django_assert_num_queries(11):
        assert file(client, suffix).count("Team ") >= 300
