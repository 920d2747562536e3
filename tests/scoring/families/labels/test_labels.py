"""The family labels beside scikit-learn on random worlds, by hand on small ones, and with rows kept by entries."""

import csv
import io
import json
from functools import partial

import numpy as np
import pytest

import scoring
from scoring import rows as rows_module
from scoring.families.labels import LABELS
from scoring.families.labels.tables import _proportions
from scoring.readers.archive import Made
from scoring.significance import weights
from scoring.significance.proportions import proportion_intervals

sklearn_metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is the oracle here")
ATOL = 1e-9


def table_of(rows, head=("id", "label")):
    file = io.StringIO()
    csv.writer(file).writerows([head, *rows])
    return file.getvalue()


def evaluate(folder, gold, system, n_resamples=0, **options):
    (folder / "gold.csv").write_text(gold, encoding="utf-8")
    (folder / "run.csv").write_text(system, encoding="utf-8")
    paths = {"gold": folder / "gold.csv", "system": folder / "run.csv"}
    return scoring.evaluate("labels", **paths, options=options, n_resamples=n_resamples, seed=7)


def of_labels(folder, gold, system, **options):
    """Rows by number; a label of None is a row that is not there."""
    rows = [(number, label) for number, label in enumerate(system) if label is not None]
    return evaluate(folder, table_of(enumerate(gold)), table_of(rows[::-1]), **options)


def by_hand(gold, system, labels, zero):
    """scikit-learn's own numbers; a label outside the list, such as of a missing row, is one further label."""
    system = [label if label in labels else "<further>" for label in system]
    right = [one == other for one, other in zip(gold, system, strict=True)]
    recalls = [np.mean([ok for ok, own in zip(right, gold, strict=True) if own == label]) for label in {*gold}]
    found = {
        "accuracy": sklearn_metrics.accuracy_score(gold, system),
        "balanced_accuracy": np.mean(recalls),
        "mcc": sklearn_metrics.matthews_corrcoef(gold, system),
        "kappa": sklearn_metrics.cohen_kappa_score(gold, system),
    }
    there = [label for label in labels if label in gold or label in system]
    for average, own in (("macro", there), ("micro", labels), ("weighted", labels)):
        scores = sklearn_metrics.precision_recall_fscore_support(
            gold, system, average=average, labels=own, zero_division=zero
        )
        found |= dict(zip((f"{average}_precision", f"{average}_recall", f"{average}_f1"), scores, strict=False))
    return {name: None if np.isnan(value) else value for name, value in found.items()}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(6))
def test_scores_and_all_their_resamples_are_those_of_scikit_learn(tmp_path, seed):
    rng = np.random.default_rng(seed)
    labels = [*"ABCDE"[: rng.integers(2, 6)]]
    n, zero = int(rng.integers(3, 40)), int(rng.integers(2))
    gold = [str(label) for label in rng.choice(labels, n)]
    system = [label if rng.random() < 0.6 else [None, "Z", *labels][rng.integers(len(labels) + 2)] for label in gold]
    options = {"labels": labels, "missing": "wrong", "unknown_labels": "wrong", "zero_division": zero}
    result = of_labels(tmp_path, gold, system, n_resamples=12, **options)
    expected = by_hand(gold, system, labels, zero)
    assert {name: result.scores[name] for name in expected} == pytest.approx(expected, abs=ATOL)
    family = scoring.FAMILIES["labels"]
    for drawn in weights(7, n, 0, 12):
        items = np.repeat(np.arange(n), drawn)
        again = family.metrics(np.tensordot(drawn, result.rows, 1), result.options)
        for name, value in by_hand([gold[k] for k in items], [system[k] for k in items], labels, zero).items():
            found = None if np.isnan(again[name]) else float(again[name])
            assert found == pytest.approx(value, abs=ATOL), name


def indicators(sets, labels):
    return np.array([[label in own for label in labels] for own in sets], dtype=int)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(5))
def test_scores_of_sets_are_those_of_scikit_learn(tmp_path, seed):
    rng = np.random.default_rng(100 + seed)
    labels, zero = [*"ABCD"], int(rng.integers(2))
    sets = [[[label for label in labels if rng.random() < 0.35] for _ in range(20)] for _ in range(2)]
    gold, system = ([(n, ";".join(own)) for n, own in enumerate(side)] for side in sets)
    options = {"task": "multi", "labels": labels, "absent_labels": "count", "zero_division": zero}
    scores = evaluate(tmp_path, table_of(gold), table_of(system), **options).scores
    t, p = (indicators(side, labels) for side in sets)
    assert scores["subset_accuracy"] == pytest.approx(sklearn_metrics.accuracy_score(t, p))
    assert scores["hamming_loss"] == pytest.approx(sklearn_metrics.hamming_loss(t, p))
    jaccard = sklearn_metrics.jaccard_score(t, p, average="samples", zero_division=zero)
    assert scores["jaccard"] == pytest.approx(jaccard)
    for average in ("samples", "macro", "micro", "weighted"):
        f1 = sklearn_metrics.f1_score(t, p, average=average, zero_division=zero)
        assert scores[f"{average}_f1"] == pytest.approx(f1), average


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("labels", [["A", "B"], ["A", "B", "C"]])
def test_scores_of_probabilities_are_those_of_scikit_learn(tmp_path, labels):
    rng = np.random.default_rng(len(labels))
    n = 40
    gold = [labels[k % len(labels)] for k in range(n)]
    q = rng.dirichlet(np.ones(len(labels)), n).round(2)
    q[:, -1] = 1 - q[:, :-1].sum(axis=1)
    q = np.abs(q)
    said = [labels[k] for k in q.argmax(axis=1)]
    head = ("id", "label", *(f"p_{label}" for label in labels))
    run = table_of([(k, said[k], *(f"{value:.10f}" for value in q[k])) for k in range(n)], head)
    result = evaluate(tmp_path, table_of(enumerate(gold)), run, probabilities="p_", ordinal=True, labels=labels)
    q = np.array([[float(f"{value:.10f}") for value in own] for own in q])  # as they are read
    is_binary = len(labels) == 2
    scores, positive = (q[:, 1], {"pos_label": "B"}) if is_binary else (q, {})
    expected = {
        "log_loss": sklearn_metrics.log_loss(gold, q, labels=labels),
        "brier": sklearn_metrics.brier_score_loss(gold, scores, labels=labels, **positive),
        "roc_auc": sklearn_metrics.roc_auc_score(gold, scores, multi_class="ovr", average="macro"),
        "quadratic_kappa": sklearn_metrics.cohen_kappa_score(gold, said, weights="quadratic", labels=labels),
    }
    assert {name: result.scores[name] for name in expected} == pytest.approx(expected, abs=1e-8)
    assert result.lower_is_better == ["brier", "ece", "log_loss"]


BETAS = ["0.5", 2, 0.07]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("seed", range(4))
def test_f_beta_is_that_of_scikit_learn_in_every_average_and_on_resamples(tmp_path, seed, beta):
    rng = np.random.default_rng(seed)
    labels, zero, n = [*"ABCD"], int(seed % 2), 30
    gold, run = (rng.choice(labels[:-1], n).tolist() for _ in range(2))
    options = {"labels": labels, "zero_division": zero, "beta": beta, "absent_labels": "count", "positive": "B"}
    result = of_labels(tmp_path, gold, run, **options)
    assert result.headline == "macro_fbeta"
    for drawn in [np.ones(n, int), *weights(7, n, 0, 5)]:
        of_rows = np.repeat(np.arange(n), drawn)
        sides = [[side[k] for k in of_rows] for side in (gold, run)]
        found = scoring.FAMILIES["labels"].metrics(np.tensordot(drawn, result.rows, 1), result.options)
        common = {"beta": float(beta), "labels": labels, "zero_division": zero}
        for average in ("macro", "micro", "weighted"):
            expected = sklearn_metrics.fbeta_score(*sides, average=average, **common)
            assert found[f"{average}_fbeta"] == pytest.approx(expected, abs=ATOL)
        each = sklearn_metrics.fbeta_score(*sides, average=None, **common)
        assert found["fbeta"] == pytest.approx(each[1], abs=ATOL)
    assert [row["fbeta"] for row in result.tables["labels"]] == pytest.approx(
        sklearn_metrics.fbeta_score(gold, run, average=None, **common).tolist()
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("beta", BETAS)
def test_f_beta_of_sets_is_that_of_scikit_learn(tmp_path, beta):
    rng, labels = np.random.default_rng(5), [*"ABC"]
    for zero in (0, 1):
        sets = [[[label for label in labels if rng.random() < 0.35] for _ in range(25)] for _ in range(2)]
        gold, system = (table_of([(n, ";".join(own)) for n, own in enumerate(side)]) for side in sets)
        options = {"task": "multi", "labels": labels, "absent_labels": "count", "zero_division": zero, "beta": beta}
        scores = evaluate(tmp_path, gold, system, **options).scores
        t, p = (indicators(side, labels) for side in sets)
        for average in ("samples", "macro", "micro", "weighted"):
            f = sklearn_metrics.fbeta_score(t, p, beta=float(beta), average=average, zero_division=zero)
            assert scores[f"{average}_fbeta"] == pytest.approx(f), average


def test_f_beta_of_the_worked_example_with_its_titles_and_interval(tmp_path):
    result = of_labels(tmp_path, [*"aba"] * 8, [*"aaa"] * 8, beta=0.5, n_resamples=200)
    assert result.scores["macro_fbeta"] == pytest.approx(0.357143, abs=1e-6)
    assert result.scores["micro_fbeta"] == pytest.approx(0.666667, abs=1e-6)
    assert result.tables["labels"][0]["fbeta"] == pytest.approx(0.714286, abs=1e-6)
    assert {"macro_fbeta", "macro_f1"} <= {*result.intervals}
    low, high = result.table_intervals["labels"][0]["fbeta"]
    assert low < 0.714286 < high
    assert "|beta:0.5|" in result.signature
    titles = scoring.FAMILIES["labels"].titles(result.options)
    assert (titles["macro_fbeta"], titles["weighted_fbeta"]) == ("Macro F0.5", "Weighted F0.5")
    assert (
        of_labels(tmp_path, [*"aba"], [*"aaa"], beta="1").signature == of_labels(tmp_path, [*"aba"], [*"aaa"]).signature
    )


@pytest.mark.parametrize("beta", [0, -1, "nan", "inf", "0,5", True, "much", 1001])
def test_a_beta_that_is_no_positive_number_up_to_a_thousand_is_refused(beta):
    with pytest.raises(scoring.ConfigurationError, match="beta must be a number above 0 and at most 1000"):
        scoring.FAMILIES["labels"].configure({"beta": beta})


def test_the_interval_of_f_beta_nears_that_of_f1_as_beta_nears_1():
    counts = np.array([[[3.0, 2, 2]] * 9, [[2.0, 6, 1]] * 9]).reshape(-1, 1, 3)
    ends = {}
    for beta in (1.0, 1 + 1e-9, 3.0):
        made = {"proportions": partial(_proportions, beta=beta), "gold_items": [40], "confidence_level": 0.95}
        [ends[beta]], _ = proportion_intervals(counts, **made)
    assert ends[1.0]["fbeta"] == ends[1.0]["f1"]
    assert ends[1 + 1e-9]["fbeta"] == pytest.approx(ends[1.0]["f1"])
    assert abs(ends[3.0]["fbeta"][0] - ends[3.0]["f1"][0]) > 0.001


def rows_of(q, labels, decimals):
    """Rows of a run with these probabilities as people write them."""
    said = q.argmax(axis=1)
    return [(k, labels[said[k]], *(f"{value:.{decimals}f}" for value in own)) for k, own in enumerate(q)]


@pytest.mark.parametrize("decimals", [1, 2])
@pytest.mark.parametrize("seed", range(8))
def test_written_probabilities_that_are_equal_are_ties_in_whatever_order_labels_are_listed(tmp_path, seed, decimals):
    rng, labels = np.random.default_rng(seed), [*"abcd"[: 3 + seed % 2]]
    gold = [labels[k % len(labels)] for k in range(100)]
    parts = rng.multinomial(10**decimals, np.ones(len(labels)) / len(labels), len(gold))
    run = table_of(rows_of(parts / 10**decimals, labels, decimals), ("id", "label", *PREFIXED[: len(labels)]))
    as_written = np.array([[float(cell) for cell in row[2:]] for row in csv.reader(io.StringIO(run)) if row[0] != "id"])
    expected = sklearn_metrics.roc_auc_score(gold, as_written, multi_class="ovr")
    for order in (labels, labels[::-1]):
        result = evaluate(tmp_path, table_of(enumerate(gold)), run, probabilities="p_", labels=order)
        assert result.scores["roc_auc"] == pytest.approx(expected, abs=1e-12)


PREFIXED = [f"p_{label}" for label in "abcd"]


def test_an_area_that_a_reader_can_check(tmp_path):
    rows = [(1, "a", 0.7, 0.2, 0.1), (2, "c", 0.2, 0.2, 0.6), (3, "c", 0.2, 0.2, 0.6)]
    gold, run = table_of([(1, "a"), (2, "b"), (3, "c")]), table_of(rows, ("id", "label", *PREFIXED[:3]))
    assert evaluate(tmp_path, gold, run, probabilities="p_").scores["roc_auc"] == 0.75


def test_a_promise_of_four_tenths_is_in_its_bin_whatever_the_sum_is_rounded_to(tmp_path):
    # In floating point .4 + .15 + .34 + .11 is more than 1.
    run = table_of([(1, "a", 0.4, 0.15, 0.34, 0.11), (2, "a", 0.45, 0.4, 0.1, 0.05)], ("id", "label", *PREFIXED))
    result = evaluate(tmp_path, table_of([(1, "a"), (2, "b")]), run, probabilities="p_", labels=[*"abcd"])
    assert result.scores["ece"] == pytest.approx((1 - 0.4 - 0.45) / 2)


GOLD = [*"PPPPNNNUUU"]
RUN = [*"PPNUNNPUUN"]


def test_a_small_world_by_hand(tmp_path):
    scores = of_labels(tmp_path, GOLD, RUN).scores
    assert scores["macro_f1"] == pytest.approx((4 / 7 + 4 / 7 + 2 / 3) / 3)
    assert scores["mcc"] == pytest.approx(0.409091, abs=1e-6)
    ordered = of_labels(tmp_path, GOLD, RUN, labels="N,U,P", ordinal="yes").scores
    assert ordered["quadratic_kappa"] == pytest.approx(0.295775, abs=1e-6)


def test_a_missing_row_is_a_miss_and_no_false_alarm(tmp_path):
    run = RUN[:3] + [None] + RUN[4:]
    result = of_labels(tmp_path, GOLD, run, missing="wrong", labels="N,U,P", ordinal=True)
    assert result.scores["macro_f1"] == pytest.approx(0.647619, abs=1e-6)
    assert result.scores["quadratic_kappa"] == pytest.approx(0.155844, abs=1e-6)
    assert result.warnings == ["1 missing row counts as wrong"]


def test_a_listed_label_that_nobody_has_counts_only_if_asked_for(tmp_path):
    def macro_f1(**options):
        return of_labels(tmp_path, GOLD, RUN, labels=[*"NPUX"], **options).scores["macro_f1"]

    assert macro_f1() == pytest.approx(0.603175, abs=1e-6)
    assert macro_f1(absent_labels="count") == pytest.approx(0.452381, abs=1e-6)
    assert macro_f1(absent_labels="count", zero_division="1") == pytest.approx(0.702381, abs=1e-6)


def test_a_graded_choice_earns_its_credit(tmp_path):
    gold = table_of([(1, "a", 1), (1, "b", 0.5), (2, "a", 0), (2, "b", 0)], ("id", "label", "credit"))
    scores = evaluate(tmp_path, gold, table_of([(1, "b"), (2, "b")]), task="graded").scores
    assert scores == {"credit": 0.25, "accuracy": 0.5}


@pytest.mark.parametrize("options", [{}, {"task": "multi"}, {"task": "ranked"}, {"ordinal": True, "zero_division": 1}])
def test_the_gold_against_itself_is_perfect_whatever_its_order(tmp_path, options):
    result = of_labels(tmp_path, GOLD, GOLD, **options)
    worst = {name for name, value in result.scores.items() if value != (0 if name in result.lower_is_better else 1)}
    assert not worst


WORLDS = {
    "single": {"labels": [*"NPU"], "positive": "P", "ordinal": True},
    "multi": {"task": "multi"},
    "ranked": {"task": "ranked", "top": "2"},
    "groups and slices": {"group": "user", "slices": "lang", "headline": "slice_min", "slice_score": "kappa"},
}


def world(folder, name, shift=0, n_resamples=600, **more):
    """Sixty rows of twenty users in two languages, of which a third or so is wrong."""
    rng = np.random.default_rng(3)
    rows = [(k, "NPU"[rng.integers(3)], f"u{k % 20}", "ab"[k % 2]) for k in range(60)]
    run = [(k, label if (k * 7 + shift) % 5 else "NPU"[(k + shift) % 3]) for k, label, *_ in rows]
    if name == "multi":
        rows = [(k, f"{label};{'NPU'[k % 3]}" if label != "NPU"[k % 3] else "", *rest) for k, label, *rest in rows]
    gold = table_of(rows, ("id", "label", "user", "lang"))
    return evaluate(folder, gold, table_of(run), n_resamples=n_resamples, **WORLDS[name] | more)


@pytest.mark.parametrize("name", WORLDS)
def test_rows_kept_by_their_entries_give_the_same_in_all_places(tmp_path, name, monkeypatch):
    plain = [world(tmp_path, name, shift) for shift in (0, 1)]
    monkeypatch.setattr(rows_module, "_MOST_PLAIN", 0)
    kept = [world(tmp_path, name, shift) for shift in (0, 1)]
    monkeypatch.undo()
    for one, other in zip(plain, kept, strict=True):
        assert isinstance(other.rows, rows_module.Rows)
        assert not isinstance(one.rows, rows_module.Rows)
        np.testing.assert_allclose(np.asarray(other.rows), one.rows)
        assert other.scores == pytest.approx(one.scores, abs=ATOL)
        for name_, interval in one.intervals.items():
            assert other.intervals[name_] == pytest.approx(interval, abs=ATOL)
        assert other.tables == one.tables
        assert [*other.table_intervals] == [*one.table_intervals]
        other.save(tmp_path / "stored.npz")
        loaded = scoring.Evaluation.load(tmp_path / "stored.npz")
        np.testing.assert_array_equal(np.asarray(loaded.rows), np.asarray(other.rows))
    for method in ("bootstrap", "randomisation"):
        first, second = (
            scoring.compare({"a": one, "b": other}, n_resamples=400, method=method) for one, other in (plain, kept)
        )
        np.testing.assert_allclose(first.p, second.p)
        assert first.sentence == second.sentence
    differences = [scoring.compare_scores(*pair).differences for pair in (plain, kept)]
    assert [each.p for each in differences[0]] == pytest.approx([each.p for each in differences[1]])


def test_systems_with_other_labels_are_not_exchanged_unit_by_unit(tmp_path):
    one = of_labels(tmp_path, GOLD, RUN, labels="union")
    other = of_labels(tmp_path, GOLD, [*"PPQUNNPUUN"], labels="union")
    with pytest.raises(scoring.ConfigurationError, match="rows of the same kinds"):
        scoring.compare({"a": one, "b": other}, method="randomisation", n_resamples=50)


def test_the_area_of_a_slice_is_that_of_its_rows_alone(tmp_path):
    rows = [(k, "AB"[k % 2], "xy"[k // 10]) for k in range(20)]
    run = [(k, "A", q, 1 - q) for k, q in enumerate(np.random.default_rng(5).random(20).round(3))]
    gold, system = table_of(rows, ("id", "label", "part")), table_of(run, ("id", "label", "pA", "pB"))
    options = {"probabilities": "p", "slices": "part", "slice_score": "roc_auc", "headline": "slice_min"}
    result = evaluate(tmp_path, gold, system, n_resamples=60, **options)
    areas = [
        sklearn_metrics.roc_auc_score([row[1] == "B" for row in rows[part]], [row[3] for row in run[part]])
        for part in (slice(0, 10), slice(10, 20))
    ]
    assert result.scores["slice_min"] == pytest.approx(min(areas))
    assert result.scores["slice_mean"] == pytest.approx(np.mean(areas))
    assert "slice_min" in result.intervals


def test_in_graded_gold_of_many_rows_a_label_twice_is_refused(tmp_path):
    gold = table_of([(1, "a", 1), (1, "a", 1)], ("id", "label", "credit"))
    with pytest.raises(scoring.GoldError, match=r"gold.csv:3: label 'a' twice"):
        evaluate(tmp_path, gold, table_of([(1, "a")]), task="graded")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"probabilities": "p", "task": "multi"}, "only with task=single"),
        ({"probabilities": "p", "labels": "union"}, "not with labels=union"),
        ({"ordinal": True, "task": "graded"}, "option ordinal"),
        ({"multi_as": "columns"}, "option multi_as"),
        ({"beta": 2, "task": "graded"}, "beta needs precision and recall"),
        ({"labels": "A,B,A"}, "'A' stands twice"),
        ({"labels": "A,a", "case": "ignore"}, "stands twice"),
        ({"labels": "A,B", "positive": "b"}, "did you mean 'B'"),
        ({"top": "1"}, "whole numbers from 2 to 1000"),
        ({"headline": "makro_f1"}, "did you mean 'macro_f1'"),
        ({"slices": "lang", "slice_score": "slice_mean"}, "option slice_score"),
        ({"partial": "2"}, "a number from 0 to 1"),
        ({"quotes": "perhaps"}, "expected yes or no"),
    ],
)
def test_options_that_cannot_be_are_refused_before_a_file_is_read(options, words):
    with pytest.raises(scoring.ConfigurationError, match=words):
        scoring.FAMILIES["labels"].configure(options)


def test_a_message_to_participants_names_no_label_of_the_gold(tmp_path):
    (tmp_path / "gold.csv").write_text(table_of([(1, "Secret"), (2, "Hidden")]), encoding="utf-8")
    for run in ([(1, "secret"), (2, "hidden")], [(1, "")], [(3, "Secre")], []):
        (tmp_path / "run.csv").write_text(table_of(run), encoding="utf-8")
        problems = scoring.check("labels", gold=tmp_path / "gold.csv", system=tmp_path / "run.csv")
        assert problems
        assert not {"Secret", "Hidden"} & set(" ".join(map(str, problems)).replace("'", " ").split())


def test_a_sample_is_valid_and_inputs_hold_no_label(tmp_path):
    family = scoring.FAMILIES["labels"]
    gold = table_of([(1, "Secret", "Good day."), (2, "Hidden", "Good night.")], ("id", "label", "said"))
    options = family.configure({"text": "said"})
    given = family.files.inputs({"gold.csv": gold.encode()}, options)
    assert "Secret" not in json.dumps({name: content.decode() for name, content in given.items()})
    assert "Good night." in given["input.csv"].decode()
    [(name, content)] = family.files.sample({"gold.csv": gold.encode()}, options).items()
    (tmp_path / "gold.csv").write_text(gold, encoding="utf-8")
    (tmp_path / name).write_bytes(content)
    paths = {"gold": tmp_path / "gold.csv", "system": tmp_path / name, "options": {"text": "said"}}
    assert scoring.check("labels", **paths) == []
    assert scoring.describe("labels", **paths).summary


def test_a_label_that_is_mended_is_right_everywhere(tmp_path):
    result = of_labels(tmp_path, GOLD, RUN)
    totals = scoring.repairs.Totals(result.headline, result.scores, result.counts, result.tables)
    family = scoring.FAMILIES["labels"]
    found = {(each.group, each.name): each for each in family.views.repairs(totals, result.options)}
    mended = [g if "N" in (g, s) else s for g, s in zip(GOLD, RUN, strict=True)]
    again = of_labels(tmp_path, GOLD, mended).scores["macro_f1"]
    assert found["Items by label", "N"].score == pytest.approx(again)
    assert found["Items by label", "N"].n_items == sum(a != b for a, b in zip(RUN, mended, strict=True))


def test_what_is_in_cells_of_few_items_stays_wrong(tmp_path):
    """A site with hidden gold tells them as one, under a name that is no label's."""
    gold, run = [*"A" * 20, *"B" * 20, *"C" * 3], [*"A" * 12, *"B" * 8, *"B" * 18, *"AC", *"CAB"]
    result = of_labels(tmp_path, gold, run)
    few = {("A", "B"): 8, ("A", "A"): 12, ("B", "B"): 18, ("B", "few"): 2, ("few", "few"): 3}
    told = [{"gold": own, "system": other, "count": number} for (own, other), number in few.items()]
    totals = scoring.repairs.Totals(result.headline, result.scores, result.counts, result.tables | {"confusion": told})
    found = scoring.FAMILIES["labels"].views.repairs(totals, result.options)
    mended = of_labels(tmp_path, gold, [*"A" * 20, *run[20:]]).scores[result.headline]
    assert {(each.name, each.n_items) for each in found} == {("A", 8), ("B", 8), ("A → B", 8)}
    assert [each.score for each in found] == [pytest.approx(mended)] * 3


def test_labels_that_a_run_invents_are_one_row_where_the_gold_is_hidden(tmp_path):
    (tmp_path / "gold.csv").write_text(table_of(enumerate("AAB")), encoding="utf-8")
    (tmp_path / "run.csv").write_text(table_of([(0, "A"), (1, "X1"), (2, "X2")]), encoding="utf-8")
    paths = {"gold": tmp_path / "gold.csv", "system": tmp_path / "run.csv", "options": {"labels": "union"}}
    result = scoring.evaluate("labels", **paths, gold_labels_only=True)
    assert [row["label"] for row in result.tables["labels"]] == ["A", "B", "(not in the gold)"]
    assert result.tables["labels"][-1]["system"] == 2


def test_the_page_of_an_item_shows_both_sides_and_its_text():
    family = scoring.FAMILIES["labels"]
    options = family.configure({"task": "multi", "text": "said"})
    gold = {"g.csv": table_of([(1, "A;B", "Ah."), (2, "", "Oh.")], ("id", "label", "said")).encode()}
    [item] = family.views.unit_record(gold, {"r.csv": table_of([(1, "B;A"), (2, "A")]).encode()}, "2", options)["items"]
    assert (item["texts"], item["gold"], item["system"]) == (
        [("said", "Oh.")],
        [],
        [{"label": "A", "right": False}],
    )
    with pytest.raises(KeyError):
        family.views.unit_record(gold, {"r.csv": table_of([(1, "B;A"), (2, "A")]).encode()}, "3", options)


def test_exports_hold_formulas_and_a_matrix(tmp_path):
    result = of_labels(tmp_path, [*"AAB"], [*"ABB"])
    labels, confusion = (
        each.make(result.tables, result.options).decode("utf-8-sig").splitlines()
        for each in scoring.FAMILIES["labels"].table_notes.exports
    )
    assert labels[1] == 'A,2,1,1,"=IF(C2=0,0,D2/C2)","=IF(B2=0,0,D2/B2)","=IF(B2+C2=0,0,2*D2/(B2+C2))"'
    assert confusion == ["gold \\ system,A,B", "A,1,1", "B,0,1"]


def test_invented_labels_of_one_word_are_one_kind_where_case_is_ignored():
    gold = Made({"gold.csv": b"id,label\na,A\nb,B\nc,A\nd,B\ne,A\n"})
    run = Made({"run.csv": b"id,label\na,X\nb,x\nc,Y\nd,Z\ne,A\n"})
    said = []
    for options in ({"labels": "union"}, {"unknown_labels": "wrong"}):
        told = scoring.describe("labels", gold=gold, system=run, options=options | {"case": "ignore"})
        said.append(str(told.oddities[0].message))
    assert said == ["Unknown labels: X (2 times), Y (once) and Z (once)."] * 2


def test_a_cell_may_hold_a_list_as_python_writes_it_and_a_ranked_gold_counts_with_its_first(tmp_path):
    gold = 'id,label\n1,"[\'b\', \'a\']"\n2,"[""it\'s"", \'d\']"\n3,c\n'
    run = 'id,label\n1,"[\'b\', \'a\']"\n2,"[\'d\', ""it\'s""]"\n3,"[c]"\n'
    found = evaluate(tmp_path, gold, run, task="ranked", labels="union", top="2")
    assert found.scores["accuracy"] == pytest.approx(1 / 3)
    assert found.scores["top_2_accuracy"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"label": "polarization"}, "whose id stands in id. The label stands in polarization."),
        ({"task": "graded"}, "A row for each id and label, with its credit in credit."),
        ({"id": "#"}, "in their order. The label stands in label."),
        ({"gold_format": "lines", "format": "lines"}, "One label a line, in the order of the items."),
        (
            {"task": "multi", "multi_as": "columns", "labels": "a,b", "id": "text1,text2"},
            "whose id stands in text1 and text2. Each label has a column of its own.",
        ),
    ],
)
def test_what_gold_has_to_hold_names_the_columns_of_the_options_and_nothing_else(options, words):
    assert LABELS.offer.gold_layout(LABELS.configure(options)).endswith(words)
