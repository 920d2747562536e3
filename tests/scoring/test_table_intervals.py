"""Intervals of the rows of tables: what a resample without a label says about it, and what few items can say."""

import json

import numpy as np
import pytest

import scoring
from scoring.prf import harmonic_mean, ratio
from scoring.significance import Block, bca_interval, bootstrap, percentile_interval, weights

N_UNITS = 60


def prf(sums):
    correct, gold, system = np.moveaxis(sums, -1, 0)
    precision, recall = ratio(correct, system), ratio(correct, gold)
    return {"precision": precision, "recall": recall, "f1": harmonic_mean(precision, recall)}


def table_of(labels, n_units=N_UNITS):
    """A block from {label: rows (correct, gold, system) of the first units}; the other units have none of it."""
    rows = np.zeros((n_units, len(labels), 3), dtype=int)
    for group, first in enumerate(labels.values()):
        rows[: len(first), group] = first
    return Block(rows, prf, gold_items=rows[..., 1].sum(axis=0))


def intervals_of(block, n_resamples=10_000, **arguments):
    corpus = Block(np.tile([[1, 2, 2], [2, 2, 3]], (len(block.rows) // 2, 1)), prf)
    return bootstrap(corpus, [block], headline="f1", seed=3, n_resamples=n_resamples, **arguments).tables[0]


def test_a_resample_without_a_label_is_left_out_however_many_there_are():
    items = [(1, 3, 2), (2, 3, 2)]
    found = intervals_of(table_of({"rare": items}))
    drawn = weights(3, N_UNITS, 0, 10_000)[:, :2]
    with_label = drawn[drawn.any(axis=1)]
    assert len(with_label) < 9000
    recall = (with_label @ [1, 2]) / (with_label @ [3, 3])
    jackknife = np.full(N_UNITS, 3 / 6)
    jackknife[:2] = 2 / 3, 1 / 3
    assert found.intervals[0]["recall"] == pytest.approx(bca_interval(recall, 3 / 6, jackknife, 0.95))
    assert found.intervals[0]["recall"] == (pytest.approx(1 / 3), pytest.approx(2 / 3))


def test_a_label_of_one_unit_alone_is_the_same_in_all_resamples_that_have_it():
    found = intervals_of(table_of({"rare": [(3, 6, 5)]}))
    assert found.intervals == [{}]
    assert found.reasons[0] == dict.fromkeys(("precision", "recall", "f1"), "all resamples agree")


def test_a_label_that_is_never_wrong_has_no_interval_down_to_0():
    found = intervals_of(table_of({"always": [(1, 1, 1)] * 6, "usual": [(1, 1, 1)] * 50 + [(0, 1, 0)] * 10}))
    assert found.intervals[0] == {}
    assert found.reasons[0] == dict.fromkeys(("precision", "recall", "f1"), "all resamples agree")
    assert found.intervals[1]["recall"][0] > 0.5
    assert found.reasons[1] == {"precision": "all resamples agree"}


def test_fewer_than_five_items_of_the_gold_give_no_interval():
    four, five = [(1, 1, 1)] * 3 + [(0, 1, 1)], [(1, 1, 1)] * 3 + [(0, 1, 1)] * 2
    found = intervals_of(table_of({"four": four, "five": five, "invented": [(0, 0, 1)] * 30}))
    assert [sorted(intervals) for intervals in found.intervals] == [[], ["f1", "precision", "recall"], []]
    assert found.reasons == [
        dict.fromkeys(("precision", "recall", "f1"), "few items"),
        {},
        dict.fromkeys(("precision", "recall", "f1"), "few items"),
    ]


def test_an_interval_needs_five_hundred_resamples_with_the_label():
    table = table_of({"rare": [(2, 5, 5)], "also": [(2, 3, 5), (3, 3, 4)]})
    n_with_first = int(np.count_nonzero(weights(3, N_UNITS, 0, 700)[:, 0]))
    assert n_with_first < 500
    found = intervals_of(table, n_resamples=700)
    assert found.reasons[0] == dict.fromkeys(("precision", "recall", "f1"), "in fewer than 500 resamples")
    assert found.reasons[1] == {}
    assert intervals_of(table, n_resamples=2000).reasons[0] == dict.fromkeys(
        ("precision", "recall", "f1"), "all resamples agree"
    )


def test_few_resamples_are_enough_where_none_is_left_out():
    found = intervals_of(table_of({"everywhere": [(1, 2, 2), (2, 2, 3)] * 30}), n_resamples=50)
    assert sorted(found.intervals[0]) == ["f1", "precision", "recall"]


def test_counts_of_the_corpus_do_not_make_a_label_occur():
    rows = np.zeros((N_UNITS, 1, 2), dtype=int)
    rows[:6, 0, 0] = 1
    rows[..., 1] = 10

    def metrics(sums):
        return {"recall": np.where(sums[..., 0] > 0, 0.5 + 0.1 * (sums[..., 0] % 2), 0.0)}

    found = intervals_of(Block(rows, metrics, gold_items=np.array([6]), n_own_kinds=1))
    assert found.intervals[0]["recall"] == (pytest.approx(0.5), pytest.approx(0.6))
    assert intervals_of(Block(rows, metrics, gold_items=np.array([6]))).intervals[0]["recall"][0] == 0


def test_a_score_that_is_undefined_though_its_label_occurs_keeps_to_a_tenth_of_the_resamples_with_the_label():
    rows = np.zeros((N_UNITS, 2, 3), dtype=int)
    rows[:8, 0] = 1, 0, 1
    rows[:4, 0] = 0, 1, 1
    rows[:8, 1] = 0, 1, 1
    rows[0, 1] = 1, 0, 1

    def share(sums):
        with np.errstate(invalid="ignore"):
            first, second = sums[..., 0], sums[..., 1]
            return {"share": np.where((first > 0) & (second > 0), first / (first + second), np.nan)}

    found = intervals_of(Block(rows, share, gold_items=np.array([8, 8])))
    drawn = weights(3, N_UNITS, 0, 10_000)
    sums = np.moveaxis(drawn @ rows[:, 0], -1, 0)
    first, second, _ = sums[:, sums.any(axis=0)]
    defined = (first > 0) & (second > 0)
    values = first[defined] / (first + second)[defined]
    assert found.methods[0]["share"] == "bca"
    low, high = percentile_interval(values, 0.95)
    assert found.intervals[0]["share"] == (pytest.approx(low, abs=0.05), pytest.approx(high, abs=0.05))
    with_label = drawn[:, :8].any(axis=1)
    undefined = int(np.count_nonzero(with_label & ~((drawn[:, 0] > 0) & drawn[:, 1:8].any(axis=1))))
    assert found.reasons[1] == {"share": f"undefined in {undefined} of {np.count_nonzero(with_label)} resamples"}


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
    "ehealthkd": (ehealthkd_sides, {}, "relation_labels", "entity_labels"),
    "mat": (mat_sides, {"content_annotations": "PER,entails"}, "by_tag", "by_tag"),
    "spacy": (spacy_sides, {"scores": [{"name": "ner"}]}, "ents_per_type", "ents_per_type"),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_in_every_family_a_label_that_is_never_wrong_has_no_0_in_its_interval(family, tmp_path):
    make_sides, options, table, other_table = FAMILIES[family]
    gold, system = make_sides(tmp_path)
    result = scoring.evaluate(family, gold=gold, system=system, options=options, n_resamples=2000)
    rows = {next(iter(record.values())): k for k, record in enumerate(result.tables[table])}
    row = rows["entails"]
    assert result.table_intervals[table][row] == {}
    assert set(result.table_interval_reasons[table][row].values()) == {"all resamples agree"}
    others = [low for intervals in result.table_intervals[other_table] for low, _ in intervals.values()]
    assert others
    assert min(others) > 0.1


@pytest.mark.parametrize("family", FAMILIES)
def test_the_reasons_come_back_from_a_stored_evaluation(family, tmp_path):
    make_sides, options, table, _ = FAMILIES[family]
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
