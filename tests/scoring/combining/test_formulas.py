"""Formulas: what they mean, what is refused and with which words, and what a hostile one costs."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.combining.formula import Component, bound, components
from scoring.combining.tokens import squeezed
from scoring.combining.values import value_of
from scoring.errors import ConfigurationError

SCORES = {"a": ["f1", "recall"], "b": ["f1"]}
VALUES = {Component("a", "f1"): 0.6, Component("b", "f1"): 0.8, Component("a", "recall"): 0.5}


def value(formula, scores=SCORES, values=VALUES):
    return float(value_of(bound(formula, scores), values))


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("mean(*.f1)", 0.7),
        ("hmean(a.f1, b.f1)", 0.685714),
        ("gmean(a.f1, b.f1)", 0.692820),
        ("0.7*a.f1 + .3*b.f1", 0.66),
        ("1-2-3*a.f1", -2.8),
        ("hmean(a.f1, 0)", 0.0),
        ("gmean(0, a.f1)", 0.0),
        ("max(*.f1, 1.) / 2", 0.5),
        ('min("a".f1, b."f1")', 0.6),
        ("-(a.f1 - --b.f1)", 0.2),
        ("a . f1\n*\t2", 1.2),
        ("a.f1 / (1 + ln(1 + b.f1))", 0.377885),
    ],
)
def test_a_formula_has_the_value_that_it_has_on_paper(formula, expected):
    assert value(formula) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    "formula",
    [
        "a.f1/(b.f1-b.f1)",
        "hmean(a.f1, -1)",
        "gmean(-1, a.f1)",
        "1 / (a.f1 / 0)",
        "max(a.f1, 1/0)",
        "ln(0 * a.f1)",
        "ln(-a.f1)",
        f"a.f1*{'9' * 400}",
    ],
)
def test_what_is_infinite_or_undefined_has_no_value(formula):
    assert np.isnan(value(formula))


def test_an_undefined_component_leaves_every_function_undefined():
    for function in ("mean", "hmean", "gmean", "min", "max"):
        assert np.isnan(value(f"{function}(0, a.f1)", values=VALUES | {Component("a", "f1"): np.nan}))


def test_the_geometric_mean_of_many_small_scores_does_not_vanish():
    assert value(f"gmean({','.join(['a.f1'] * 150)})", values={Component("a", "f1"): 1e-9}) == pytest.approx(1e-9)


def test_a_score_of_the_only_scenario_needs_no_scenario():
    assert components(bound("f1 + a.recall", {"a": ["f1", "recall"]})) == [
        Component("a", "f1"),
        Component("a", "recall"),
    ]


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("", "formula: unexpected end at column 1"),
        ("a.f1 +", "formula: unexpected end at column 7"),
        ("a.f1 % 2", "formula: unexpected '%' at column 6"),
        ("a.f1 ** 2", "formula: unexpected '*' at column 7"),
        ("a.f1²", "formula: unexpected '²' at column 5"),
        ("٣*a.f1", "formula: unexpected '٣' at column 1"),
        ("1e5*a.f1", "formula: unexpected 'e5' at column 2"),
        ('"a.f1', "formula: unexpected '\"' at column 1"),
        ("mean(a.f1 b.f1)", "formula: unexpected 'b' at column 11"),
        ("mean(* a)", "formula: unexpected 'a' at column 8"),
        ("sum(a.f1)", "formula: unknown function 'sum' at column 1"),
        ("c.f1", "formula: no scenario 'c' at column 1"),
        ("a.F1", "formula: a has no score 'F1'; did you mean 'f1'? (at column 1)"),
        ("mean(*.recall)", "formula: b has no score 'recall' at column 6"),
        ("1+recall", "formula: 'recall' needs its scenario, as in a.recall at column 3"),
        ("1 + 2", "formula: names no score"),
        (f"a.f1+{'1+' * 500}1", "formula: longer than 1000 characters"),
        ("-" * 51 + "a.f1", "formula: nested more than 50 deep at column 51"),
    ],
)
def test_a_formula_is_refused_with_its_place(formula, message):
    with pytest.raises(ConfigurationError) as refused:
        bound(formula, SCORES)
    assert str(refused.value) == message


def test_a_star_over_many_scenarios_stays_within_the_limit_of_names():
    many = {f"s{number}": ["f"] for number in range(40)}
    assert len(components(bound("mean(*.f)", many))) == 40
    with pytest.raises(ConfigurationError, match="more than 1000 names"):
        bound(f"mean({','.join(['*.f'] * 26)})", many)


def test_fifty_levels_and_a_thousand_characters_are_taken():
    assert value("(" * 50 + "a.f1" + ")" * 50) == 0.6
    assert value("a.f1" + "+1" * 498) == pytest.approx(498.6)


def test_blanks_are_squeezed_but_inside_quotes():
    assert squeezed(' mean( "my  set".f1 ,\n b.f1 ) ') == 'mean( "my  set".f1 , b.f1 )'


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet='ab.f1*+-/()," \nmean0٣²%', max_size=60))
def test_whatever_is_typed_is_a_number_or_refused(formula):
    with suppress(ConfigurationError):
        assert not np.isinf(value(formula))


def test_a_logarithm_is_of_one_argument():
    for formula in ("ln(a.f1, b.f1)", "ln(*.f1)"):
        with pytest.raises(ConfigurationError, match="ln takes one argument"):
            value(formula)
