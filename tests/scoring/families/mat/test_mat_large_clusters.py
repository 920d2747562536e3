"""Documents in which so many spans overlap that their pairs are never in memory at once."""

import json
import random
import tempfile
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoring
from scoring.families.mat import details
from scoring.families.mat.matching import large_clusters, one_to_one, overlaps, partial, token_pairs
from tests.thoroughness import n_inputs

LABELS = ("A", "B")
LIMITS = (
    (overlaps, "_CELLS_AT_A_TIME", 6),
    (partial, "PAIRS_AT_A_TIME", 2),
    (partial, "_KEPT_PAIRS", 3),
    (partial, "_ROUNDS", 1),
    (details, "PAIRS_AT_A_TIME", 2),
    (one_to_one, "_FEW_CELLS", 1),
    (one_to_one, "_MOST_CELLS", 1),
    (one_to_one, "_MOST_PAIRS", 1),
    (large_clusters, "_MOST_PROMISING", 1),
    (token_pairs, "_AT_A_TIME", 3),
)

spans = st.tuples(st.sampled_from(LABELS), st.integers(0, 11), st.integers(1, 6)).map(
    lambda span: (span[0], span[1], min(span[1] + span[2], 12))
)
sides = st.lists(st.lists(spans, max_size=12), min_size=2, max_size=2)
several = settings(max_examples=n_inputs(150), derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def write(folder, side, length=12, tokens=None):
    path = Path(folder, "document.json")
    path.parent.mkdir(parents=True)
    tokens = [[place, place + 1] for place in range(length)] if tokens is None else tokens
    sets = [{"type": label, "annots": [[start, end]]} for label, start, end in side]
    signal = "x" * length
    path.write_text(json.dumps({"signal": signal, "asets": [{"type": "lex", "annots": tokens}, *sets]}))
    return path


def evaluate(folder, gold, system, pairing="1.2", **options):
    options |= {"content_annotations": LABELS, "pairing": pairing}
    return scoring.evaluate("mat", gold=gold, system=system, options=options)


def both(data, folder, pairing):
    """The results with the usual limits and with tiny ones."""
    paths = [write(f"{folder}/{name}", side, 50) for name, side in zip(("gold", "system"), data, strict=True)]
    usual = evaluate(folder, *paths, pairing, details=True)
    usual_tables = usual.tables
    with pytest.MonkeyPatch.context() as patch:
        for module, name, limit in LIMITS:
            patch.setattr(module, name, limit)
        limited = evaluate(folder, *paths, pairing, details=True)
        return (usual, usual_tables), (limited, limited.tables)


@several
@given(data=sides)
def test_large_clusters_count_as_all_other_spans_do(data):
    with tempfile.TemporaryDirectory() as folder:
        (usual, usual_tables), (limited, limited_tables) = both(data, folder, "1.2")
    assert limited.counts == usual.counts
    assert limited_tables == usual_tables
    assert limited.rows.tolist() == usual.rows.tolist()


@pytest.mark.parametrize("seed", range(10))
def test_large_clusters_with_many_overlaps_of_one_length_count_as_all_other_spans_do(seed, tmp_path):
    rng = random.Random(seed)
    data = [
        [("A", start, start + rng.choice((5, 6))) for start in rng.sample(range(40), 25)]
        + [("B", start, start + 4) for start in rng.sample(range(40), 10)]
        for _ in range(2)
    ]
    (usual, usual_tables), (limited, limited_tables) = both(data, tmp_path, "1.2")
    assert limited.counts == usual.counts
    assert limited_tables == usual_tables


@several
@given(data=sides)
def test_pairs_of_large_clusters_have_the_same_similarity_in_all(data):
    with tempfile.TemporaryDirectory() as folder:
        (usual, usual_tables), (limited, limited_tables) = both(data, folder, "2.x")
    assert total_similarity(limited_tables) == pytest.approx(total_similarity(usual_tables), abs=1e-12)
    if limited_tables["details"] == usual_tables["details"]:
        assert limited.counts == usual.counts
        assert limited_tables == usual_tables


def total_similarity(tables):
    return sum(
        similarity([row["reflabel"], row["refstart"], row["refend"]], [row["hyplabel"], row["hypstart"], row["hypend"]])
        for row in tables["details"]
        if row["type"] not in ("missing", "spurious")
    )


def similarity(gold, system):
    if gold == system:
        return 1
    (label, start, end), (other_label, other_start, other_end) = gold, system
    shared, covered = min(end, other_end) - max(start, other_start), max(end, other_end) - min(start, other_start)
    assert shared > 0
    return 0.1 * (label == other_label) + 0.9 * shared / covered


@pytest.mark.parametrize("seed", range(3))
def test_no_other_choice_of_pairs_in_a_large_cluster_is_more_similar(seed, monkeypatch, tmp_path):
    rng = random.Random(seed)
    gold, system = (
        [(rng.choice(LABELS), rng.randrange(150), rng.randrange(150, 300)) for _ in range(120)] for _ in range(2)
    )
    paths = [write(tmp_path / name, side, 300) for name, side in (("gold", gold), ("system", system))]
    usual = evaluate(tmp_path, *paths, "2.x", details=True).tables
    monkeypatch.setattr(one_to_one, "_MOST_CELLS", 1)
    monkeypatch.setattr(one_to_one, "_MOST_PAIRS", 1)
    limited = evaluate(tmp_path, *paths, "2.x", details=True).tables

    assert usual["by_tag"][-1]["match"] + usual["by_tag"][-1]["refclash"] > 100
    assert total_similarity(limited) == pytest.approx(total_similarity(usual), abs=1e-9)


def nested(n, step):
    """Spans one inside the other, the last of which still holds a character."""
    return [(LABELS[k % 2], k, 2 * n + 1 - k) for k in range(0, n, step)]


def neighbours(n, step):
    return [(LABELS[k % 2], k, k + 3) for k in range(0, n, step)]


@pytest.mark.thorough
@pytest.mark.parametrize("shape", [nested, neighbours])
def test_twenty_thousand_spans_over_one_another_are_counted_in_bounded_memory(shape, tmp_path):
    n = 10_000
    gold = shape(n, 1)
    system = [(label if k % 10 else "B", start, end) for k, (label, start, end) in enumerate(gold) if k % 7]
    length = max(end for _, _, end in gold)
    gold_path = write(tmp_path / "gold", gold, length)
    system_path = write(tmp_path / "system", system, length)
    tracemalloc.start()
    try:
        result = evaluate(tmp_path, gold_path, system_path, details=False)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert result.counts["hyptotal"] == len(system)
    assert result.counts["reftotal"] == n
    assert result.counts["missing"] == result.counts["spurious"] == 0
    assert result.counts["strict_correct"] == result.counts["match"] == len({*gold} & {*system})
    assert peak < 500 * 2**20


def test_clashes_that_fill_the_memory_are_shown_with_their_best_partner_alone(monkeypatch, tmp_path):
    gold, system = [("A", k, 30) for k in range(5)], [("B", k, 29) for k in range(4)]
    paths = [write(tmp_path / name, side, 30) for name, side in (("gold", gold), ("system", system))]
    all_rows = evaluate(tmp_path, *paths).tables["details"]
    monkeypatch.setattr(details, "_MOST_CLASHES", 19)
    result = evaluate(tmp_path, *paths)

    assert len(all_rows) == 20
    assert len(result.tables["details"]) < 10
    assert all(record in all_rows for record in result.tables["details"])
    assert any(warning.startswith("details: too many") for warning in result.warnings)


def test_texts_that_fill_the_memory_are_left_out(monkeypatch, tmp_path):
    paths = [write(tmp_path / name, [("A", 0, 12)]) for name in ("gold", "system")]
    monkeypatch.setattr(details, "_MOST_CHARACTERS", 23)
    result = evaluate(tmp_path, *paths)

    assert result.tables["details"][0]["refcontent"] is None
    assert any(warning.startswith("details: the spans are too long") for warning in result.warnings)
