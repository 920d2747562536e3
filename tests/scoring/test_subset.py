"""Some units of a gold alone: the numbers are theirs, and those of no other unit."""

import random

import numpy as np
import pytest

import scoring
from scoring.readers.archive import Made
from scoring.significance import seed_of

# Families, their options and a specimen each; all uses of each family.
USES = [
    pytest.param(name, options, id=f"{name}-{number}")
    for name, family in scoring.FAMILIES.items()
    for number, options in enumerate([{}, *(dict(use.options) for use in family.offer.uses)])
    if family.package is None and family.offer.specimen
]
ITEMS = [f"i{number}" for number in range(40)]


def evaluated(family, options, gold, run, **more):
    more = {"n_resamples": 100} | more
    return scoring.evaluate(family, gold=Made(gold), system=Made(run), options=options, **more)


def specimen(family, options):
    record = scoring.FAMILIES[family]
    return record.offer.specimen(record.configure(options))


@pytest.mark.parametrize(("family", "options"), USES)
def test_all_units_are_the_whole(family, options):
    small = specimen(family, options)
    whole = evaluated(family, options, small.gold, small.run)
    same = evaluated(
        family, options, small.gold, small.run, subset=scoring.subset_of(whole.units, whole.units, whole.gold_digest)
    )
    assert (same.scores, same.intervals, same.signature) == (whole.scores, whole.intervals, whole.signature)
    assert np.array_equal(same.draws, whole.draws, equal_nan=True)
    for name, table in same.tables.items():
        for record in table:
            assert any(agrees(record, other) for other in whole.tables[name]), (name, record)


def agrees(record, whole):
    """Whether a record says what the one of the whole does, as far as it says anything."""
    return all(value is None or value == whole[column] for column, value in record.items())


@pytest.mark.parametrize(("family", "options"), USES)
def test_rows_scores_and_totals_are_those_of_the_chosen_units(family, options):
    small = specimen(family, options)
    whole = evaluated(family, options, small.gold, small.run)
    half = evaluated(family, options, small.gold, small.run, subset=scoring.subset_of(whole.units, whole.units[::2]))
    assert half.units == whole.units[::2]
    assert np.array_equal(np.asarray(half.rows), np.asarray(whole.rows)[::2])
    assert half.gold_digest != whole.gold_digest
    assert half.seed == seed_of(half.gold_digest) != whole.seed
    assert half.as_dict()["tables"].keys() == whole.tables.keys()


def labels(of, column="label"):
    rows = "".join(f"{item},{label}\n" for item, label in of.items())
    return {"labels.csv": f"id,{column}\n{rows}".encode()}


def numbers(of):
    rows = "".join(f"{item},{value}\n" for item, value in of.items())
    return {"numbers.csv": f"id,value\n{rows}".encode()}


def made_up(values, seed):
    chosen = random.Random(seed)
    return {item: chosen.choice(values) for item in ITEMS}


@pytest.mark.parametrize(
    ("family", "options", "values", "table"),
    [
        ("labels", {}, ["A", "B", "C"], labels),
        ("labels", {"ordinal": True, "labels": "A,B,C"}, ["A", "B", "C"], labels),
        ("labels", {"task": "multi"}, ["A", "A B", "C"], labels),
        ("numbers", {"kind": "real"}, [1, 2, 3.5, 4], numbers),
        ("numbers", {"kind": "binary", "headline": "roc_auc"}, [0, 1], numbers),
    ],
)
def test_nothing_follows_from_the_gold_of_other_units(family, options, values, table):
    gold, run = made_up(values, 1), made_up(values, 2)
    subset = scoring.subset_of(ITEMS, ITEMS[1::2], digest="ab" * 32)
    found = [
        evaluated(family, options, table(gold | changed), table(run), subset=subset, seed=1, gold_labels_only=True)
        for changed in ({}, {item: gold[ITEMS[0]] for item in ITEMS[::2]})
    ]
    one, other = (each.as_dict() for each in found)
    # Numbers are counted from the middle of the whole gold, which moves the last digits of a correlation.
    assert rounded(one) == rounded(other)
    assert np.allclose(found[0].draws, found[1].draws, rtol=0, atol=1e-9, equal_nan=True)


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [*map(rounded, value)]
    return round(value, 9) if isinstance(value, float) else value


def test_it_is_what_a_gold_of_these_units_alone_would_tell():
    gold, run, chosen = made_up("ABC", 1), made_up("ABC", 2), ITEMS[::3]
    subset = scoring.subset_of(ITEMS, chosen)
    part = evaluated("labels", {}, labels(gold), labels(run), subset=subset, seed=5)
    alone = [labels({item: side[item] for item in chosen}) for side in (gold, run)]
    whole = evaluated("labels", {}, *alone, seed=5)
    assert (part.scores, part.intervals, part.counts["items"]) == (whole.scores, whole.intervals, len(chosen))
    assert part.tables["labels"] == whole.tables["labels"]
    assert part.table_intervals["labels"] == whole.table_intervals["labels"]
    by_pair = [
        {(row["gold"], row["system"]): row["count"] for row in each.tables["confusion"]} for each in (part, whole)
    ]
    assert by_pair[0] == by_pair[1]


def test_a_unit_that_is_not_there_is_named():
    with pytest.raises(scoring.ConfigurationError, match="there is no unit 'nobody'"):
        scoring.subset_of(ITEMS, ["i1", "nobody"])
    with pytest.raises(scoring.ConfigurationError, match="none of the units is chosen"):
        scoring.subset_of(ITEMS, [])


def test_a_stored_evaluation_of_some_units_is_compared_like_any_other(tmp_path):
    gold = made_up("ABC", 1)
    subset = scoring.subset_of(ITEMS, ITEMS[:30])
    found = [evaluated("labels", {}, labels(gold), labels(made_up("ABC", seed)), subset=subset) for seed in (2, 3)]
    for number, each in enumerate(found):
        each.save(tmp_path / f"{number}.npz")
    stored = [scoring.Evaluation.load(tmp_path / f"{number}.npz") for number in (0, 1)]
    assert scoring.compare(stored, 100).n_units == 30
