"""Tests which pairs are compared while the gold is hidden: so few that what they tell grows with uploads alone."""

import re
from html import unescape

import pytest
from django.utils import timezone

from evalsite.challenges.models import Gold, Phase
from evalsite.comparisons.compare_two.pairs import MOST_A_DAY
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, ComparisonCount, Predecessor
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.changing import restore, withdraw
from evalsite.submissions.runs.choosing import choose
from tests.evalsite.board_pages.pages import text
from tests.evalsite.comparisons.test_compare_two import N_SENTENCES, PATH, found
from tests.factories import make_gold, make_submission, scored

pytestmark = pytest.mark.django_db
REFUSED = "While the gold is hidden, these two cannot be compared."


@pytest.fixture
def upload(phase, scenario, team, alice):
    make_gold(phase, scenario, found(*range(N_SENTENCES)))

    def uploaded(method, sentences, by=alice, of=team):
        return scored(make_submission(phase, of, by, found(*sentences), method=method))

    return uploaded


@pytest.fixture
def runs(upload, strangers, charlie):
    """Alice's team has four runs, of which the second is the best; charlie's has one that is better than all."""
    made = {
        "first": upload("First", range(20)),
        "best": upload("Best", range(30)),
        "third": upload("Third", range(12, 36)),
        "fourth": upload("Fourth", range(25)),
        "leader": upload("Leader", range(38), charlie, strangers),
    }
    refresh(Board.objects.get())
    return made


@pytest.fixture
def page(as_alice, runs):
    """The page of two runs as alice, or somebody else, sees it, with its status: by name, the leader by its team."""

    def shown(*names, by=as_alice):
        keys = [str(runs[name].team_id if name == "leader" else runs[name].pk) for name in names]
        answer = by.get(PATH, dict(zip("ab", keys, strict=False)))
        return answer.status_code, unescape(answer.content.decode())

    return shown


def before(run) -> str | None:
    found = Predecessor.objects.get(run=run).before
    return found.method if found else None


# Which run it is


def test_a_run_is_compared_with_the_best_one_before_it_where_the_best_counts(runs):
    assert [before(runs[name]) for name in ("first", "best", "third", "fourth", "leader")] == [
        *(None, "First", "Best", "Best"),
        None,
    ]


@pytest.mark.thorough
def test_it_is_the_last_or_the_chosen_one_where_that_counts(upload, phase, scenario, team, alice):
    Phase.objects.update(counts=Phase.Counts.LAST)
    first, second, third = (upload(name, range(n)) for name, n in (("A", 30), ("B", 20), ("C", 10)))
    assert [before(run) for run in (first, second, third)] == [None, "A", "B"]
    Phase.objects.update(counts=Phase.Counts.CHOSEN)
    phase.refresh_from_db()
    choose(phase, scenario, team, first, by=alice)
    assert before(upload("D", range(5))) == "A"


@pytest.mark.thorough
def test_it_stays_whatever_is_withdrawn_chosen_or_scored_again(upload, phase, scenario, team, alice):
    upload("A", range(30))
    run = upload("B", range(20))
    withdraw(Submission.objects.filter(method="A"), by=None)
    upload("C", range(38))
    restore(Submission.objects.filter(method="A"), by=None)
    gold = make_gold(phase, scenario, found(*range(N_SENTENCES - 1)))
    for each in Submission.objects.all():
        scored(each)
    Gold.objects.filter(pk=gold.pk).update(state="published")
    assert before(run) == "A"


# What is told


def test_other_pairs_of_the_own_team_are_refused_with_the_reason_and_the_pair_that_opens(page):
    assert page("third", "best")[0] == page("best", "third")[0] == 200
    status, html = page("third", "fourth")
    assert status == 403
    assert REFUSED in text(html)
    assert "Compare Third with Best" in text(html)
    assert "First minus second" not in html
    assert not re.search(r"[+−]0\.\d", text(html.partition("<main")[2]))


@pytest.mark.thorough
def test_a_run_without_a_predecessor_says_so_where_the_board_is_hidden(page, upload):
    Phase.objects.update(board_audience="organisers")
    Predecessor.objects.update(before=None)
    assert "there is nothing that this run can be compared with" in text(page("first")[1])


@pytest.mark.thorough
def test_the_list_beside_a_run_offers_what_it_is_compared_with(page):
    offered = page("third")[1].partition('id="choose-b"')[2].partition("</select>")[0]
    methods = [name for name in ("First", "Best", "Third", "Fourth", "Leader") if name in offered]
    assert methods == ["Best", "Third", "Leader"]


@pytest.mark.thorough
def test_entries_are_tested_by_the_score_that_ranks_and_in_two_digits(page):
    html = page("best", "leader")[1]
    rows = re.findall(r'<tr role="row"(?: class="is-headline")?>\s*<th scope="row".*?</tr>', html, re.DOTALL)
    with_interval = [row for row in rows if re.search(r">\[[+−]", row)]
    assert len(with_interval) == 1
    assert "ranks" in with_interval[0]
    assert re.search(r"<b>−0\.12</b>\s*<br>\s*<span[^>]*>\[−0\.\d\d, −0\.0\d{1,2}\]", with_interval[0])
    assert "told apart" in with_interval[0]


@pytest.mark.thorough
def test_a_run_that_is_no_entry_is_told_the_difference_to_others_and_no_test(page):
    said = text(page("third", "leader")[1])
    assert "has the better score, by 0.22; whether that is due to chance was not tested." in said
    assert not re.search(r"[+−]0\.\d+ \[", said)
    assert "told apart" not in said


@pytest.mark.parametrize("pair", [("third", "best"), ("best", "leader"), ("third", "leader")])
def test_nothing_is_told_of_single_sentences(page, pair):
    html = page(*pair)[1]
    assert not re.search("is ahead in|same counts|As a table|Where they differ most", html)


def test_organisers_and_open_gold_see_every_pair(as_olga, page, runs):
    Phase.objects.update(gold_released=True)
    assert "is ahead in" in page("third", "fourth")[1]
    Phase.objects.update(gold_released=False)
    assert "is ahead in" in page("third", "fourth", by=as_olga)[1]
    assert not ComparisonCount.objects.exists()


# How many


def test_a_team_compares_so_many_pairs_a_day_and_each_again(page, runs, team, phase):
    assert [page("third", "best")[0] for _ in range(3)] == [200] * 3
    count = ComparisonCount.objects.get(team=team, phase=phase, day=timezone.now().date())
    assert count.n == 1
    page("best", "leader")  # both entries, which everybody may compare
    page("third", "leader")
    ComparisonCount.objects.update(n=MOST_A_DAY)
    status, html = page("fourth", "best")
    assert status == 429
    assert f"has compared {MOST_A_DAY} pairs with its own runs today" in text(html)
    assert page("third", "best")[0] == page("best", "leader")[0] == 200
    assert ComparisonCount.objects.get().n == MOST_A_DAY


@pytest.mark.thorough
def test_the_desk_says_how_many_a_team_has_compared(as_olga, page):
    page("third", "best")
    page("third", "leader")
    assert "2 comparisons of its own runs" in text(as_olga.get("/tasks/health/organise/teams/").content.decode())
