"""The resamples: their seed, their weights, and their independence of how they are computed."""

import hashlib
import itertools

import numpy as np
import pytest

from scoring.significance import batches, draws, seed_of, weights

FIRST_FOUR = [[1, 0, 2, 2, 0], [2, 1, 1, 1, 0], [0, 0, 1, 4, 0], [1, 1, 2, 0, 1]]


def test_the_seed_is_the_start_of_the_digest_of_the_gold():
    digest = hashlib.sha256(b"q1\n").hexdigest()
    assert digest.startswith("bb98a35c4fe1e84f")
    assert seed_of(digest) == 3300228002545182


def test_weights_follow_from_the_raw_words_by_multiplication_and_shift():
    np.testing.assert_array_equal(weights(42, 5, 0, 4), FIRST_FOUR)


def test_any_slice_of_the_resamples_may_be_drawn_by_itself():
    np.testing.assert_array_equal(weights(42, 5, 2, 4), FIRST_FOUR[2:])


@pytest.mark.parametrize("n_units", [1, 2, 7, 100])
def test_weights_equal_an_evaluation_by_hand_in_plain_integers(n_units):
    stream = np.random.PCG64(7)
    expected = []
    for _ in range(20):
        words = [int(stream.random_raw()) for _ in range((n_units + 1) // 2)]
        halves = itertools.chain.from_iterable((word & 0xFFFFFFFF, word >> 32) for word in words)
        drawn = [half * n_units >> 32 for half in itertools.islice(halves, n_units)]
        expected.append([drawn.count(unit) for unit in range(n_units)])
    np.testing.assert_array_equal(weights(7, n_units, 0, 20), expected)


@pytest.mark.parametrize("batch", [None, 1, 7, 1000])
def test_batches_of_any_size_hold_the_same_resamples(batch):
    drawn = np.concatenate(list(batches(9, 30, 500, batch)))
    np.testing.assert_array_equal(drawn, weights(9, 30, 0, 500))


def test_the_first_resamples_do_not_depend_on_how_many_follow():
    long = np.concatenate(list(batches(3, 40, 2000)))
    short = np.concatenate(list(batches(3, 40, 1000)))
    np.testing.assert_array_equal(long[:1000], short)


def test_kept_weights_are_as_small_as_they_can_be_and_cannot_be_changed():
    kept = list(batches(5, 300, 2000))
    assert {batch.dtype for batch in kept} == {np.dtype(np.uint8)}
    assert all(kept_batch is again for kept_batch, again in zip(kept, batches(5, 300, 2000), strict=True))
    with pytest.raises(ValueError, match="read-only"):
        kept[0][0, 0] = 1


def test_weights_of_large_golds_are_drawn_batch_by_batch():
    drawn = batches(5, 200_000, 1000)
    first = next(drawn)
    assert first.shape == (1, 200_000)
    assert first.sum() == 200_000
    np.testing.assert_array_equal(next(drawn), weights(5, 200_000, 1, 2))


def test_the_largest_seed_is_accepted():
    assert weights(2**64 - 1, 4, 0, 3).sum(axis=1).tolist() == [4, 4, 4]


def test_weights_drawn_ahead_are_not_drawn_again():
    draws.cache_weights(seed=77, n_units=7, n_resamples=30)
    n_before = draws.n_drawn()
    found = np.concatenate(list(batches(77, 7, 30)))
    assert draws.n_drawn() == n_before
    assert np.array_equal(found, weights(77, 7, 0, 30))


@pytest.mark.parametrize(("n_units", "n_resamples"), [(0, 100), (2**13, 2**13), (-1, 100)])
def test_what_is_too_large_to_keep_is_not_drawn_ahead(n_units, n_resamples):
    n_before = draws.n_drawn()
    draws.cache_weights(seed=78, n_units=n_units, n_resamples=n_resamples)
    assert draws.n_drawn() == n_before


def test_the_golds_used_last_are_kept_as_far_as_there_is_room(monkeypatch):
    monkeypatch.setattr(draws, "_CACHED_BYTES", 2500)  # of two of the three below
    for seed in (81, 82, 81, 83):
        draws.cache_weights(seed, n_units=10, n_resamples=100)
    n_before = draws.n_drawn()
    draws.cache_weights(81, n_units=10, n_resamples=100)
    assert draws.n_drawn() == n_before
    draws.cache_weights(82, n_units=10, n_resamples=100)
    assert draws.n_drawn() == n_before + 1
