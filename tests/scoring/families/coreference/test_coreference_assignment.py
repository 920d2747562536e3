"""The one-to-one matching of entities: always the greatest sum, in small components and in large ones."""

import random
import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from scoring.families.coreference.measures import assignment
from scoring.families.coreference.measures.assignment import best_pairs
from scoring.families.coreference.measures.ceaf import entity_sum, mention_sum
from scoring.families.coreference.measures.overlap import Overlap

PLACES = st.tuples(st.integers(0, 5), st.integers(0, 5))
WEIGHTS = st.one_of(st.integers(1, 4), st.floats(0.01, 1))


@given(st.dictionaries(PLACES, WEIGHTS, max_size=20))
def test_no_matching_of_a_small_table_weighs_more(table):
    edges = [(row, column, weight) for (row, column), weight in table.items()]
    best = max(
        sum(table.get((row, column), 0) for row, column in enumerate(columns)) for columns in permutations(range(6))
    )
    assert weight_of(edges, best_pairs(edges)) == pytest.approx(best)


@pytest.mark.parametrize("solver", [assignment._augmented, "sparse"])
def test_both_solvers_agree_with_a_dense_one(solver, monkeypatch):
    rng = random.Random(4)
    for _ in range(30):
        edges = random_edges(rng, 30)
        table = table_of(edges)
        if solver == "sparse":
            monkeypatch.setattr(assignment, "_MOST_PLAIN_ROWS", 0)
            pairs = assignment._solved(table)
        else:
            pairs = solver(table)
        assert weight_of(edges, pairs) == pytest.approx(dense(edges, 30))


def test_a_large_component_is_solved_too():
    rng = random.Random(6)
    edges = random_edges(rng, 600, share=0.01)
    assert weight_of(edges, best_pairs(edges)) == pytest.approx(dense(edges, 600))


def test_a_path_of_equal_weights_is_matched_whole():
    edges = [(k, k, 1) for k in range(500)] + [(k + 1, k, 1) for k in range(499)]
    assert len(best_pairs(edges)) == 500


def test_one_entity_over_everything_takes_no_time():
    edges = [(row, 0, 1 + row % 3) for row in range(50_000)]
    assert weight_of(edges, best_pairs(edges)) == 3


@settings(deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 12))
def test_added_singletons_are_matched_as_if_they_stood_in_the_table(rng, n_entities):
    table = random_overlap(rng, n_entities)
    extended = table.with_singletons()
    written = Overlap([*table.gold_sizes], table.system_sizes, [*table.cells])
    for s, n in enumerate(extended.added):
        for _ in range(n):
            written.cells.append((len(written.gold_sizes), s, 1))
            written.gold_sizes.append(1)
    assert mention_sum(extended) == mention_sum(written)
    assert entity_sum(extended) == pytest.approx(entity_sum(written), abs=1e-12)


def test_small_components_need_no_scipy():
    program = (
        "import sys; from scoring.families.coreference.measures.assignment import best_pairs;"
        "best_pairs([(k // 2, k % 7, 1 + k % 3) for k in range(60)]);"
        "sys.exit('scipy' in sys.modules or 'numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def random_overlap(rng, n_entities):
    """Some of the system's mentions are in no cell."""
    cells = {}
    for _ in range(rng.randint(0, 40)):
        place = rng.randrange(n_entities), rng.randrange(n_entities)
        cells[place] = cells.get(place, 0) + 1
    gold = [max(1, sum(n for (k, _), n in cells.items() if k == own)) for own in range(n_entities)]
    system = [sum(n for (_, s), n in cells.items() if s == own) + rng.randint(0, 2) or 1 for own in range(n_entities)]
    return Overlap(gold, system, [(k, s, n) for (k, s), n in cells.items()])


def random_edges(rng, size, share=0.2):
    """Weights with many ties."""
    return [
        (row, column, rng.choice([1, 2, 3, 0.5, 0.25]))
        for row in range(size)
        for column in range(size)
        if rng.random() < share
    ]


def table_of(edges):
    table = {}
    for row, column, weight in edges:
        table.setdefault(row, {})[column] = weight
    return table


def dense(edges, size):
    weights = np.zeros((size, size))
    for row, column, weight in edges:
        weights[row, column] = weight
    return weights[linear_sum_assignment(weights, maximize=True)].sum()


def weight_of(edges, pairs):
    """The sum, of pairs that are edges and share no row and no column."""
    weights = {(row, column): weight for row, column, weight in edges}
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs)
    return sum(weights[pair] for pair in pairs)
