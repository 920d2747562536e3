"""A task has one board that decides it: the combined score, unless the organisers have named a scenario."""

from evalsite.challenges.models import Event
from evalsite.leaderboard.models import Combined
from evalsite.submissions.runs.changing import set_reference
from tests.desk_parts import PartsPage
from tests.evalsite.board_pages.pages import page, text
from tests.evalsite.leaderboard.test_combined import BOARD, PATH, babel, make_boards, make_combined, table, upload  # noqa: F401
from tests.factories import make_team, make_user

DESK = "/tasks/babel/organise/phases/test/"
COMBINED = "The combined score decides the task."


def decide_by(user, scenario):
    decided_by = str(scenario.pk) if scenario else ""
    assert PartsPage(user, DESK).save("decides", decided_by=decided_by).status_code == 302


def tabs(client, path):
    return [title for title, _address, _is_here in client.get(path).context["tabs"]["Scenario"]]


def test_the_combined_score_leads_wherever_the_task_is_told(client, babel):  # noqa: F811
    make_combined(babel, formula="German.score")
    for path in ("/", "/tasks/babel/", BOARD, PATH, f"{PATH}1/"):
        words = text(client.get(path).content.decode())
        assert COMBINED in words, path
    for path in ("/", "/tasks/babel/", BOARD):
        words = text(client.get(path).content.decode())
        assert "First: Team Bo (0.7" in words, path  # in English it is Team Cleo
        assert "First: Team Cleo" not in words
    assert tabs(client, BOARD) == ["Combined score", "1: English", "2: German", "All side by side"]
    assert client.get("/api/v1/tasks/babel/test").json()["decided_by"] == "combined"


def test_without_a_combined_score_the_first_scenario_decides(client, babel):  # noqa: F811
    assert "Scenario 1, English, decides the task." in text(page(client, path=PATH))
    assert client.get("/api/v1/tasks/babel/test").json()["decided_by"] == 1


def test_organisers_name_the_scenario_that_decides(olga, client, babel):  # noqa: F811
    make_combined(babel, formula="German.score")
    german = babel.task.scenarios.get(number=2)
    decide_by(olga, german)
    assert Event.objects.filter(kind="phase changed").get().detail["changed"] == {"decided_by": ["", str(german)]}
    words = text(page(client, path="/tasks/babel/"))
    assert "Scenario 2, German, decides the task." in words
    assert "First: Team Bo" in words
    assert tabs(client, BOARD) == ["2: German", "Combined score", "1: English", "All side by side"]
    decide_by(olga, None)
    assert COMBINED in text(page(client, path="/tasks/babel/"))


def test_a_scenario_that_is_deleted_decides_no_more(babel):  # noqa: F811
    babel.decided_by = babel.task.scenarios.create(number=3, name="Dutch", family="given")
    babel.save()
    babel.decided_by.delete()
    babel.refresh_from_db()
    assert babel.decided_by is None


def test_while_the_combined_score_is_made_no_scenario_stands_in_for_it(client, babel):  # noqa: F811
    Combined.objects.create(phase=babel, formula="German.score")
    words = text(page(client, path="/tasks/babel/"))
    assert "There are runs; the combined score is still being computed." in words
    assert "Team Cleo" not in words


def test_the_sentence_counts_items_in_scenarios(client, babel):  # noqa: F811
    dora = make_team("Team Dora", make_user("Dora"))
    for number in (1, 2):
        upload(babel, dora, number, table(0.7, 4))
    make_boards(babel)
    make_combined(babel, formula="mean(*.score)")
    assert "81 units in 2 scenarios cannot tell them apart" in text(page(client, path=BOARD))


def test_the_combined_board_has_whiskers_groups_and_pairs_as_any_other(client, babel):  # noqa: F811
    make_combined(babel, formula="mean(*.score)")
    answer = client.get(BOARD)
    html = answer.content.decode()
    assert html.count('class="whisker"') == 2
    assert [row.group for row in answer.context["rows"]] == ["a", "b", ""]
    assert "no run in German" in text(html)
    pairs = text(page(client, path=f"{BOARD}pairs/"))
    assert "The two can be told apart." in pairs
    assert client.get(f"{BOARD}compare/").status_code == 404


def test_the_runs_that_an_entry_is_made_of_open_below_it(client, babel):  # noqa: F811
    make_combined(babel, formula="mean(*.score)")
    ada = next(row for row in client.get(BOARD).context["rows"] if row.name == "Team Ada")
    words = text(page(client, path=f"{BOARD}?team={ada.key}"))
    assert "What the combined score of Team Ada is made of English, score 0.8" in words
    assert "German, score 0.6" in words


def test_a_baseline_has_an_interval_and_one_without_says_why(client, babel):  # noqa: F811
    house = upload(babel, make_team("House", make_user("House")), 2, table(0.4))
    set_reference(house, "baseline", by=None)
    same = "unit,score\n" + "".join(f"u{k},0.5\n" for k in range(40))
    flat = upload(babel, make_team("Flat", make_user("Flat")), 2, same)
    make_boards(babel)
    combined = make_combined(babel, formula="German.score")
    entries = {entry["submission"]: entry for entry in combined.board["entries"]}
    assert entries[str(house.pk)]["lows"]["combined"] < 0.4
    assert entries[str(flat.pk)]["no_interval"] == "all resamples agree"
    html = page(client, path=BOARD)
    assert "(no interval)" in html
    assert "The same on all resamples, which cannot tell how far the score could move." in html
