"""Gold and two runs on one page: what differs, in which order one goes through it, and who may."""

import re
from html import unescape

import pytest

from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.results.three_way.comparing import three_way
from evalsite.results.three_way.outcomes import RIGHT, Annotation, Layer, Outcome, of_pairs
from tests.evalsite import families
from tests.factories import make_gold, make_run, run_files

TEXT = "dolor agudo"
GOLD = Annotation("Concept", "dolor", ((0, 5),))


def outcome(kind=RIGHT, gold=GOLD, system=GOLD, key="gold"):
    return Outcome(key, kind, kind, gold, system, system)


def section(first, second):
    [found] = three_way([Layer("Phrases", TEXT, first)], [Layer("Phrases", TEXT, second)])
    return found


def test_what_both_runs_have_right_is_no_difference_and_is_marked_faintly():
    found = section([outcome()], [outcome()])
    assert (found.rows, found.n_same, found.passages) == ([], 1, [])


def test_a_thing_that_one_run_lacks_is_the_other_s_merit():
    found = section([outcome()], [outcome("missing", system=None)])
    assert [row.ahead for row in found.rows] == ["first"]
    assert (found.n_first, found.n_second, found.n_same) == (1, 0, 0)


@pytest.mark.thorough
def test_two_ways_to_be_wrong_are_a_difference_and_nobody_s_merit():
    wide, narrow = Annotation("Concept", "dolor agudo", ((0, 11),)), Annotation("Concept", "dol", ((0, 3),))
    found = section([outcome("spanclash", system=wide)], [outcome("spanclash", system=narrow)])
    assert [row.ahead for row in found.rows] == [""]


@pytest.mark.thorough
def test_what_only_one_run_has_invented_counts_against_it():
    invented = outcome("spurious", gold=None, system=Annotation("Action", "agudo", ((6, 11),)), key="new")
    found = section([outcome(), invented], [outcome()])
    assert [(row.gold, row.ahead) for row in found.rows] == [(None, "second")]
    [passage] = found.passages
    marked = {side: [mark.row for piece in pieces for mark in piece.marks] for side, pieces in passage.sides}
    assert marked == {"gold": [0], "first": [0, 1], "second": [0]}


@pytest.mark.thorough
def test_of_a_span_with_several_rows_the_best_one_counts():
    def pair(kind, gold, system):
        row = {"type": kind}
        for prefix, span in (("ref", gold), ("hyp", system)):
            label, start, end = span or (None, None, None)
            row |= {f"{prefix}label": label, f"{prefix}start": start, f"{prefix}end": end, f"{prefix}content": "x"}
        return row

    gold, near, far = ("A", 0, 5), ("A", 0, 3), ("B", 2, 9)
    kinds = ["match", "spanclash", "bothclash"]
    found = of_pairs(
        [pair("bothclash", gold, far), pair("spanclash", gold, near)], kinds, dict(zip(kinds, kinds, strict=True))
    )
    # The far one has no better row, and so one of its own.
    assert [(each.kind, each.key[0][0]) for each in found] == [("bothclash", "system"), ("spanclash", "gold")]


# Pages


PATH = "/tasks/health/test/board/1/compare/"
pytestmark = pytest.mark.django_db


@pytest.fixture
def runs(phase, scenario, team, strangers):
    """Three sentences of one phrase; alice's runs find the first two and the last two, charlie's finds none."""
    lines = [f"{k + 1}\t{6 * k} {6 * k + 5}\tConcept\tdolor\n" for k in range(3)]

    def files(*found):
        return run_files("".join(lines[k] for k in found), "", sentences="dolor\n" * 3)

    make_gold(phase, scenario, files(0, 1, 2))
    made = {
        "first": make_run(phase, team, files(0, 1), method="First"),
        "second": make_run(phase, team, files(2), method="Second"),
        "other": make_run(phase, strangers, files(0, 2), method="Other"),
    }
    refresh(Board.objects.get())
    return made


def get(client, user, address: str, one, other, query: str = "", status: int = 200) -> str:
    if user:
        client.force_login(user)
    response = client.get(f"{PATH}{address}?a={one.pk}&b={other.pk}{query}")
    assert response.status_code == status
    return unescape(response.content.decode())


def release():
    Phase.objects.update(gold_released=True)


@pytest.mark.thorough
def test_units_follow_each_other_by_the_largest_change_or_by_name(client, alice, runs):
    release()
    page = get(client, alice, "units/sentence 2/", runs["first"], runs["second"])
    assert "Right in the first alone: 1; in the second" in re.sub(r"\s+", " ", page)
    assert re.findall(r'rel="(?:prev|next)" href="[^"]*units/sentence%20(\d)/', page) == ["1", "3"] * 2
    assert "+1.000" in page


@pytest.mark.thorough
def test_a_point_of_the_scatter_leads_to_its_units(client, alice, runs):
    release()
    page = get(client, alice, "", runs["first"], runs["second"])
    assert re.search(r'<a href="[^"]*/units/sentence%203/\?a=[^"]*">1</a>', page)
    [address] = set(re.findall(r'href="([^"]*at=1\.00,0\.00)"', page))
    listed = unescape(client.get(address).content.decode())
    assert re.findall(r"<bdi>(sentence \d)</bdi>", listed) == ["sentence 1", "sentence 2"]
    assert "at=1.00%2C0.00" in listed or "at=1.00,0.00" in listed


@pytest.mark.thorough
def test_the_units_that_differ_most_are_listed_with_their_text_and_lead_to_both_runs(client, alice, runs):
    release()
    page = get(client, alice, "", runs["first"], runs["second"])
    table = page[page.index("Where they differ most") :]
    assert re.search(r'compare/units/sentence%201/\?a=[^"]*"><bdi>sentence 1</bdi></a>\s+<span[^>]*>dolor', table)


def test_while_gold_is_hidden_no_unit_of_two_runs_is_shown_but_to_organisers(client, alice, olga, runs):
    for address in ("units/", "units/sentence 1/"):
        get(client, alice, address, runs["first"], runs["second"], status=404)
        get(client, olga, address, runs["first"], runs["second"])
    client.logout()
    assert "/units/" not in get(client, alice, "", runs["first"], runs["second"])


@pytest.mark.thorough
@pytest.mark.parametrize("address", ["units/", "units/sentence 1/"])
def test_a_run_of_another_team_is_not_shown_beside_one_s_own(client, alice, charlie, runs, address):
    release()
    get(client, alice, address, runs["first"], runs["other"], status=404)
    get(client, charlie, address, runs["first"], runs["second"], status=404)
    client.logout()
    get(client, None, address, runs["first"], runs["second"], status=404)


@pytest.mark.thorough
@pytest.mark.parametrize("query", ["", "?a=x&b=y"])
def test_without_two_runs_there_is_nothing_to_show(as_alice, runs, query):
    release()
    assert as_alice.get(f"{PATH}units/{query}").status_code == 404


@pytest.mark.thorough
def test_a_unit_that_is_not_there_is_not_found(client, alice, runs):
    release()
    get(client, alice, "units/sentence 9/", runs["first"], runs["second"], status=404)


NAMES = {
    "qac": "QAC1-1001-01",
    "mat": "one.json",
    "coreference": "the trial",
    "spacy": "d1",
    "ranking": "q1",
    "numbers": "n4",
}
MAKERS = {
    "numbers": (families.make_judged, {"run.csv": families.NOTICES}),
    "qac": (families.make_answered, {"run.txt": 'QAC1-1001-01: "Tsu", 990101001\n'}),
    "mat": (families.make_annotated, families.GOLD_DOCUMENTS),
    "coreference": (families.make_chained, {"run.conll": families.columns(families.GOLD_CHAINS)}),
    "spacy": (families.make_parsed, {"run.jsonl": families.lines(families.GOLD_SENTENCES)}),
    "ranking": (families.make_ranked, {"run.txt": "q1 Q0 d1 1 2 ours\nq1 Q0 d2 2 1.5 ours\nq1 Q0 d3 3 1 ours\n"}),
}


@pytest.mark.parametrize("family", MAKERS)
def test_every_family_shows_gold_and_two_runs(as_alice, olga, team, alice, family):
    make, better = MAKERS[family]
    run = make(olga, team, alice, gold_released=True)
    other = make_run(run.phase, team, better, method="Better")
    refresh(Board.objects.get())
    board = f"/tasks/{run.phase.task.slug}/{run.phase.slug}/board/1/compare/units/"
    answer = as_alice.get(f"{board}{NAMES[family]}/?a={run.pk}&b={other.pk}")
    page = re.sub(r"\s+", " ", unescape(answer.content.decode()))
    assert answer.status_code == 200
    found = re.search(
        r"They differ in (\d+) and agree in (\d+)\. Right in the first alone: (\d+); .*?alone: (\d+)\.", page
    )
    different, _, of_first, of_second = map(int, found.groups())
    # The second run is the gold, or finds one answer more: all that differs speaks for it.
    assert different >= of_second > 0 == of_first


def test_the_page_costs_as_many_queries_whatever_the_number_of_units(
    as_alice, alice, runs, django_assert_max_num_queries
):
    release()
    with django_assert_max_num_queries(24):
        get(as_alice, alice, "units/sentence 1/", runs["first"], runs["second"])
