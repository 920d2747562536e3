"""evaluate and check: the order of the steps, and whose fault it is."""

import hashlib

import numpy as np
import pytest

import scoring

SENTENCES = "dolor causa fiebre\n" * 60
PHRASES = "".join(
    f"{2 * k + 1}\t{19 * k} {19 * k + 5}\tConcept\tx\n{2 * k + 2}\t{19 * k + 12} {19 * k + 18}\tConcept\tx\n"
    for k in range(60)
)
RELATIONS = "".join(f"causes\t{2 * k + 1}\t{2 * k + 2}\n" for k in range(60))


def make_side(folder, phrases=PHRASES, relations=RELATIONS, sentences=SENTENCES):
    folder.mkdir()
    for stem, text in (("input", sentences), ("output_a", phrases), ("output_b", relations)):
        (folder / f"{stem}_scenario1.txt").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def gold(tmp_path):
    return make_side(tmp_path / "gold")


@pytest.fixture
def system(tmp_path):
    kept = [line for k, line in enumerate(PHRASES.splitlines(keepends=True)) if k % 7]
    return make_side(tmp_path / "system", "".join(kept), "")


def evaluate(gold, system, **arguments):
    return scoring.evaluate("ehealthkd", gold=gold, system=system, **arguments)


def test_steps_are_told_as_they_begin(gold, system):
    steps = []
    evaluate(gold, system, on_step=steps.append)
    assert steps == ["reading", "matching"]
    evaluate(gold, system, n_resamples=1, on_step=steps.append)
    assert steps[2:] == ["reading", "matching", "intervals"]


def test_without_resamples_there_are_no_intervals_and_no_seed(gold, system):
    result = evaluate(gold, system)
    assert (result.intervals, result.draws, result.seed, result.table_intervals) == ({}, None, None, {})
    assert result.signature.endswith("|resamples:0")


def test_draws_follow_from_the_content_of_the_gold(gold, system, tmp_path):
    first = evaluate(gold, system, n_resamples=50)
    again = evaluate(make_side(tmp_path / "other name"), system, n_resamples=50)
    assert first.gold_digest == again.gold_digest
    assert first.seed == int(first.gold_digest[:13], 16)
    assert np.array_equal(first.draws, again.draws)


def test_the_digest_is_that_of_paths_lengths_and_bytes(gold, system):
    content = b"".join(
        b"%b\0%d\0%b" % (path.name.encode(), path.stat().st_size, path.read_bytes()) for path in sorted(gold.iterdir())
    )
    assert evaluate(gold, system).gold_digest == hashlib.sha256(content).hexdigest()


def test_a_given_seed_replaces_it(gold, system):
    assert evaluate(gold, system, n_resamples=10, seed=7).seed == 7


def test_the_signature_names_all_that_a_number_depends_on(gold, system):
    result = evaluate(gold, system, n_resamples=100, seed=7, options={"rules": "documented"})
    assert result.signature == (
        "family:ehealthkd|rules:documented|scenario:1|score:f1|units:60 sentences"
        f"|gold:{result.gold_digest[:12]}|engine:{scoring.__version__}"
        "|resamples:100|confidence:0.95|interval:percentile|seed:7"
    )


def test_problems_of_the_gold_are_the_organisers(gold, system):
    (gold / "output_a_scenario1.txt").write_text("broken\n")
    with pytest.raises(scoring.GoldError) as refused:
        evaluate(gold, system)
    assert [problem.line for problem in refused.value.problems] == [1]
    with pytest.raises(scoring.GoldError):
        scoring.check("ehealthkd", gold=gold, system=system)


def test_a_gold_that_is_not_there_is_the_organisers(system, tmp_path):
    with pytest.raises(scoring.GoldError):
        evaluate(tmp_path / "nowhere", system)


def test_check_lists_what_evaluate_would_refuse(gold, system):
    assert scoring.check("ehealthkd", gold=gold, system=system) == []
    (system / "output_a_scenario1.txt").write_text("broken\n")
    with pytest.raises(scoring.SubmissionError) as refused:
        evaluate(gold, system)
    assert scoring.check("ehealthkd", gold=gold, system=system) == refused.value.problems != []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_resamples": -1}, "n_resamples must be an integer from 0 to 1000000"),
        ({"n_resamples": 1_000_001}, "n_resamples must be an integer from 0 to 1000000"),
        ({"n_resamples": 10.0}, "n_resamples must be an integer from 0 to 1000000"),
        ({"n_resamples": True}, "n_resamples must be an integer from 0 to 1000000"),
        ({"confidence_level": 1.0}, "confidence_level must lie between 0 and 1"),
        ({"confidence_level": float("nan")}, "confidence_level must lie between 0 and 1"),
        ({"seed": -1}, r"seed must be an integer from 0 to 2\*\*64 - 1"),
        ({"seed": 2**64}, r"seed must be an integer from 0 to 2\*\*64 - 1"),
        ({"seed": True}, r"seed must be an integer from 0 to 2\*\*64 - 1"),
        ({"options": {"colour": "red"}}, "unknown option 'colour'"),
    ],
)
def test_wrong_arguments_are_the_callers(arguments, message, gold, system):
    with pytest.raises(scoring.ConfigurationError, match=message):
        evaluate(gold, system, **arguments)


def test_an_unknown_family_is_the_callers(gold, system):
    with pytest.raises(scoring.ConfigurationError, match="unknown family 'parsing'"):
        scoring.evaluate("parsing", gold=gold, system=system)


def test_one_unit_gets_no_interval(tmp_path):
    gold = make_side(tmp_path / "one", "1\t0 5\tConcept\tx\n", "", "dolor\n")
    result = evaluate(gold, gold, n_resamples=20)
    assert result.intervals == {}
    assert "no interval: one unit" in result.warnings


def test_intervals_of_tables_have_the_rows_of_their_table(gold, system):
    result = evaluate(gold, system, n_resamples=100)
    assert set(result.table_intervals) == {"entity_labels", "relation_labels"}
    for table, intervals in result.table_intervals.items():
        assert len(intervals) == len(result.tables[table])
