"""The combined score of a phase: said on the desk, made in the background, shown with the scenarios side by side."""

import csv
import io
import json

import pytest

from evalsite.accounts.models import Team, User
from evalsite.background.models import Job
from evalsite.challenges.models import Event, Phase
from evalsite.desk.scenarios.services import change_scenario
from evalsite.leaderboard.combined.making import basis_of, is_fresh
from evalsite.leaderboard.models import Board, BoardLease, Combined
from evalsite.leaderboard.tasks import refresh_board, refresh_combined
from evalsite.submissions.lifecycle.candidates import publish
from evalsite.submissions.models import Result, Submission
from evalsite.submissions.runs.changing import set_reference, withdraw
from scoring.signature import parsed
from tests.evalsite.board_pages.pages import page, text
from tests.factories import make_gold, make_phase, make_run, make_scenario, make_task, make_team, make_user, work_off
from tests.own_pieces import seen

PATH = "/tasks/babel/test/board/"
BOARD = f"{PATH}combined/"
DESK = "/tasks/babel/organise/phases/test/combined/"
N_UNITS = 40


def table(quality: float, shift: int = 0) -> str:
    """Scores of units that are all a little different; a system's quality moves them all."""
    rows = (f"u{k},{quality + 0.1 * ((k * 7 + shift) % 10 - 4.5) / 10:.4f}\n" for k in range(N_UNITS))
    return "unit,score\n" + "".join(rows)


@pytest.fixture
def babel(olga):
    """Two languages, three teams and a baseline; Cleo has no German run."""
    task = make_task("babel", olga)
    phase = make_phase(task)
    units = "unit\n" + "".join(f"u{k}\n" for k in range(N_UNITS))
    english = make_scenario(task, 1, name="English", family="given", options={})
    german = make_scenario(task, 2, name="German", family="given", options={})
    for scenario in (english, german):
        make_gold(phase, scenario, {"units.csv": units + ("" if scenario == english else "extra\n")})
    qualities = {"Ada": (0.8, 0.6), "Bo": (0.5, 0.7), "Cleo": (0.9, None)}
    for name, own in qualities.items():
        team = make_team(f"Team {name}", make_user(name))
        for number, quality in enumerate(own, start=1):
            if quality is not None:
                upload(phase, team, number, table(quality, len(name)), extra=quality)
    make_boards(phase)
    return phase


def upload(phase, team, number, scores, extra=0.5):
    scenarios = [phase.task.scenarios.get(number=number)]
    return make_run(phase, team, {"run.csv": scores + (f"extra,{extra}\n" if number == 2 else "")}, scenarios=scenarios)


def make_boards(phase):
    BoardLease.objects.all().delete()  # nobody has to wait for the next turn
    for board in Board.objects.filter(phase=phase):
        refresh_board(str(board.phase_id), str(board.scenario_id))


def make_combined(phase, **fields):
    combined = Combined.objects.create(phase=phase, **fields)
    refresh_combined(str(phase.pk))
    combined.refresh_from_db()
    return combined


def test_teams_stand_by_the_formula_and_who_lacks_a_scenario_has_no_place(client, babel):
    make_combined(babel, formula="mean(*.score)")
    html = page(client, path=PATH)

    words = text(html)
    assert words.index("Team Ada") < words.index("Team Bo") < words.index("no run in German")
    assert "Combined score . First: Team Ada (0." in words.replace("score.", "score .")
    assert "mean(*.score)" in words


@pytest.mark.thorough
def test_a_missing_scenario_may_count_as_nothing(babel):
    board = make_combined(babel, formula="mean(*.score)", missing="last").board
    by_rank = [(entry["rank"], round(entry["headline"], 2)) for entry in board["entries"]]
    assert [rank for rank, _ in by_rank] == [1, 2, 3]
    assert by_rank[2][1] == pytest.approx(0.45, abs=0.01)


@pytest.mark.thorough
def test_mean_ranks_have_ranges_and_say_among_how_many_teams_they_are(client, babel):
    board = make_combined(babel, kind="ranks", missing="last").board
    scores = {entry["scores"]["1:score"]: entry["headline"] for entry in board["entries"]}
    assert scores == {1.0: 2.0, 2.0: 2.0, 3.0: 2.0}
    assert "among 3 teams" in text(page(client, path=PATH))


def test_it_is_made_anew_when_a_board_has_changed(babel):
    combined = make_combined(babel, formula="German.score")
    assert is_fresh(combined)
    run = {"run.csv": table(0.95) + "extra,0.9\n"}
    german = babel.task.scenarios.get(number=2)
    make_run(babel, make_team("Team Dora", make_user("Dora")), run, scenarios=[german])
    make_boards(babel)
    assert not is_fresh(combined)
    refresh_combined(str(babel.pk))
    combined.refresh_from_db()
    assert combined.basis == basis_of(combined)
    assert combined.board["entries"][0]["scores"]["2:score"] > 0.9


@pytest.mark.thorough
def test_a_run_that_is_withdrawn_leaves_the_board(babel):
    combined = make_combined(babel, formula="mean(*.score)")
    run = Submission.objects.get(team__name="Team Ada", scorings__scenario__number=2)
    withdraw([run], by=run.uploader)
    make_boards(babel)
    refresh_combined(str(babel.pk))
    combined.refresh_from_db()
    assert [(entry["rank"], entry["lacking"]) for entry in combined.board["entries"]] == [
        (1, []),
        (None, ["German"]),
        (None, ["German"]),
    ]


@pytest.mark.thorough
def test_a_formula_follows_the_new_name_of_a_scenario(olga, babel):
    combined = make_combined(babel, formula="2 * German.score - English.score")
    scenario = babel.task.scenarios.get(number=2)
    scenario.name = "High German"
    change_scenario(scenario, {"name": ("German", "High German")}, by=olga)
    combined.refresh_from_db()
    assert combined.formula == '2 * "High German".score - English.score'
    assert not is_fresh(combined)
    refresh_combined(str(babel.pk))
    combined.refresh_from_db()
    assert combined.board["entries"][0]["scores"].keys() == {"combined", "1:score", "2:score"}
    assert Event.objects.get(kind="combined score changed").detail["changed"] == {
        "formula": ["2 * German.score - English.score", combined.formula]
    }


@pytest.mark.thorough
def test_gold_that_is_published_anew_gives_a_new_board_with_all_teams(babel, olga):
    combined = make_combined(babel, formula="German.score")
    german, before = babel.task.scenarios.get(number=2), combined.board
    units = "".join(f"u{k}\n" for k in reversed(range(N_UNITS)))
    gold = make_gold(babel, german, {"units.csv": f"unit\nextra\n{units}"})
    work_off()
    assert is_fresh(combined)  # a candidate changes nothing
    publish(gold, by=olga)
    make_boards(babel)
    refresh_combined(str(babel.pk))
    combined.refresh_from_db()
    assert combined.board["comparison"]["signature"] != before["comparison"]["signature"]
    assert [(entry["team"], entry["rank"]) for entry in combined.board["entries"]] == [
        (entry["team"], entry["rank"]) for entry in before["entries"]
    ]


def test_a_formula_that_no_longer_fits_says_so_to_its_readers(client, babel):
    combined = make_combined(babel, formula="Dutch.score")
    assert combined.board["problem"]["text"] == "formula: no scenario 'Dutch' at column 1"
    assert "The combined score cannot be made: formula: no scenario" in text(page(client, path=PATH))


def test_the_board_comes_as_files_and_by_the_api(client, babel):
    make_combined(babel, formula="mean(*.score)")
    lines = list(csv.DictReader(io.StringIO(client.get(f"{BOARD}board.csv").content.decode())))
    assert [(line["rank"], line["team"]) for line in lines] == [("1", "Team Ada"), ("2", "Team Bo"), ("", "Team Cleo")]
    record = json.loads(client.get(f"{BOARD}board.json").content)
    parts = {"1:score": "English.score", "2:score": "German.score"}
    assert record["combined"] == {
        "kind": "formula",
        "formula": "mean(*.score)",
        "missing": "unranked",
        "parts": parts,
    }
    assert record["entries"][0]["scores"].keys() == {"combined", *parts}
    assert record["entries"][2]["lacking"] == ["German"]
    assert client.get("/api/v1/tasks/babel/test/boards/combined").json() == record
    for suffix in ("tex", "md", "svg"):
        assert "Team Ada" in client.get(f"{BOARD}board.{suffix}").content.decode()
    assert client.get(f"{BOARD}board.exe").status_code == 404


@pytest.mark.thorough
def test_the_files_of_earlier_addresses_are_found_where_they_are_now(client, babel):
    make_combined(babel)
    answer = client.get("/tasks/babel/test/board/combined.csv", follow=True)
    assert answer.redirect_chain == [("/tasks/babel/test/board/combined/board.csv", 301)]
    assert answer.status_code == 200


@pytest.mark.thorough
def test_who_is_logged_in_finds_the_own_row_marked(client, babel):
    make_combined(babel, formula="German.score")
    client.force_login(User.objects.get(memberships__team__name="Team Bo"))
    for address in (BOARD, f"{BOARD}pairs/"):
        assert "is-own" in seen(client, address), address


@pytest.mark.thorough
def test_every_page_that_its_tabs_lead_to_is_there(client, babel):
    make_combined(babel)
    pages = client.get(BOARD).context["board_pages"]
    assert [title for title, _address, _is_here in pages] == ["Board", "All pairs", "History"]
    assert {client.get(address).status_code for _title, address, _is_here in pages} == {200}


def test_digits_and_digests_are_kept_from_those_who_may_not_compare_golds(client, babel):
    make_combined(babel, formula="mean(*.score)/3")
    record = json.loads(client.get(f"{BOARD}board.json").content)
    score = record["entries"][0]["scores"]["combined"]
    assert score == round(score, 4)
    signature = parsed(record["comparison"]["signature"])
    digests = [gold.digest[:12] for gold in babel.golds.all()]
    assert signature["seed"] == "kept"
    assert not set(signature["gold"].split(",")) & set(digests)


@pytest.mark.thorough
def test_an_organiser_checks_a_formula_before_saving_it(as_olga, babel):
    sent = {"kind": "formula", "missing": "unranked", "formula": "mean(*.scor)"}
    assert '<option value="mean(*.score)"></option>' in as_olga.get(DESK).content.decode()
    answer = as_olga.post(DESK, sent)
    assert answer.status_code == 422
    assert "did you mean" in text(answer.content.decode())
    shown = text(as_olga.post(DESK, sent | {"formula": "mean(*.score)", "preview": "yes"}).content.decode())
    assert "Team Ada 0.7" in shown
    assert not Combined.objects.exists()
    assert as_olga.post(DESK, sent | {"formula": "mean(*.score)"}).status_code == 302
    assert Combined.objects.get().formula == "mean(*.score)"
    assert Event.objects.filter(kind="combined score changed").exists()
    as_olga.post(f"{DESK}remove/")
    assert not Combined.objects.exists()


def ratings(noise: float, shift: int) -> str:
    rows = (f"t{k},{k % 9 + noise * ((k * 5 + shift) % 7 - 3):.2f}\n" for k in range(N_UNITS))
    return "id,value\n" + "".join(rows)


@pytest.fixture
def alike(olga):
    """The same texts in two languages: their scores share resamples, and none of them is made of sums of units."""
    task = make_task("babel", olga)
    phase = make_phase(task)
    for number, name in enumerate(("English", "German"), start=1):
        scenario = make_scenario(task, number, name=name, family="numbers", options={"headline": "pearson"})
        make_gold(phase, scenario, {"gold.csv": ratings(0 if number == 1 else 0.1, 0)})
    for name, noise in (("Ada", 0.3), ("Bo", 0.8)):
        enter(phase, name, noise)
    make_boards(phase)
    return phase


def enter(phase, name, noise):
    team = make_team(f"Team {name}", make_user(name))
    return make_run(phase, team, {"run.csv": ratings(noise, len(name))})


@pytest.mark.thorough
def test_runs_are_scored_once_more_for_resamples_that_a_formula_needs_and_later_ones_have_them(as_olga, alike):
    as_olga.post(DESK, {"kind": "formula", "missing": "unranked", "formula": "mean(*.spearman)"})
    refresh_combined(str(alike.pk))
    combined = Combined.objects.get(phase=alike)
    assert combined.board == {"awaited": 4}
    assert "4 runs were scored without them" in text(as_olga.get(DESK).content.decode())
    before = set(Result.objects.values_list("signature", flat=True))

    work_off()
    make_boards(alike)
    refresh_combined(str(alike.pk))
    combined.refresh_from_db()
    first, second = combined.board["entries"]
    assert first["lows"]["combined"] < first["headline"] < first["highs"]["combined"]
    assert first["rank"] == 1
    assert second["headline"] < first["headline"]
    assert set(Result.objects.values_list("signature", flat=True)) == before

    enter(alike, "Cleo", 0.1)
    make_boards(alike)
    refresh_combined(str(alike.pk))
    combined.refresh_from_db()
    assert len(combined.board["entries"]) == 3
    assert not Job.objects.filter(state__in=Job.ACTIVE).exists()


@pytest.mark.thorough
def test_the_last_step_of_the_history_is_what_the_board_says_of_its_first(babel):
    combined = make_combined(babel, formula="mean(*.score)")
    leader = combined.board["entries"][0]
    step = combined.board["history"]["steps"][-1]
    assert step["score"] == pytest.approx(leader["headline"], abs=1e-12)
    assert step["interval"] == pytest.approx([leader["lows"]["combined"], leader["highs"]["combined"]], abs=1e-12)


@pytest.mark.thorough
def test_what_is_missing_counts_as_nothing_in_the_history_too(babel):
    board = make_combined(babel, formula="mean(*.score)", missing="last").board
    assert [round(step["score"], 1) for step in board["history"]["steps"]] == [0.4, 0.7]
    assert all(step["interval"] for step in board["history"]["steps"])


def read_combined(client, run, number):
    """What the page of a run says of the combined score."""
    client.force_login(run.uploader)
    html = client.get(f"{run.get_absolute_url()}?scenario={number}").content.decode()
    return text(html.partition('id="position"')[2].partition("</dl>")[0].partition(">")[2])


@pytest.mark.thorough
def test_the_page_of_a_run_says_where_its_team_stands_by_the_combined_score(client, babel):
    make_combined(babel, formula="mean(*.score)")
    run = Submission.objects.get(team__name="Team Bo", scorings__scenario__number=2)
    words = read_combined(client, run, 2)
    assert "Combined score, which decides the task Place 2 of 2 0.6" in words
    assert "] · group b This run is a part of it. See the board" in words

    lower = upload(babel, run.team, 2, table(0.2, 2), extra=0.2)
    make_boards(babel)
    assert "is being computed again" in read_combined(client, lower, 2)
    refresh_combined(str(babel.pk))
    assert "This run is not a part of it." in read_combined(client, lower, 2)


@pytest.mark.thorough
def test_the_page_of_a_baseline_says_its_own_combined_score(as_olga, babel):
    house = upload(babel, make_team("House", make_user("House")), 2, table(0.4))
    set_reference(house, "baseline", by=None)
    make_boards(babel)
    make_combined(babel, formula="German.score")
    html = as_olga.get(house.get_absolute_url()).content.decode()
    assert "Combined score, which decides the task No place 0.4" in text(html)


@pytest.mark.thorough
def test_a_team_that_lacks_a_scenario_reads_so_on_the_page_of_its_run(client, babel):
    make_combined(babel, formula="mean(*.score)")
    run = Submission.objects.get(team__name="Team Cleo")
    assert "No place no run in German This run is a part of it." in read_combined(client, run, 1)


@pytest.mark.thorough
def test_the_page_of_a_run_is_silent_where_another_board_decides_or_the_board_is_hidden(client, babel):
    make_combined(babel, formula="mean(*.score)")
    run = Submission.objects.get(team__name="Team Ada", scorings__scenario__number=1)
    Phase.objects.update(board_audience=Phase.Audience.ORGANISERS)
    assert "Combined score" not in read_combined(client, run, 1)
    Phase.objects.update(board_audience=Phase.Audience.EVERYBODY, decided_by=babel.task.scenarios.get(number=1))
    assert "Combined score" not in read_combined(client, run, 1)


@pytest.mark.thorough
def test_a_former_run_without_the_resamples_that_a_formula_needs_is_a_step_without_interval(alike):
    make_run(alike, Team.objects.get(name="Team Ada"), {"run.csv": ratings(0.1, 3)})
    make_boards(alike)
    make_combined(alike, formula="mean(*.spearman)")
    work_off()  # the runs that count are scored once more, and Ada's first one is none of them
    make_boards(alike)
    refresh_combined(str(alike.pk))
    board = Combined.objects.get().board
    assert [step["interval"] is None for step in board["history"]["steps"]] == [True, False]
    assert board["entries"][0]["lows"]["combined"] < board["entries"][0]["headline"]


@pytest.mark.thorough
def test_a_step_whose_file_is_lost_keeps_its_score_and_has_no_interval(babel):
    upload(babel, Team.objects.get(name="Team Ada"), 2, table(0.9, 3), extra=0.9)
    make_boards(babel)
    former = Result.objects.filter(scoring__submission__team__name="Team Ada", scoring__scenario__number=2)
    evaluation = former.earliest("created").evaluation
    evaluation.storage.delete(evaluation.name)
    first, second = make_combined(babel, formula="mean(*.score)").board["history"]["steps"]
    assert (round(first["score"], 1), first["interval"], second["p"]) == (0.7, None, None)
    assert second["interval"]
