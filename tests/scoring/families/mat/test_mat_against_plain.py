"""Random small corpora, on which the engine has to find what a plain program finds."""

import json
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import scoring
from tests.scoring.plain import mat as plain
from tests.thoroughness import n_inputs

LABELS = ("A", "B", "b", "é")
TABLES = ("by_tag", "by_token", "details", "by_document", "partial", "confusion")

several = settings(max_examples=n_inputs(150), derandomize=True, suppress_health_check=[HealthCheck.too_slow])


@several
@given(data=st.data())
def test_all_tables_equal_those_of_the_plain_program(data):
    documents = data.draw(st.lists(aligned_documents(), min_size=1, max_size=4).map(named))
    found = evaluated(documents)
    expected = plain.evaluate(documents)
    for table in TABLES:
        assert_rows_equal(found.tables[table], expected[table])
    for name, score in expected["scores"].items():
        assert found.scores[name] == (None if score is None else pytest.approx(score, abs=1e-12))
    assert {name: found.counts[name] for name in expected["counts"]} == expected["counts"]


@several
@given(data=st.data())
def test_spans_may_end_anywhere_in_the_text(data):
    documents = data.draw(st.lists(documents_with_any_spans(), min_size=1, max_size=4).map(named))
    found, expected = evaluated(documents), plain.evaluate(documents)
    for table in TABLES:
        assert_rows_equal(found.tables[table], expected[table])


@several
@given(data=st.data())
def test_one_to_one_pairs_are_as_similar_as_those_of_the_plain_program(data):
    documents = data.draw(st.lists(aligned_documents(), min_size=1, max_size=3).map(named))
    found, expected = evaluated(documents, pairing="2.x", details=True), plain.evaluate(documents, "2.x")
    rows = [[*record.values()] for record in found.tables["details"]]
    assert similarity(rows) == pytest.approx(similarity(expected["details"]))
    # Several choices of pairs may be as good; where both made the same, all else has to agree.
    assume(rows == expected["details"])
    assert_rows_equal(found.tables["by_tag"], expected["by_tag"])
    assert_rows_equal(found.tables["by_token"][-1:], expected["by_token"][-1:])


@settings(several, max_examples=n_inputs(20))
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_confidence_data_are_those_of_a_thousand_plain_resamples(data, seed):
    documents = data.draw(st.lists(aligned_documents(), min_size=2, max_size=5).map(named))
    found = evaluated(documents, confidence_data=True, seed=seed)
    expected = plain.evaluate(documents, draws=draws(seed, len(documents)))["moments"]
    for table, by_label in expected.items():
        assert len(found.tables[table]) == len(by_label)
        for record in found.tables[table]:
            for metric, (mean, variance) in by_label[record["tag"]].items():
                moments = [record[f"{metric}_{moment}"] for moment in ("mean", "variance", "stddev")]
                assert moments == pytest.approx([mean, variance, variance**0.5], abs=1e-7)


def evaluated(documents, seed=None, **options):
    with tempfile.TemporaryDirectory() as folder:
        for side in ("gold", "system"):
            Path(folder, side).mkdir()
            for document in documents:
                content = as_json(document.text, getattr(document, side), document.tokens)
                Path(folder, side, document.name).write_text(content, encoding="utf-8")
        result = scoring.evaluate(
            "mat",
            gold=f"{folder}/gold",
            system=f"{folder}/system",
            options={"content_annotations": [*LABELS], **options},
            seed=seed,
        )
        result.tables  # noqa: B018  made while the files are there
        return result


def as_json(text, spans, tokens):
    sets = [{"type": label, "attrs": [], "annots": [[start, end]]} for label, start, end in spans]
    sets.append({"type": "lex", "attrs": [], "annots": [[start, end] for start, end in tokens]})
    return json.dumps({"version": 2, "signal": text, "asets": sets})


def assert_rows_equal(records, rows):
    found = [[*record.values()] for record in records]
    assert len(found) == len(rows)
    for own, row in zip(found, rows, strict=True):
        for cell, value in zip(own, row, strict=True):
            assert cell == (pytest.approx(value, abs=1e-12) if isinstance(value, float) else value)


def similarity(rows):
    """The sum over the pairs of a table of details."""
    total = 0
    for _, type_, *ends, _, _ in rows:
        if type_ not in ("missing", "spurious"):
            total += plain.similarity(tuple(ends[:3]), tuple(ends[3:]))
    return total


def draws(seed, n):
    """A thousand resamples of n out of n, as documented: two indices from each word of the generator."""
    bits, half = np.random.PCG64(seed), (n + 1) // 2
    for _ in range(1000):
        words = [int(word) for word in bits.random_raw(half)]
        yield [(part * n) >> 32 for word in words for part in (word & 0xFFFFFFFF, word >> 32)][:n]


def named(documents):
    for number, document in enumerate(documents):
        document.name = f"{number}.json"
    return documents


@st.composite
def aligned_documents(draw):
    """Spans begin and end with tokens."""
    lengths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=9))
    tokens, start = [], 0
    for length in lengths:
        start += draw(st.integers(0, 1))
        tokens.append((start, start + length))
        start += length
    spans = st.tuples(st.sampled_from(LABELS), st.integers(0, len(tokens) - 1), st.integers(0, 3)).map(
        lambda span: (span[0], tokens[span[1]][0], tokens[min(span[1] + span[2], len(tokens) - 1)][1])
    )
    return with_sides(draw, tokens[-1][1], spans, tokens)


@st.composite
def documents_with_any_spans(draw):
    length = draw(st.integers(1, 15))
    spans = st.tuples(st.sampled_from(LABELS), st.integers(0, length - 1), st.integers(1, 6)).map(
        lambda span: (span[0], span[1], min(span[1] + span[2], length))
    )
    return with_sides(draw, length, spans, draw(st.sampled_from(([], [(0, length)]))))


def with_sides(draw, length, spans, tokens):
    """A system that repeats some spans of the gold, so that not all of them differ."""
    gold = draw(st.lists(spans, max_size=7))
    own = draw(st.lists(spans, max_size=5))
    kept = [span for span in gold if draw(st.booleans())]
    return plain.Document("", "ab𝒳é " * (length // 5) + "abcde"[: length % 5], gold, kept + own, tokens)
