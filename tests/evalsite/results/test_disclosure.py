"""Tests how exactly a visitor is told what a result says."""

import re

import numpy as np
import pytest
from django.urls import reverse

from evalsite.challenges.access import Role
from evalsite.challenges.models import Phase
from evalsite.challenges.precision import FULL, KEPT, Precision, precision_for
from evalsite.results.disclosure import FEW, without_few, without_small
from evalsite.submissions.models import Result
from scoring.signature import parsed
from tests.evalsite.families import make_annotated, make_answered, make_parsed
from tests.factories import make_gold, make_phase, make_run, make_scenario, make_task, run_files

pytestmark = pytest.mark.django_db

ROUNDED = Precision(is_full=False, headline="f1", tell_much=frozenset({"auc"}))
LONG = re.compile(r"(?<!\d)\d\.\d{5,}")  # and no time of day


def test_floats_have_four_decimals_wherever_they_stand_and_all_else_stays():
    value = {"f1": 2 / 3, "n": 3, "is": True, "none": None, "list": [1 / 3, "0.123456789"], "pair": (1 / 7, None)}
    told = {"f1": 0.6667, "n": 3, "is": True, "none": None, "list": [0.3333, "0.123456789"], "pair": (0.1429, None)}
    assert ROUNDED.of(value) == told
    assert FULL.of(value) is value


def test_what_tells_much_has_two_decimals():
    assert ROUNDED.of([{"auc": 0.98765, "f": 0.98765}]) == [{"auc": 0.99, "f": 0.9877}]
    assert ROUNDED.of((0.98765, 0.12345), "auc") == (0.99, 0.12)


@pytest.mark.parametrize(("full", "decimals"), [(1, 3), (100, 1)])
def test_what_a_page_shows_of_a_told_score_is_what_it_shows_organisers(full, decimals):
    scores = [full * value for value in (*np.random.default_rng(1).random(5_000), 0.62149, 0.63496, 0.99996, 0.5, 1.0)]
    assert [f"{ROUNDED.of(score):.{decimals}f}" for score in scores] == [f"{score:.{decimals}f}" for score in scores]


def test_sums_of_shares_are_whole_and_small_shares_are_not_none():
    assert ROUNDED.counts({"tp": 3, "sum": 72.51234}) == {"tp": 3, "sum": 73}
    assert (ROUNDED.share(0.00001), ROUNDED.share(0), ROUNDED.share(None)) == (0.0001, 0, None)


def test_a_digest_is_told_with_a_key_and_alike_in_digest_and_signature(settings):
    digest, signature = "ab" * 32, "family:qac|gold:abababababab|engine:1.0.0|resamples:9|seed:77"
    told = ROUNDED.digest(digest)
    fields = parsed(ROUNDED.signature(signature))

    assert told != digest
    assert fields["gold"] == told[:12]
    assert fields["seed"] == KEPT
    assert fields["engine"] == "1.0.0"
    settings.SECRET_KEY = "another"
    assert ROUNDED.digest(digest) != told
    assert FULL.signature(signature) == signature


def test_equal_gold_has_one_digest_in_a_phase_and_another_one_in_each_other_phase(phase, scenario):
    digest = "ab" * 32
    second = make_scenario(phase.task, 2)
    other = make_phase(make_task("guesses"))
    told, alike, elsewhere = (
        precision_for(Role.PARTICIPANT, *each).digest(digest)
        for each in ((phase, scenario), (phase, second), (other, make_scenario(other.task)))
    )
    assert told == alike
    assert elsewhere[:12] != told[:12]


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        ((0.60834, 0.67213), (0.608, 0.672)),
        ((0.12345, 0.87654), (0.12, 0.88)),
        ((0.912345, 0.912399), (0.9123, 0.9124)),
        ((0.5, 0.5), (0.5, 0.5)),
        ([12.3456, 14.5678], [12.3, 14.6]),
        (None, None),
    ],
)
def test_ends_of_an_interval_have_two_digits_of_half_its_width(ends, told):
    assert ROUNDED.interval(ends) == told
    assert FULL.interval(ends) is ends


def test_warnings_about_hidden_scores_are_kept_back():
    precision = Precision(is_full=False, shown=frozenset({"f1"}), hidden=frozenset({"mcc"}))
    warnings = ["f1: no interval", "mcc: no interval", "one row is missing"]
    assert precision.warnings(warnings) == ["f1: no interval", "one row is missing"]
    assert FULL.warnings(warnings) == warnings


@pytest.mark.parametrize(("released", "role", "is_full"), [(0, 0, 0), (0, 1, 0), (0, 2, 1), (1, 0, 1)])
def test_full_precision_is_for_organisers_and_where_the_gold_is_open(phase, scenario, released, role, is_full):
    phase.gold_released = bool(released)
    assert precision_for(Role(role), phase, scenario).is_full == bool(is_full)


@pytest.mark.parametrize("make", [make_answered, make_annotated, make_parsed])
def test_no_page_and_no_file_of_a_run_has_more_decimals_while_the_gold_is_hidden(
    as_alice, as_olga, olga, team, alice, make
):
    made = make(olga, team, alice)
    exports = made.scorings.get().scenario.engine_family.table_notes.exports
    addresses = [
        made.get_absolute_url(),
        reverse("submissions", args=[made.phase.task.slug]),
        reverse("submission_scores", args=[made.pk, 1]),
        *(reverse("submission_export", args=[made.pk, 1, each.name]) for each in exports if not each.tells_gold),
        *(reverse("board_export", args=[made.phase.task.slug, made.phase.slug, 1, end]) for end in ("csv", "json")),
    ]
    drawings = re.compile(r"<svg.*?</svg>", re.DOTALL)
    for address in addresses:
        answer = as_alice.get(address)
        if answer.status_code == 200:
            assert not LONG.search(drawings.sub("", answer.content.decode())), address
    assert LONG.search(as_olga.get(addresses[2]).content.decode())


def test_cells_and_rows_of_a_few_items_are_one():
    cells = {
        ("A", "A"): 50,
        ("A", "B"): 9,
        ("A", None): 3,
        ("B", "B"): 10,
        ("C", "C"): 9,
        (None, "A"): 12,
        (None, "C"): 1,
    }
    records = [{"gold": own, "system": other, "exact": n - 1, "partial": 1} for (own, other), n in cells.items()]
    told = {(each["gold"], each["system"]): each["count"] for each in without_few(records, "gold", "system")}
    assert told == {
        ("A", "A"): 50,
        ("A", FEW): 12,
        ("B", "B"): 10,
        (FEW, FEW): 9,
        (None, "A"): 12,
        (None, FEW): 1,
    }


@pytest.mark.parametrize("make", [make_annotated, make_parsed])
def test_older_results_that_list_every_label_show_no_table_by_label(as_alice, olga, team, alice, make):
    made = make(olga, team, alice)
    Result.objects.update(is_folded=False)
    answer = as_alice.get(made.get_absolute_url())
    assert answer.status_code == 200
    assert '<span class="name">PER</span>' not in answer.content.decode()
    assert as_alice.get(reverse("submission_export", args=[made.pk, 1, "bytag.csv"])).status_code == 404
    Phase.objects.update(gold_released=True)
    assert '<span class="name">PER</span>' in as_alice.get(made.get_absolute_url()).content.decode()


def test_labels_of_a_phrase_of_ones_own_are_one_row_of_the_page(as_alice, phase, scenario, team):
    make_gold(phase, scenario)
    phrases = "1\t4 8;9 22\tZ1\tx\n2\t27 31\tZ2\tx\n3\t32 36\tReference\tx\n"
    made = make_run(phase, team, run_files(phrases, ""))
    found = as_alice.get(made.get_absolute_url()).content.decode()
    assert '<span class="name">(not in the gold)</span>' in found
    assert '<span class="name">Z1</span>' not in found
    assert "2 labels of the run are not in the gold" in found


def test_groups_of_few_items_tell_nothing_and_others_two_digits():
    rows = [
        {"slice": "a", "items": 9, "mae": 0.123456, "pearson": None},
        {"slice": "b", "items": 10, "mae": 0.123456, "pearson": -0.98765},
    ]
    assert without_small(rows, "items") == [
        {"slice": "a", "items": 9, "mae": None, "pearson": None},
        {"slice": "b", "items": 10, "mae": 0.12, "pearson": -0.99},
    ]
    assert without_small([], "items") == []


def test_an_end_near_0_of_a_hidden_difference_stays_on_its_side():
    assert ROUNDED.difference((-0.19, -0.00003)) == (-0.19, -0.0001)
    assert ROUNDED.difference((0.00003, 0.19)) == (0.0001, 0.19)
    assert ROUNDED.difference((-0.19, 0.0)) == (-0.19, 0.0)
