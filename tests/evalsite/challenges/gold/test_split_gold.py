"""A gold in two parts: how units are told apart, and what each part is for."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

import scoring
from evalsite.challenges.gold import parts
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Event, Gold, GoldSplit, Part, number_versions
from evalsite.leaderboard.making.editions import edition_of
from evalsite.leaderboard.models import BestRun
from evalsite.submissions.lifecycle.candidates import let_ranked_parts_decide, publish
from evalsite.submissions.models import Result, Scoring
from evalsite.submissions.runs.choosing import choose
from tests.factories import make_gold, make_phase, make_scenario, work_off
from tests.split_gold import (
    GOLD,
    ITEMS,
    after,
    end,
    golds,
    make_split_run,
    make_split_task,
    refreshed,
    split,
    table,
    units,
)
from tests.split_gold import wrong_in as run_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def phase(olga):
    return make_split_task(olga)[0]


@pytest.fixture
def scenario(phase):
    return phase.task.scenarios.get()


def shown_units(phase, scenario):
    return units(phase, scenario, Part.SHOWN)


def ranked_units(phase, scenario):
    return units(phase, scenario, Part.RANKED)


class TestDrafts:
    def test_a_share_follows_from_names_and_seed_and_not_from_the_order_of_the_file(self):
        one, other = parts.at_random(ITEMS, 40, 7), parts.at_random(ITEMS[::-1], 40, 7)
        assert len(one.shown) == 24
        assert {ITEMS[at] for at in one.shown} == {ITEMS[::-1][at] for at in other.shown}
        assert parts.at_random(ITEMS, 40, 8).shown != one.shown

    @pytest.mark.thorough
    def test_units_with_the_same_beginning_stay_together(self):
        names = [f"doc-{document}-s{sentence}" for document in range(10) for sentence in range(6)]
        draft = parts.at_random(names, 50, 3, separator="-")
        of_shown = {names[at].rpartition("-")[0] for at in draft.shown}
        assert len(draft.shown) == 30
        assert (draft.n_groups(Part.SHOWN), draft.n_groups(Part.RANKED)) == (5, 5)
        assert len(of_shown) == 5

    def test_a_list_is_told_by_its_lines_what_is_wrong_with_it(self):
        with pytest.raises(parts.CannotSplit) as refused:
            parts.by_list(ITEMS, "i01\n\nnobody\ni02\ni01\n")
        assert refused.value.messages == [
            "Line 3: no unit is called “nobody”. Units are called as “i00”.",
            "Line 5: “i01” is on line 1 already.",
        ]

    @pytest.mark.thorough
    def test_a_part_that_tells_nothing_is_refused(self):
        with pytest.raises(parts.CannotSplit, match="6 units are in the ranked part, which needs at least 20"):
            parts.at_random(ITEMS, 90, 1)
        with pytest.raises(parts.CannotSplit, match="0 units are in the shown part"):
            parts.by_list(ITEMS, "")


def test_both_parts_are_versions_of_one_gold_and_one_upload_is_scored_on_both(phase, scenario, team):
    found = golds(phase, scenario)
    assert (found.in_force.version, found.in_force.part, found.in_force.n_units) == (1, "shown", 30)
    assert (found.held.version, found.held.part, found.held.n_units) == (2, "ranked", 30)
    assert found.in_force.n_units_in_file == found.held.n_units_in_file == 60

    run = make_split_run(phase, team, run_with(ranked_units(phase, scenario), 15))

    scores = dict(run.scorings.values_list("gold__part", "result__headline"))
    assert scores == {"shown": 1.0, "ranked": 0.5}
    shown = Result.objects.get(scoring__gold=found.in_force)
    assert shown.n_units == 30
    assert sum(row["gold"] for row in shown.tables["labels"]) == 30
    assert scoring.Evaluation.load(shown.evaluation.path).units == shown_units(phase, scenario)


def test_the_ranked_part_decides_once_the_phase_is_over_and_its_results_are_out(phase, scenario, team, strangers):
    ours = make_split_run(phase, team, run_with(ranked_units(phase, scenario), 3))
    theirs = make_split_run(phase, strangers, run_with(shown_units(phase, scenario), 3))
    refreshed(phase)
    assert [entry["submission"] for entry in edition_of(phase, scenario).entries] == [str(ours.pk), str(theirs.pk)]
    let_ranked_parts_decide()
    publish(golds(phase, scenario).held, by=None)  # nor can anybody do it by hand
    assert gold_in_force(phase, scenario).part == Part.SHOWN

    end(phase)

    entries = edition_of(phase, scenario).entries
    assert gold_in_force(phase, scenario).part == Part.RANKED
    assert [(each["submission"], each["headline"], each["shown"]) for each in entries] == [
        (str(theirs.pk), 1.0, 0.9),
        (str(ours.pk), 0.9, 1.0),
    ]
    assert Event.objects.filter(kind="gold published").count() == 1


@pytest.mark.thorough
def test_it_decides_over_the_run_that_was_best_on_the_shown_part(phase, scenario, team):
    lucky = make_split_run(phase, team, run_with(shown_units(phase, scenario), 6))  # perfect where nobody could see
    best = make_split_run(phase, team, run_with(ranked_units(phase, scenario), 6))

    end(phase)

    [entry] = edition_of(phase, scenario).entries
    assert entry["submission"] == str(best.pk)
    assert BestRun.objects.get(gold=gold_in_force(phase, scenario)).n_runs == 2
    assert Result.objects.get(scoring__submission=lucky, scoring__gold__part="ranked").headline == 1.0


@pytest.mark.thorough
def test_of_two_chosen_runs_it_takes_the_better(phase, scenario, team, alice):
    phase.counts = phase.Counts.TWO
    phase.save()
    first = make_split_run(phase, team, run_with(ranked_units(phase, scenario), 3))
    second = make_split_run(phase, team, run_with(ranked_units(phase, scenario), 9, seed=1))
    make_split_run(phase, team, run_with(shown_units(phase, scenario), 9))  # the last one, and the best in the end
    choose(phase, scenario, team, first, second, by=alice)

    end(phase)

    [entry] = edition_of(phase, scenario).entries
    assert entry["submission"] == str(first.pk)


def test_a_phase_does_not_open_again_once_the_ranked_part_was_told(phase, scenario, team):
    make_split_run(phase, team, table(GOLD))
    end(phase)
    phase.refresh_from_db()
    phase.closes = timezone.now() + timedelta(days=1)
    with pytest.raises(ValidationError, match="Results on the ranked part of the gold have been shown"):
        phase.clean()


@pytest.mark.thorough
def test_a_mended_gold_keeps_the_split(phase, scenario, team):
    make_split_run(phase, team, table(GOLD))
    before = golds(phase, scenario)
    first, *_ = ranked_units(phase, scenario)
    mended = GOLD | {first: after(GOLD[first])}
    candidate = make_gold(phase, scenario, table(mended))
    assert (candidate.part, candidate.state, candidate.split) == ("shown", "candidate", before.in_force.split)
    work_off()

    publish(candidate, by=None)
    work_off()

    now = golds(phase, scenario)
    assert now.in_force == candidate
    assert now.held.version == candidate.version + 1
    assert Gold.objects.get(pk=before.held.pk).state == "discarded"
    results = Result.objects.filter(scoring__gold__in=[candidate, now.held])
    headlines = dict(results.values_list("scoring__gold__part", "headline"))
    assert headlines["shown"] == 1.0
    assert headlines["ranked"] == pytest.approx(29 / 30)
    # Of the shown part the draws are the same as before.
    assert len(set(Result.objects.filter(scoring__gold__part="shown").values_list("seed", flat=True))) == 1


def test_both_parts_of_a_version_have_one_number():
    assert number_versions([(1, "", "a"), (2, "", "b")]) == {1: 1, 2: 2}
    assert number_versions([(1, "shown", "a"), (2, "ranked", "a")]) == {1: 1, 2: 1}
    corrected = [(1, "shown", "a"), (2, "ranked", "a"), (3, "shown", "b"), (4, "ranked", "b")]
    assert number_versions(corrected) == {1: 1, 2: 1, 3: 2, 4: 2}
    after_the_end = [(1, "shown", "a"), (2, "ranked", "a"), (3, "ranked", "b"), (4, "ranked", "a")]
    assert number_versions(after_the_end) == {1: 1, 2: 1, 3: 2, 4: 3}
    candidate_between = [(1, "shown", "a"), (2, "", "b"), (3, "ranked", "a"), (4, "shown", "c")]
    assert number_versions(candidate_between) == {1: 1, 2: 2, 3: 1, 4: 3}


@pytest.mark.thorough
def test_other_units_are_refused(phase, scenario):
    with pytest.raises(scoring.GoldError, match="“new” is not in both"):
        make_gold(phase, scenario, table(GOLD | {"new": "joy"}))


def test_what_cannot_be_split_says_why(phase, scenario, team, olga):
    whole = make_phase(phase.task, "dev")
    gold = make_gold(whole, scenario, table(GOLD))
    assert parts.why_not(gold) == ""
    assert "split already" in parts.why_not(gold_in_force(phase, scenario))
    make_split_run(whole, team, table(GOLD))
    assert "Runs were scored on the whole gold" in parts.why_not(gold)
    with pytest.raises(parts.CannotSplit):
        split(gold)
    soft = make_scenario(phase.task, 2, family="labels", options={"task": "soft"})
    assert parts.why_not(Gold(phase=whole, scenario=soft, version=1)) != ""


@pytest.mark.thorough
def test_parts_are_put_together_again_until_a_run_comes(phase, scenario, team):
    gold = gold_in_force(phase, scenario)
    assert parts.join_parts(gold, by=None)
    gold = Gold.objects.get()
    assert (gold.part, gold.n_units, gold.n_units_in_file, gold.split) == ("", 60, 60, None)
    assert not GoldSplit.objects.exists()

    split(gold)
    make_split_run(phase, team, table(GOLD))

    assert not parts.join_parts(gold_in_force(phase, scenario), by=None)
    assert Scoring.objects.filter(gold__part="ranked").exists()
