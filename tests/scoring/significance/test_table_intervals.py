"""Intervals of the rows of tables: what a resample without a label says about it, and what few items can say."""

import json
from dataclasses import replace

import numpy as np
import pytest

import scoring
from scoring.prf import harmonic_mean, ratio
from scoring.rows import Rows
from scoring.significance import Block, bootstrap, percentile_interval, weights
from scoring.significance.proportions import Proportion, prf_proportions, proportion_intervals

N_UNITS = 60


def prf(sums):
    correct, gold, system = np.moveaxis(sums, -1, 0)
    precision, recall = ratio(correct, system), ratio(correct, gold)
    return {"precision": precision, "recall": recall, "f1": harmonic_mean(precision, recall)}


def shares(counts):
    correct, gold, system = np.moveaxis(counts, -1, 0)
    return prf_proportions(correct, gold, system)


def table_of(labels, n_units=N_UNITS, proportions=shares):
    """A block from {label: rows (correct, gold, system) of the first units}; the other units have none of it."""
    rows = np.zeros((n_units, len(labels), 3), dtype=int)
    for group, first in enumerate(labels.values()):
        rows[: len(first), group] = first
    return Block(rows, prf, gold_items=rows[..., 1].sum(axis=0), proportions=proportions)


def intervals_of(block, n_resamples=10_000, **arguments):
    corpus = Block(np.tile([[1, 2, 2], [2, 2, 3]], (len(block.rows) // 2, 1)), prf)
    return bootstrap(corpus, [block], headline="f1", seed=3, n_resamples=n_resamples, **arguments).tables[0]


def decisions(tp, fp, fn):
    return [(1, 1, 1)] * tp + [(0, 0, 1)] * fp + [(0, 1, 0)] * fn


@pytest.mark.parametrize(
    ("counts", "f1"),
    [
        ((20, 0, 0), (1, 0.912378, 1)),
        ((13, 4, 3), (26 / 33, 0.604185, 0.900379)),
    ],
)
def test_a_row_of_single_decisions_has_the_interval_of_wilson(counts, f1):
    """They are worked by hand in docs/statistics.md."""
    point, low, high = f1
    found = intervals_of(table_of({"label": decisions(*counts)}))
    assert found.methods == [dict.fromkeys(("precision", "recall", "f1"), "wilson")]
    assert found.intervals[0]["f1"] == pytest.approx((low, high), abs=1e-6)
    assert low <= point <= high


def test_several_decisions_of_a_unit_hang_together_and_count_for_less():
    first = zip((3, 0, 2, 4, 1, 0, 2, 3), (3, 2, 3, 4, 3, 1, 2, 4), strict=True)
    second = zip((1, 2, 0, 0, 2, 1, 0, 2), (1, 2, 1, 0, 2, 3, 0, 2), strict=True)
    rows = np.array([[(a, b), (c, d)] for (a, b), (c, d) in zip(first, second, strict=True)])
    intervals, reasons = proportion_intervals(
        rows, lambda counts: {"f1": Proportion(counts[..., 0], counts[..., 1], is_f1=True)}, np.array([22, 11]), 0.95
    )
    assert reasons == [{}, {}]
    assert intervals[0]["f1"] == pytest.approx((0.595655, 0.925751), abs=1e-6)
    assert intervals[1]["f1"] == pytest.approx((0.541292, 0.960167), abs=1e-6)


def test_rows_kept_by_their_entries_have_the_same_intervals():
    block = table_of({"some": decisions(9, 3, 4), "others": [(2, 3, 3), (0, 1, 2)] * 20})
    unit, group, kind = np.nonzero(block.rows)
    sparse = Rows(block.rows.shape, ((unit, group * 3 + kind, block.rows[unit, group, kind]),))
    assert intervals_of(replace(block, rows=sparse)) == intervals_of(block)


def test_a_label_that_is_never_wrong_has_an_interval_above_0():
    found = intervals_of(table_of({"always": decisions(10, 0, 0)}))
    assert found.intervals[0]["f1"] == pytest.approx((0.838936, 1), abs=1e-3)


def test_fewer_than_ten_items_of_the_gold_give_no_interval():
    found = intervals_of(table_of({"nine": decisions(8, 0, 1), "ten": decisions(9, 0, 1), "new": decisions(0, 30, 0)}))
    assert [sorted(intervals) for intervals in found.intervals] == [[], ["f1", "precision", "recall"], []]
    few = dict.fromkeys(("precision", "recall", "f1"), "few items")
    assert found.reasons == [few, {}, few]


def test_a_score_without_decisions_has_no_interval():
    assert intervals_of(table_of({"never found": decisions(0, 0, 12)})).reasons == [{"precision": "no decisions"}]


def distances(n_with, n_units=N_UNITS):
    """A table of the mean of some values, of which the first units have one each."""
    rows = np.zeros((n_units, 1, 2))
    rows[:n_with, 0] = [(k % 3, 1) for k in range(n_with)]

    def mean(sums):
        # A resample without any item would seem to have the best mean of all.
        return {"distance": np.where(sums[..., 1] > 0, sums[..., 0] / np.maximum(sums[..., 1], 1), -9.0)}

    return Block(rows, mean, gold_items=np.array([99]), n_own_kinds=None)


def test_a_score_that_is_no_proportion_has_percentiles_from_ten_units_on():
    assert intervals_of(distances(9)).reasons == [{"distance": "few units"}]
    found = intervals_of(distances(10))
    assert found.methods == [{"distance": "percentile"}]
    drawn = weights(3, N_UNITS, 0, 10_000)[:, :10]
    values = (drawn @ [k % 3 for k in range(10)])[drawn.any(axis=1)] / drawn.sum(axis=1)[drawn.any(axis=1)]
    assert found.intervals[0]["distance"] == pytest.approx(percentile_interval(values, 0.95))


def test_a_resample_without_a_label_is_left_out():
    found = intervals_of(distances(10), n_resamples=200_000, confidence_level=1 - 1e-12)
    n_without = np.count_nonzero(~weights(3, N_UNITS, 0, 200_000)[:, :10].any(axis=1))
    assert n_without > 0
    assert found.intervals[0]["distance"][0] >= 0


def test_proportions_and_other_scores_stand_in_one_row():
    block = table_of({"label": decisions(9, 3, 4)})
    metrics = lambda sums: prf(sums) | {"surplus": sums[..., 2] - sums[..., 1]}  # noqa: E731
    found = intervals_of(replace(block, metrics=metrics))
    assert found.methods == [dict.fromkeys(("precision", "recall", "f1"), "wilson") | {"surplus": "percentile"}]
    assert found.intervals[0]["f1"] == intervals_of(block).intervals[0]["f1"]


def test_a_score_that_is_undefined_though_its_label_occurs_keeps_to_a_tenth_of_the_resamples():
    rows = np.zeros((N_UNITS, 2, 2), dtype=int)
    rows[:12, 0] = [(k % 2, 1 - k % 2) for k in range(12)]
    rows[:12, 1] = (0, 1)
    rows[0, 1] = (1, 0)

    def share(sums):
        with np.errstate(invalid="ignore"):
            first, second = sums[..., 0], sums[..., 1]
            return {"share": np.where((first > 0) & (second > 0), first / (first + second), np.nan)}

    found = intervals_of(Block(rows, share, gold_items=np.array([12, 12])))
    drawn = weights(3, N_UNITS, 0, 10_000)
    first, second = np.moveaxis(drawn @ rows[:, 0], -1, 0)
    defined = (first > 0) & (second > 0)
    values = first[defined] / (first + second)[defined]
    assert found.intervals[0]["share"] == pytest.approx(percentile_interval(values, 0.95))
    undefined = int(np.count_nonzero(drawn[:, :12].any(axis=1) & ~((drawn[:, 0] > 0) & drawn[:, 1:12].any(axis=1))))
    assert found.reasons[1] == {
        "share": f"undefined in {undefined} of {np.count_nonzero(drawn[:, :12].any(axis=1))} resamples"
    }


def test_the_table_of_one_unit_says_so():
    found = bootstrap(Block(np.array([[1, 2, 2]]), prf), [table_of({"only": [(1, 2, 2)]}, 1)], headline="f1", seed=1)
    assert found.tables[0].reasons == [dict.fromkeys(("precision", "recall", "f1"), "one unit")]


def write(folder, files):
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def ehealthkd_sides(folder):
    """Sixty sentences with a wrong Action now and then; six have a relation, which is always right."""
    sentences = "dolor causa fiebre\n" * N_UNITS
    offsets = range(0, 19 * N_UNITS, 19)
    words = [
        (f"{2 * k}\t{o} {o + 5}\tConcept\tx\n", f"{2 * k + 1}\t{o + 6} {o + 11}\tAction\tx\n")
        for k, o in enumerate(offsets)
    ]
    relations = "".join(f"entails\t{2 * k}\t{2 * k + 1}\n" for k in range(0, N_UNITS, 10))
    gold = "".join(concept + action for concept, action in words)
    system = "".join(concept + (action if k % 10 in (0, 3, 4) else "") for k, (concept, action) in enumerate(words))
    texts = {"gold": gold, "system": system}
    return [
        write(
            folder / side,
            {
                "input_scenario1.txt": sentences,
                "output_a_scenario1.txt": texts[side],
                "output_b_scenario1.txt": relations,
            },
        )
        for side in ("gold", "system")
    ]


def mat_sides(folder):
    text = "Mirelle left Gorloin harbour."
    tokens = {"type": "lex", "annots": [[0, 7], [8, 12], [13, 20], [21, 28], [28, 29]]}

    def document(labels):
        sets = [{"type": label, "annots": [span]} for label, span in labels]
        return json.dumps({"signal": text, "asets": [tokens, *sets]})

    def side(name, finds):
        return write(
            folder / name,
            {
                f"{k:02}.json": document(
                    [("PER", [0, 7])] * finds(k) + ([("entails", [13, 20])] if k % 10 == 0 else [])
                )
                for k in range(N_UNITS)
            },
        )

    return [side("gold", lambda k: True), side("system", lambda k: k % 3 > 0)]


def spacy_sides(folder):
    def side(name, finds):
        lines = (
            f"w{k} {'B-PER' if finds(k) else 'O'}\nx {'B-entails' if k % 10 == 0 else 'O'}\n\n" for k in range(N_UNITS)
        )
        return write(folder / name, {"run.conll": "".join(lines)}) / "run.conll"

    return [side("gold", lambda k: True), side("system", lambda k: k % 3 > 0)]


FAMILIES = {
    "ehealthkd": (ehealthkd_sides, {}, "relation_labels", "entity_labels", "recall"),
    "mat": (mat_sides, {"content_annotations": "PER,entails"}, "by_tag", "by_tag", "recall"),
    "spacy": (spacy_sides, {"scores": [{"name": "ner"}]}, "ents_per_type", "ents_per_type", "r"),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_the_intervals_of_wilson_in_its_tables_by_label(family, tmp_path):
    make_sides, options, table, other_table, recall = FAMILIES[family]
    gold, system = make_sides(tmp_path)
    result = scoring.evaluate(family, gold=gold, system=system, options=options, n_resamples=2000)
    rows = {next(iter(record.values())): k for k, record in enumerate(result.tables[table])}
    assert set(result.table_interval_reasons[table][rows["entails"]].values()) == {"few items"}
    assert result.table_interval_methods[other_table][0][recall] == "wilson"
    others = [low for intervals in result.table_intervals[other_table] for low, _ in intervals.values()]
    assert others
    assert min(others) > 0.1


@pytest.mark.parametrize("family", FAMILIES)
def test_the_reasons_come_back_from_a_stored_evaluation(family, tmp_path):
    make_sides, options, table, *_ = FAMILIES[family]
    gold, system = make_sides(tmp_path)
    result = scoring.evaluate(family, gold=gold, system=system, options=options, n_resamples=600)
    result.save(tmp_path / "evaluation.npz")
    loaded = scoring.Evaluation.load(tmp_path / "evaluation.npz")
    assert loaded.table_interval_reasons == result.table_interval_reasons
    assert loaded.table_interval_reasons[table]


def test_an_evaluation_stored_before_there_were_reasons_can_be_read(tmp_path):
    gold, system = spacy_sides(tmp_path)
    result = scoring.evaluate("spacy", gold=gold, system=system, n_resamples=20, options={"scores": [{"name": "ner"}]})
    result.save(tmp_path / "new.npz")
    with np.load(tmp_path / "new.npz") as stored:
        arrays = dict(stored)
    facts = json.loads(arrays["facts"].tobytes())
    del facts["table_interval_reasons"]
    arrays["facts"] = np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8)
    np.savez(tmp_path / "old.npz", **arrays)
    loaded = scoring.Evaluation.load(tmp_path / "old.npz")
    assert loaded.table_interval_reasons == {}
    assert loaded.table_intervals == result.table_intervals
