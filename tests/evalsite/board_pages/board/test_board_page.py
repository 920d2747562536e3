"""The ranked page: what it shows, to whom, in which order, and at what cost."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.db.models import F
from django.utils import timezone

from evalsite.accounts.names import cleaned
from evalsite.challenges.models import Participation, Phase
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from tests.evalsite.board_pages.pages import PATH, cells, names, page, rows, text
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.factories import make_gold, make_phase, make_run, make_scenario, make_task, run_files


@pytest.fixture
def ranked(phase, scenario, team, strangers):
    """Four teams, two of them equal, a baseline and a human run."""
    for number, each in enumerate((team, strangers), start=1):
        Participation.objects.create(task=phase.task, team=each, number=number)
    third, fourth, organisers = make_teams(phase, "Third", "Fourth", "Organisers")
    return make_board(
        phase,
        scenario,
        [
            make_entry(organisers, 0.9, reference="human", method="Two annotators"),
            make_entry(team, 0.6394812, 1, n_runs=7, method="BiLSTM"),
            make_entry(strangers, 0.62, 2, method="Ünïcode rules"),
            make_entry(third, 0.62, 2, n_runs=3),
            make_entry(organisers, 0.5, reference="baseline", method="Dictionary"),
            make_entry(fourth, 0.41, 4),
        ],
    )


# What it shows


def test_a_scored_run_reaches_the_page(client, phase, scenario, scored_submission, team):
    refresh(Board.objects.get())

    html = page(client)

    assert names(html) == [team.name]
    headline = f"{scored_submission.scorings.get().result.headline:.3f}"
    assert cells(html, "headline")[0].startswith(headline)


def test_equal_teams_share_a_place_and_references_have_none(client, ranked):
    html = page(client)

    assert names(html) == ["Two annotators", "Alice and Bob", "Charlie's team", "Third", "Dictionary", "Fourth"]
    assert cells(html, "place") == ["", "1", "2", "2", "", "4"]
    assert ["is-reference" in row for row in rows(html)] == [True, False, False, False, True, False]


def test_the_headline_stands_with_its_interval_and_four_decimals(client, ranked):
    row = rows(page(client))[1]

    assert "<b>0.639</b>" in row
    assert '<span class="interval">[0.609, 0.659]</span>' in row
    assert 'title="0.6394 [0.609, 0.659]"' in row
    Phase.objects.update(gold_released=True)
    assert "0.6394812 [" in rows(page(client))[1]


def test_further_scores_have_three_decimals_or_a_dash(client, ranked):
    row = rows(page(client))[1]

    assert 'data-label="Precision"><span title="0.5">0.500</span>' in row
    assert 'data-label="Recall">–' in row
    assert re.search(r'data-label="Runs"><a [^>]*><span class="number">7</span>', row)
    assert "9 Dec 2026" in row


def test_the_words_say_what_is_ranked_and_how_the_intervals_were_made(client, ranked):
    words = text(page(client))

    assert "4 teams, each with the best of its runs, ranked by F1" in words
    assert "95 % bootstrap intervals over 120 sentences, 10,000 resamples" in words
    assert "Whether two of them overlap is not a test of which team is better" in words
    assert "12 runs in all" in words
    assert "Made 9 Dec 2026, 12:00 UTC" in words


def test_the_axis_carries_a_line_for_the_best_reference_of_each_kind(client, ranked):
    ranked.entries.append(ranked.entries[4] | {"headline": 0.2, "method": "Weaker"})
    ranked.save()

    html = page(client)

    assert "baseline 0.500" in html
    assert "human 0.900" in html
    assert "baseline 0.200" not in html
    assert html.count('<use href="#axis-lines"/>') == 7
    assert html.count('class="whisker"') == 7


def test_a_score_without_an_interval_has_a_dot_alone_and_says_so(client, phase, scenario):
    perfect, other = make_teams(phase, "Perfect", "Other")
    without = {"lows": {}, "highs": {}}
    make_board(phase, scenario, [make_entry(perfect, 1.0, 1, **without), make_entry(other, 0.5, 2, **without)])

    html = page(client)

    assert cells(html, "headline") == ["1.000 (no interval)", "0.500 (no interval)"]
    assert "All 120 sentences agree; with 95 % confidence fewer than 2.5 % of such sentences would not." in html
    assert html.count('class="dot"') == 2
    assert 'class="whisker"' not in html


def test_one_sentence_alone_is_called_so(client, phase, scenario):
    (team,) = make_teams(phase, "Only")
    make_board(phase, scenario, [make_entry(team, 0.5, 1, n_units=1, lows={}, highs={})])

    html = page(client)

    assert cells(html, "headline") == ["0.500 (one sentence)"]
    assert "bootstrap intervals" not in html


def test_few_sentences_are_said_to_be_few(client, phase, scenario):
    (team,) = make_teams(phase, "Only")
    make_board(phase, scenario, [make_entry(team, 0.5, 1, n_units=20, interval_method="bca")])

    assert "over 20 sentences, 10,000 resamples (few sentences: bias-corrected)" in text(page(client))


def test_a_score_that_is_not_defined_stands_last_without_a_place(client, phase, scenario):
    first, last = make_teams(phase, "First", "Undefined")
    make_board(phase, scenario, [make_entry(first, 0.5, 1), make_entry(last, None)])

    html = page(client)

    assert cells(html, "place") == ["1", ""]
    assert cells(html, "headline")[1] == "–"
    assert html.count('class="dot"') == 1


def test_a_stale_board_says_that_a_result_is_on_its_way(client, ranked):
    assert "being added" not in page(client)
    Board.objects.update(wanted=F("wanted") + 1)
    assert "A new result is being added" in page(client)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "No results yet"),
        ({"opens": timezone.now() + timedelta(hours=1)}, "Not open yet"),
        ({"closes": timezone.now() - timedelta(hours=1)}, "No run was scored in this phase"),
    ],
)
def test_an_empty_board_says_what_will_be_here(client, phase, fields, words):
    Phase.objects.update(**fields)

    html = page(client)

    assert words in html
    assert "<table" not in html


def test_the_boards_of_other_phases_and_scenarios_are_linked(client, phase, task, scenario):
    second = make_scenario(task, 2)
    make_gold(phase, second)
    development = make_phase(task, "dev", name="Development")
    make_gold(development, second)
    make_phase(task, "later", name="Without gold")

    html = page(client)

    assert 'href="/tasks/health/test/board/2/">2: Scenario 2</a>' in html
    assert 'href="/tasks/health/dev/board/2/">Development</a>' in html
    assert f'href="{PATH}" aria-current="page">1: Scenario 1</a>' in html
    assert "Without gold" not in html


# Sorting, searching, pages


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("team", ["Alice and Bob", "Charlie's team", "Dictionary", "Fourth", "Third", "Two annotators"]),
        ("f1", ["Fourth", "Dictionary", "Charlie's team", "Third", "Alice and Bob", "Two annotators"]),
        ("place", ["Alice and Bob", "Charlie's team", "Third", "Fourth", "Two annotators", "Dictionary"]),
        ("-place", ["Fourth", "Charlie's team", "Third", "Alice and Bob", "Two annotators", "Dictionary"]),
        ("-runs", ["Alice and Bob", "Third", "Two annotators", "Charlie's team", "Dictionary", "Fourth"]),
    ],
)
def test_rows_sort_by_any_column_and_those_without_a_value_stay_last(client, ranked, sort, expected):
    html = page(client, f"?sort={sort}")

    assert names(html) == expected
    assert html.count("aria-sort=") == 1


def test_sorting_by_a_score_shows_the_best_first(client, ranked):
    assert 'href="?sort=-f1"' in page(client)
    assert 'href="?sort=f1"' in page(client, "?sort=-f1")
    assert 'href="?sort=team"' in page(client)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("charlie", ["Charlie's team"]),
        ("UNICODE", ["Charlie's team"]),
        ("rules third", ["Third"]),
        ("baseline", ["Dictionary"]),
        ("  ", ["Two annotators", "Alice and Bob", "Charlie's team", "Third", "Dictionary", "Fourth"]),
    ],
)
def test_search_finds_all_words_in_team_method_or_kind_without_accents(client, ranked, query, expected):
    assert names(page(client, f"?q={query}")) == expected


def test_a_search_keeps_places_and_the_axis_and_says_how_many_it_found(client, ranked):
    html = page(client, "?q=fourth")

    assert cells(html, "place") == ["4"]
    assert "human 0.900" in html
    assert "1 of 6 entries match" in text(html)


def test_a_search_that_finds_nothing_says_so(client, ranked):
    html = page(client, "?q=%3Cb%3Enobody")

    assert "0 of 6 entries match" in text(html)
    assert "&lt;b&gt;nobody" in html
    assert "<b>nobody" not in html


@pytest.mark.thorough
def test_many_rows_come_in_pages_of_a_hundred_and_sorting_goes_across_them(client, many):
    assert len(rows(page(client))) == 100
    assert len(rows(page(client, "?page=3"))) == 50
    assert names(page(client, "?sort=-place"))[0] == "Team 249"
    assert names(page(client, "?sort=-place&page=3"))[-1] == "Team 0"
    assert "sort=-place" in re.search(r'rel="next" href="([^"]*)"', page(client, "?sort=-place"))[1]
    assert "page" not in re.search(r'href="([^"]*sort=team[^"]*)"', page(client, "?page=2"))[1]


@pytest.fixture
def many(phase, scenario):
    teams = make_teams(phase, *(f"Team {number}" for number in range(250)))
    entries = [make_entry(team, 0.9 - number / 1000, number + 1) for number, team in enumerate(teams)]
    return make_board(phase, scenario, entries)


@pytest.mark.parametrize(
    "query",
    ["sort=", "sort=-", "sort=--f1", "sort=nonsense", "sort=chart", "sort=f1,-team", "sort=f1&sort=-place"]
    + ["page=0", "page=-1", "page=999", "page=x", "per_page=0", "per_page=-5", "q=" + 5000 * "x"],
)
def test_hostile_queries_are_harmless(client, ranked, query):
    page(client, f"?{query}")


# Who sees what


@pytest.mark.parametrize(
    "path",
    ["/tasks/health/test/board/2/", "/tasks/health/nope/board/1/", "/tasks/nope/test/board/1/"],
)
def test_a_board_that_cannot_be_is_not_found(client, ranked, path):
    assert client.get(path).status_code == 404


def test_a_scenario_without_gold_in_the_phase_has_no_board(client, phase, task):
    make_scenario(task, 2)
    assert client.get("/tasks/health/test/board/2/").status_code == 404


AUDIENCES = {
    "everybody": {"stranger": 200, "charlie": 200, "alice": 200, "olga": 200},
    "participants": {"stranger": 403, "newcomer": 403, "alice": 200, "olga": 200},
    "organisers": {"stranger": 403, "alice": 403, "olga": 200},
}


@pytest.mark.parametrize(
    ("audience", "who", "status"),
    [(audience, who, status) for audience, found in AUDIENCES.items() for who, status in found.items()],
)
def test_a_board_is_shown_to_its_audience(
    client, ranked, alice, charlie, olga, django_user_model, audience, who, status
):
    Phase.objects.update(board_audience=audience)
    newcomer = django_user_model.objects.create_user("newcomer@example.org", name="Newcomer")
    people = {"alice": alice, "charlie": charlie, "olga": olga, "newcomer": newcomer}
    if who in people:
        client.force_login(people[who])

    response = client.get(PATH)

    assert response.status_code == status
    assert ("0.639" in response.content.decode()) == (status == 200)
    assert ("Alice and Bob" in response.content.decode()) == (status == 200)


@pytest.mark.parametrize("audience", ["organisers", "participants"])
def test_a_hidden_board_says_when_it_will_be_shown_and_then_is(client, ranked, audience):
    Phase.objects.update(board_audience=audience, results_released=timezone.now() + timedelta(days=1))
    html = client.get(PATH).content.decode()
    assert "This board is not shown yet." in html
    assert "That is set for" in html
    assert ("The participants of the task can see it now" in html) == (audience == "participants")

    Phase.objects.update(results_released=timezone.now())
    assert "Alice and Bob" in page(client)


def test_other_hidden_boards_are_not_linked(client, ranked, task, scenario):
    hidden = make_phase(task, "secret", name="Secret", board_audience="organisers")
    make_gold(hidden, scenario)

    assert "/tasks/health/secret/board/1/" not in page(client)


@pytest.mark.parametrize("who", ["stranger", "charlie", "alice"])
def test_an_anonymous_board_names_nobody_and_no_method(client, ranked, alice, charlie, who):
    Phase.objects.update(is_anonymous=True)
    if who != "stranger":
        client.force_login({"alice": alice, "charlie": charlie}[who])

    html = page(client)

    assert names(html) == ["Two annotators", "Team 1", "Team 2", "Team 3", "Dictionary", "Team 4"]
    for name in ("Alice and Bob", "Charlie's", "Third", "Fourth"):
        assert name not in unescape(html)
    assert ("BiLSTM" in html) == (who == "alice")
    assert ("Ünïcode rules" in html) == (who == "charlie")
    for entry in ranked.entries:
        assert entry["team"] not in html


def test_an_anonymous_board_cannot_be_searched_or_sorted_by_what_it_hides(client, ranked):
    Phase.objects.update(is_anonymous=True)

    assert "0 of 6 entries match" in text(page(client, "?q=alice"))
    assert "0 of 6 entries match" in text(page(client, "?q=bilstm"))
    assert names(page(client, "?sort=team")) == ["Dictionary", "Team 1", "Team 2", "Team 3", "Team 4", "Two annotators"]


def test_organisers_see_the_names_of_an_anonymous_board_and_are_told_so(as_olga, ranked):
    Phase.objects.update(is_anonymous=True)

    html = page(as_olga)

    assert "Alice and Bob" in html
    assert "because you organise this task" in html


def test_members_find_their_own_row_and_what_lies_behind_it(as_bob, ranked):
    html = page(as_bob)

    own = [row for row in rows(html) if "is-own" in row]
    assert len(own) == 1
    assert "your team" in own[0]
    assert f"/submissions/{ranked.entries[1]['submission']}/" in own[0]
    assert "/tasks/health/submissions/" in own[0]
    assert "Your team, Alice and Bob, is in place 1" in text(html)
    assert html.count('"/submissions/') == 1


def test_others_find_no_way_to_runs_that_are_not_theirs(client, ranked):
    assert '"/submissions/' not in page(client)


def test_organisers_can_open_every_run(as_olga, ranked):
    html = page(as_olga)

    assert all(f"/submissions/{entry['submission']}/" in html for entry in ranked.entries)


# Hostile names


@pytest.mark.parametrize(
    "name",
    [
        '<script>alert("x")</script>',
        '"><img src=x onerror=alert(1)>',
        "{{ 7|add:7 }}{% debug %}{0}",
        "' onmouseover='alert(1)",
        "\N{RIGHT-TO-LEFT OVERRIDE}gnihton",
        '=HYPERLINK("http://x")',
    ],
)
def test_hostile_names_are_shown_as_they_are_and_do_nothing(client, phase, scenario, name):
    (team,) = make_teams(phase, name)
    make_board(
        phase,
        scenario,
        [make_entry(team, 0.5, 1, method=name), make_entry(team, 0.4, reference="baseline", method=name)],
    )

    html = page(client)

    assert names(html) == [
        cleaned(name),
        name,
    ]  # a team's is cleaned when it is stored, and that of an entry when it came
    inside = html.partition("<tbody")[2].partition("</tbody>")[0]
    assert not re.search(r"<(script|img)", inside)
    assert not re.search(r"<[^>]*\son\w+\s*=", re.sub(r'"[^"]*"', "", inside))
    assert inside.count("<bdi>") == inside.count("</bdi>") == 3


def test_the_page_keeps_the_strict_policy(client, ranked):
    html = page(client)

    assert "style=" not in html
    assert "<style" not in html
    assert not re.search(r"<script(?![^>]*\ssrc=)", html)
    assert not re.search(r"\son[a-z]+=", html)


# Cost


@pytest.mark.parametrize("n_teams", [3, 300])
@pytest.mark.parametrize(("who", "n_queries"), [("stranger", 11), ("member", 15), ("organiser", 15)])
def test_the_page_costs_as_many_queries_for_three_teams_as_for_three_hundred(
    client, phase, scenario, team, alice, olga, django_assert_num_queries, n_teams, who, n_queries
):
    teams = make_teams(phase, *(f"Team {number}" for number in range(n_teams - 1)))
    Participation.objects.create(task=phase.task, team=team, number=n_teams + 1)
    entries = [make_entry(each, 0.9 - number / 1000, number + 1) for number, each in enumerate([*teams, team])]
    make_board(phase, scenario, entries)
    if who != "stranger":
        client.force_login({"member": alice, "organiser": olga}[who])

    with django_assert_num_queries(n_queries):
        page(client, "?sort=team&q=a")


def test_a_task_with_many_scenarios_and_phases_costs_no_more_queries(client, task, django_assert_max_num_queries):
    other = make_task("large")
    scenarios = [make_scenario(other, number) for number in (1, 2, 3)]
    for slug in ("test", "dev"):
        phase = make_phase(other, slug)
        for each in scenarios:
            make_gold(phase, each, run_files(scenarios=(each.number,)))

    with django_assert_max_num_queries(13):  # five of them ask what the page shows, and until when
        client.get("/tasks/large/test/board/3/")


# Papers and code


@pytest.fixture
def linked(phase, scenario, team):
    """A board of a run that has a link."""
    run = make_run(phase, team, run_files(), link="https://example.org/code")
    refresh(Board.objects.get())
    return run


@pytest.mark.parametrize("ended", [{"closes": timezone.now()}, {"results_released": timezone.now()}])
def test_once_a_phase_has_ended_its_board_leads_to_papers_and_code(client, linked, ended):
    assert "example.org" not in page(client)
    Phase.objects.update(**ended)
    assert 'href="https://example.org/code" rel="nofollow noopener ugc"' in page(client)


def test_a_link_never_names_who_is_not_named(client, linked):
    Phase.objects.update(is_anonymous=True, closes=timezone.now())
    assert "example.org" not in page(client)
