"""Two runs beside each other: the numbers, and how closely whom one may look at."""

import re
from html import unescape

import numpy as np
import pytest

import scoring as engine
from evalsite.challenges.models import Phase
from evalsite.challenges.precision import FULL
from evalsite.comparisons.compare_two.differences import compare_results, label_tables
from evalsite.comparisons.compare_two.page import Better, DifferenceRow, Differences
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, Edition
from evalsite.submissions.models import Result, Submission
from scoring.labels import NOT_IN_GOLD
from scoring.scale import Scale
from scoring.significance import percentile_interval
from tests.evalsite.board_pages.pages import text
from tests.evalsite.families import make_annotated, make_answered
from tests.evalsite.leaderboard.boards import number_in_order
from tests.factories import make_gold, make_phase, make_run, make_scenario, make_task, run_files

PATH = "/tasks/health/test/board/1/compare/"
N_SENTENCES = 40


def found(*sentences: int) -> dict[str, str]:
    """A run over forty sentences of one word that finds the words of these."""
    phrases = "".join(f"{k + 1}\t{6 * k} {6 * k + 5}\tConcept\tdolor\n" for k in sentences)
    return run_files(phrases, "", sentences="dolor\n" * N_SENTENCES)


def run(phase, team, sentences, method="Rules", **fields):
    files = found(*sentences)
    return make_run(phase, team, files, method=method, **fields)


@pytest.fixture
def runs(phase, scenario, team, strangers):
    """Alice's team has a good and a middling run, charlie's team a weak one."""
    make_gold(phase, scenario, found(*range(N_SENTENCES)))
    made = {
        "good": run(phase, team, range(38), "Good rules"),
        "middling": run(phase, team, range(4, 34), "Older rules"),
        "weak": run(phase, strangers, range(8), "Charlie's secret method"),
    }
    refresh(Board.objects.get())
    return made


def page(client, a="", b="", status=200) -> str:
    response = client.get(PATH, {"a": a, "b": b})
    assert response.status_code == status
    return unescape(response.content.decode())


def result_of(submission) -> Result:
    return Result.objects.get(scoring__submission=submission)


# The numbers


def test_the_headline_differs_as_the_engine_says(runs):
    one, other = result_of(runs["good"]), result_of(runs["weak"])
    compared = compare_results(one, other)
    evaluations = {name: engine.Evaluation.load(each.evaluation.path) for name, each in (("a", one), ("b", other))}
    pair = engine.compare(evaluations, n_resamples=one.n_resamples).pair("a", "b")

    assert compared.headline.name == "f1"
    assert compared.headline.value == pytest.approx(pair.difference)
    assert compared.headline.interval == pytest.approx((pair.low, pair.high))
    assert compared.headline.p == pytest.approx(pair.p_adjusted)
    assert compared.headline.is_separated(0.95)


@pytest.mark.thorough
def test_every_score_is_drawn_on_the_same_resamples(runs):
    compared = compare_results(result_of(runs["good"]), result_of(runs["middling"]))
    by_name = {each.name: each for each in compared.differences}
    recall = by_name["recall"]
    assert recall.value == pytest.approx(8 / 40)
    assert recall.interval[0] < 8 / 40 < recall.interval[1]
    assert recall.n_resamples == result_of(runs["good"]).n_resamples


@pytest.mark.thorough
def test_a_score_that_never_differs_has_neither_interval_nor_a_small_p(runs):
    compared = compare_results(result_of(runs["good"]), result_of(runs["middling"]))
    precision = next(each for each in compared.differences if each.name == "precision")

    assert (precision.value, precision.interval, precision.p) == (0, None, 1)


@pytest.mark.thorough
def test_the_difference_turns_round_with_the_order(runs):
    one, other = result_of(runs["good"]), result_of(runs["weak"])
    there, back = compare_results(one, other).headline, compare_results(other, one).headline

    assert there.value == -back.value
    assert there.interval == pytest.approx((-back.interval[1], -back.interval[0]))
    assert there.p == back.p


@pytest.mark.thorough
def test_two_sentences_are_too_few_for_p_values(phase, scenario, team, scored_submission):
    other = make_run(phase, team, run_files())
    compared = compare_results(result_of(scored_submission), result_of(other))

    assert compared.are_too_few
    assert all(each.p is None for each in compared.differences)


@pytest.mark.thorough
def test_of_texts_the_page_says_why_sacrebleu_prints_half_of_its_p(client, olga, team, strangers, runs):
    task = make_task("translation", olga)
    scenario, phase = make_scenario(task, family="text", options={"metrics": "chrf"}), make_phase(task)
    lines = [f"the cat number {k} sat on the mat near the old door\n" for k in range(24)]
    make_gold(phase, scenario, {"gold.txt": "".join(lines)})
    for number, own in enumerate((team, strangers), start=2):
        changed = (line.replace("cat", "dog") if k % number else line for k, line in enumerate(lines))
        make_run(phase, own, {"run.txt": "".join(changed)})
    refresh(Board.objects.get(phase=phase))
    note = "sacreBLEU's --paired-bs prints about half of this p"
    response = client.get(f"/tasks/translation/{phase.slug}/board/1/compare/")
    assert note in text(response.content.decode())
    assert note not in text(page(client))


def test_labels_stand_beside_each_other_and_none_of_one_side_is_lost(runs, phase, team):
    odd = make_run(phase, team, run_files("1\t0 5\tAction\tdolor\n", "", sentences="dolor\n" * 40))
    (table,) = label_tables(result_of(runs["good"]), result_of(odd), FULL)
    rows = {
        row.label: dict(zip((column.key for column in table.columns), row.values, strict=True)) for row in table.rows
    }

    assert set(rows) == {"Concept", NOT_IN_GOLD}
    assert rows["Concept"]["recall"][:3] == (pytest.approx(0.95), 0, pytest.approx(0.95))
    assert rows[NOT_IN_GOLD]["recall"][2] is None


def test_rows_are_called_what_they_are(runs, olga, team):
    (table,) = label_tables(result_of(runs["good"]), result_of(runs["weak"]), FULL)
    assert table.names.heading == "label"
    task = make_task("messages", olga)
    scenario = make_scenario(task, family="labels", options={"slices": "source"})
    lines = [f"{k},{'yes' if k % 3 else 'no'},{'web' if k % 2 else 'mail'}" for k in range(24)]
    phase = make_phase(task)
    make_gold(phase, scenario, {"gold.csv": "\n".join(["id,label,source", *lines])})
    answers = [line.rpartition(",")[0] for line in lines]
    result = result_of(make_run(phase, team, {"run.csv": "\n".join(["id,label", *answers])}))
    names = {table.name: table.names.heading for table in label_tables(result, result, FULL)}
    assert names == {"labels": "label", "slices": "slice"}


@pytest.mark.parametrize(
    ("interval", "p", "is_named"),
    [((-0.391, -0.068), 0.088, True), ((-0.391, -0.068), 0.01, False), ((-0.3, 0.1), 0.2, False), (None, None, False)],
)
def test_an_interval_beside_0_that_the_test_does_not_believe_is_named(interval, p, is_named):
    scale = Scale()
    difference = engine.ScoreDifference("slice_min", "Worst slice", (0.5, 0.666), (None, None), -0.166, interval, p)
    row = DifferenceRow(difference, None, str(p), difference.is_separated(0.95), False, "Worst slice", scale, scale)
    differences = Differences("", "", None, 0, Better.RIGHT, [row], [])
    assert differences.open_beyond_zero == ("Worst slice" if is_named else "")


@pytest.mark.parametrize("make", [make_answered, make_annotated])
def test_runs_of_every_family_can_be_compared(make, client, olga, team, alice):
    first = make(olga, team, alice)
    Phase.objects.filter(pk=first.phase_id).update(total_limit=None)
    result = Result.objects.get(scoring__submission=first)
    compared = compare_results(result, result)

    assert compared.are_identical
    assert compared.headline.value == 0
    assert not {each.name for each in compared.differences} & set(
        result.scoring.scenario.engine_family.scores.without_interval
    )
    assert isinstance(label_tables(result, result, FULL), list)


@pytest.mark.thorough
def test_the_numbers_of_a_pair_are_made_once(client, runs, monkeypatch):
    first = page(client)
    monkeypatch.setattr("evalsite.comparisons.views.compare.compare_results", None)
    assert page(client) == first


# What it says


@pytest.mark.thorough
def test_the_sentence_names_the_better_one_with_the_difference(client, runs):
    html = text(page(client))

    assert "With 40 sentences, Alice and Bob is better than Charlie's team, by +0.64 [+" in html
    assert "All pairs" in html
    assert "Tested together" not in html  # a single pair needs no correction


@pytest.mark.thorough
def test_the_order_of_the_address_is_kept_and_the_better_one_named_first(client, runs):
    edition = Edition.objects.get()
    teams = [entry["team"] for entry in edition.entries]
    html = page(client, *reversed(teams))

    assert "<bdi>Alice and Bob</bdi> is better than <bdi>Charlie's team</bdi>, by +0.64 [+" in html
    assert re.search(r'title="−0\.64"><b>−0\.64</b>', html)


@pytest.mark.thorough
def test_own_runs_are_called_by_their_methods(as_alice, runs):
    html = text(page(as_alice, runs["good"].pk, runs["middling"].pk))

    assert "Good rules is better than Older rules" in html


@pytest.mark.thorough
def test_one_and_the_same_run_is_not_compared(as_alice, runs):
    assert "This is the same run twice" in page(as_alice, runs["good"].pk, runs["good"].pk)


@pytest.mark.thorough
def test_runs_without_stored_numbers_are_said_to_be_gone(client, runs, alice):
    result = result_of(runs["weak"])
    result.evaluation.storage.delete(result.evaluation.name)
    assert "can no longer be read" in page(client)


@pytest.mark.thorough
def test_a_lonely_run_has_nobody_to_be_compared_with(client, scored_submission):
    refresh(Board.objects.get())
    assert "Nothing to compare yet" in page(client)


# Who sees what

LABELS, UNITS, SCATTER = "Entity labels", "Where they differ most", "Sentence by sentence"


def behind(html: str) -> set[str]:
    return {words for words in (LABELS, UNITS, SCATTER) if words in html}


@pytest.mark.parametrize(
    ("who", "pair", "gold_released", "expected"),
    [
        ("stranger", ("good", "weak"), False, set()),
        ("stranger", ("good", "weak"), True, {SCATTER}),
        ("alice", ("good", "weak"), False, set()),
        ("alice", ("good", "weak"), True, {SCATTER}),
        ("alice", ("good", "middling"), False, {LABELS}),
        ("alice", ("good", "middling"), True, {LABELS, SCATTER, UNITS}),
        ("olga", ("good", "weak"), False, {LABELS, SCATTER, UNITS}),
    ],
)
def test_what_lies_behind_the_scores(client, request, runs, who, pair, gold_released, expected):
    Phase.objects.update(gold_released=gold_released)
    if who == "stranger":
        html = page(client)
    else:
        client.force_login(request.getfixturevalue(who))
        keys = [str(runs[name].pk) for name in pair]
        if who == "alice" and "weak" in pair:
            keys[1] = Edition.objects.get().entries[1]["team"]
        html = page(client, *keys)

    assert behind(html) == expected


def test_a_run_of_another_team_is_not_found_by_its_key(as_charlie, runs, alice):
    page(as_charlie, runs["middling"].pk, status=404)
    page(as_charlie, runs["good"].pk, status=404)
    as_charlie.logout()
    page(as_charlie, runs["weak"].pk, status=404)


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["x", "00000000-0000-0000-0000-000000000000", "9" * 5000])
def test_a_key_that_names_nothing_is_not_found(client, runs, key):
    page(client, key, status=404)


def test_an_anonymous_board_gives_no_name_method_or_key_away(as_charlie, runs):
    Phase.objects.update(is_anonymous=True)
    number_in_order(Phase.objects.get())

    html = page(as_charlie)

    assert "Team 1 is better than Team 2" in text(html)
    own = runs["weak"]
    hidden = ["Alice", "Good rules", "Older rules", str(runs["good"].pk), str(runs["good"].team_id)]
    assert [words for words in hidden if words in html] == []
    assert own.method in html


def test_an_own_run_stays_out_of_sight_while_the_phase_hides_scores(as_alice, runs):
    Phase.objects.update(shows_scores=False)

    html = page(as_alice, str(runs["middling"].pk), status=403)

    assert "Older rules" not in html
    assert behind(html) == set()


@pytest.mark.thorough
def test_own_runs_can_be_compared_while_the_board_is_hidden(client, as_alice, as_charlie, runs):
    Phase.objects.update(board_audience="organisers")
    page(client, status=403)
    html = page(as_alice)
    assert "Good rules is better than Older rules" in text(html)
    assert "Charlie" not in html
    assert "Nothing to compare yet" in page(as_charlie)


@pytest.mark.thorough
def test_a_withdrawn_run_is_not_compared(as_alice, runs):
    Submission.objects.filter(pk=runs["middling"].pk).update(withdrawn="2026-11-21T00:00Z")
    assert "has no score here on the gold that ranks" in page(as_alice, runs["middling"].pk)


@pytest.mark.thorough
def test_a_run_leads_to_its_comparison(as_alice, runs):
    run = runs["middling"]
    html = as_alice.get(run.get_absolute_url()).content.decode()
    assert f'href="{PATH}?a={run.pk}"' in html
    assert "Older rules" in text(page(as_alice, run.pk))


@pytest.mark.parametrize(("who", "most"), [("stranger", 9), ("alice", 17)])
def test_the_page_costs_a_bounded_number_of_queries(client, request, runs, django_assert_max_num_queries, who, most):
    if who != "stranger":
        client.force_login(request.getfixturevalue(who))
    with django_assert_max_num_queries(most):
        page(client)


@pytest.mark.thorough
def test_an_interval_of_a_pair_is_that_of_its_differences(runs):
    one, other = (engine.Evaluation.load(result_of(runs[name]).evaluation.path) for name in ("good", "middling"))
    compared = compare_results(result_of(runs["good"]), result_of(runs["middling"]))
    assert compared.headline.interval == pytest.approx(percentile_interval(np.subtract(one.draws, other.draws), 0.95))
