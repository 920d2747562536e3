"""Places on the ranked page: ranges, groups with their brackets, differences, whom each row beats, and who has none."""

import re

import numpy as np
import pytest

from evalsite.challenges.models import Phase
from evalsite.wording import exact
from scoring.comparing.places import comparable, packed
from scoring.comparing.sentence import sentence_on
from tests.evalsite.board_pages.pages import cells, headings, page, rows, text
from tests.evalsite.leaderboard.boards import make_board, make_entry, make_teams
from tests.evalsite.leaderboard.compared import compare
from tests.factories import make_team


def ranked(phase, scenario, scores, references=(), **options):
    """Teams A, B, C, … with these scores; `references` are (score, kind)."""
    teams = make_teams(phase, *(f"Team {chr(ord('A') + number)}" for number in range(len(scores))))
    entries = [make_entry(team, score, 1) for team, score in zip(teams, scores, strict=True)]
    entries += [make_entry(teams[0], score, reference=kind, method=f"A {kind}") for score, kind in references]
    entries.sort(key=lambda entry: -(entry["headline"] or 0))
    edition = make_board(phase, scenario, entries)
    compare(edition, scenario, **options)
    return edition


def css(html: str) -> list[set[str]]:
    return [set(re.search(r'class="([^"]*)"', row)[1].split()) for row in rows(html)]


def signs(html: str) -> list[str]:
    return re.findall(r'data-signs="([^"]*)"', html)


def test_the_finding_stands_first_and_above_the_table(client, phase, scenario):
    ranked(phase, scenario, [0.8, 0.799, 0.5])

    html = page(client)

    assert (
        "Shared first: Team A (0.800) and Team B (0.799). 120 sentences cannot tell them apart; "
        "Team A is better than Team C."
    ) in text(html)
    assert "<strong>Shared first: <bdi>Team A</bdi> (0.800) and <bdi>Team B</bdi> (0.799).</strong>" in html
    assert html.index('class="finding"') < html.index("board-tabs") < html.index("<table")


def test_teams_that_cannot_be_told_apart_share_their_range_and_their_letter(client, phase, scenario):
    ranked(phase, scenario, [0.8, 0.799, 0.5])

    html = page(client)

    assert cells(html, "place") == ["1–2", "1–2", "3"]
    assert cells(html, "group") == ["a", "a", "b"]
    assert 'title="By its score alone: 2"' in html
    assert "Cannot be told apart from Team A" in html


def test_a_bracket_goes_round_the_rows_of_a_group_and_past_a_reference_between_them(client, phase, scenario):
    ranked(phase, scenario, [0.8, 0.798, 0.5], [(0.799, "baseline"), (0.4, "human")])

    opening, passing, closing, alone, outside = css(page(client))

    assert {"in-group", "opens"} <= opening
    assert "closes" not in opening
    assert "passes" in passing
    assert {"in-group", "closes"} <= closing
    assert {"in-group", "opens", "closes"} <= alone
    assert not {"in-group", "passes"} & outside


def test_the_difference_to_the_leader_has_its_interval_and_two_digits(client, phase, scenario):
    edition = ranked(phase, scenario, [0.8, 0.7])

    html = page(client)

    assert re.fullmatch(r"−0\.10 \[−0\.1\d, −0\.0\d\d\]", cells(html, "difference further")[1])
    assert cells(html, "difference further")[0] == ""
    assert 'title="−0.1 [' in html
    Phase.objects.update(gold_released=True)
    assert f'title="{exact(edition.entries[1]["difference_to_leader"])} [' in page(client)


def test_a_row_holds_a_sign_against_each_other_row_of_the_page(client, phase, scenario):
    ranked(phase, scenario, [0.8, 0.799, 0.5], [(0.6, "baseline"), (0.4, "human")])

    assert signs(page(client)) == [
        ".=+++",
        "=.+++",
        "--.+.",  # the baseline, which is not compared with the human run
        "---.+",
        "--.-.",
    ]


def test_the_signs_follow_the_rows_that_are_shown(client, phase, scenario):
    ranked(phase, scenario, [0.8, 0.799, 0.5])

    assert signs(page(client, "?sort=-place")) == [".--", "+.=", "+=."]
    assert signs(page(client, "?q=team+c")) == ["."]


def test_a_sentence_for_the_whole_board_can_be_made_from_the_places(client, phase, scenario):
    ranked(phase, scenario, [0.8, 0.799, 0.5])

    html = page(client)

    assert 'data-teams="3"' in html
    assert re.findall(r'data-places="([^"]*)"', html) == ["1 2", "1 2", "3 3"]


def test_a_board_that_was_not_compared_has_neither_groups_nor_signs(client, phase, scenario):
    first, second = make_teams(phase, "First", "Second")
    make_board(phase, scenario, [make_entry(first, 0.7, 1), make_entry(second, 0.6, 2)])

    html = page(client)

    assert "Group" not in headings(html)
    assert "To the leader" not in headings(html)
    assert signs(html) == []
    assert "p-value" not in html


def test_runs_that_are_the_same_are_said_to_be(client, phase, scenario):
    ranked(phase, scenario, [0.6, 0.6, 0.6], twins=((0, 1),))

    first, second, third = rows(page(client))

    assert "identical to" not in first + third
    assert "identical to Team A" in text(second)


def test_a_run_that_is_the_baseline_is_said_to_be(client, phase, scenario):
    ranked(phase, scenario, [0.6], [(0.6, "baseline")], twins=((0, 1),))

    assert "identical to A baseline" in text(rows(page(client))[0])


def test_an_anonymous_board_has_names_nowhere_even_in_what_scripts_read(client, phase, scenario):
    ranked(phase, scenario, [0.6, 0.6, 0.5], twins=((0, 1),))
    Phase.objects.update(is_anonymous=True)

    html = page(client)

    assert "Team A" not in html
    assert 'data-name="Team 1"' in html
    assert "identical to Team 1" in text(html)
    assert "Team 3" in text(html)


def test_the_own_team_reads_its_range(as_alice, phase, scenario, alice):
    edition = ranked(phase, scenario, [0.8, 0.799, 0.5])
    team = phase.task.participations.get(team__pk=edition.entries[1]["team"]).team
    team.memberships.create(user=alice)

    assert "Your team, Team B, is in places 1–2 ." in text(page(as_alice))


@pytest.mark.parametrize(
    ("scores", "n_units", "words"),
    [
        ([0.6], 120, "Team A (0.600) is the only system so far."),
        ([0.6, 0.3], 12, "Highest score: Team A (0.600). 12 sentences are too few to tell systems apart."),
        (
            [0.6, 0.599, 0.598],
            120,
            "Shared first: Team A (0.600), Team B (0.599) and Team C (0.598). 120 sentences cannot tell them apart.",
        ),
        ([0.6, 0.3], 120, "First: Team A (0.600), better than Team B."),
    ],
)
def test_the_finding_of_a_small_board(client, phase, scenario, scores, n_units, words):
    edition = ranked(phase, scenario, scores)
    for entry in edition.entries:
        entry["n_units"] = n_units
    compare(edition, scenario)

    assert words in text(page(client))


def test_a_name_in_another_direction_does_not_turn_the_sentence_round(client, phase, scenario):
    teams = [make_team("צוות"), make_team("Plain")]
    for number, team in enumerate(teams, start=1):
        phase.task.participations.create(team=team, number=number)
    compare(make_board(phase, scenario, [make_entry(team, 0.5, 1) for team in teams]), scenario)

    html = page(client)
    assert "<bdi>צוות</bdi> (0.500) and <bdi>Plain</bdi> (0.500)." in html
    assert "\N{FIRST STRONG ISOLATE}" not in html


def test_names_in_the_finding_are_escaped(client, phase, scenario):
    team = make_team("<script>alert(1)</script>")
    phase.task.participations.create(team=team, number=1)
    compare(make_board(phase, scenario, [make_entry(team, 0.5, 1)]), scenario)

    html = page(client)
    assert "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi> (0.500) is the only system so far." in html
    assert "<script>alert" not in html


@pytest.mark.parametrize(
    "better",
    [
        "A>B A>C A>D",
        "A>B A>C",
        "A>C A>D B>D",
        "A>D",
        "B>C B>D",
        "B>C A>D",
        "",
    ],
)
def test_the_site_says_in_english_what_the_engine_says(client, phase, scenario, better):
    scores = [0.8, 0.7, 0.6, 0.5]
    edition = ranked(phase, scenario, scores)
    separated = np.zeros((4, 4), dtype=bool)
    for first, second in (pair.split(">") for pair in better.split()):
        separated["ABCD".index(first), "ABCD".index(second)] = True
    edition.comparison["separated"] = packed(separated)
    edition.save()

    names = [f"Team {letter}" for letter in "ABCD"]
    said = sentence_on(names, scores, separated, 120, ("sentence", "sentences"), are_too_few=False)
    assert said in text(page(client))


def test_entries_that_could_not_be_compared_have_a_highest_score_and_no_first(client, phase, scenario):
    teams = make_teams(phase, "Team A", "Team B")
    make_board(phase, scenario, [make_entry(teams[0], 0.8, 1), make_entry(teams[1], 0.7, 2)])

    words = text(page(client))
    assert "Highest score: Team A (0.800)." in words
    assert "First:" not in words


def draws(*undefined, n_resamples=100):
    """Return draws of entries that are undefined on so many resamples, each on others."""
    found, start = np.zeros((len(undefined), n_resamples)), 0
    for own, number in zip(found, undefined, strict=True):
        own[start : start + number] = np.nan
        start += number
    return found


def fits(*undefined, references=()):
    return comparable(draws(*undefined), [place in references for place in range(len(undefined))]).tolist()


def test_a_few_undefined_resamples_are_no_reason():
    assert fits(0, 4, 6) == [True, True, True]


def test_one_run_that_is_often_undefined_goes_without_a_place():
    assert fits(0, 40, 6) == [True, False, True]


def test_of_several_those_with_the_most_go_first():
    assert fits(5, 9, 8, 4) == [True, False, False, True]


def test_references_are_no_reason_to_leave_anybody_out():
    assert fits(0, 40, 3, references={1}) == [True, True, True]


def test_a_lone_run_may_be_without_a_place():
    assert fits(100) == [False]
