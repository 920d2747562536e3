"""Paired bootstrap on sacreBLEU's own n-gram counts, against its numbers."""

import numpy as np
import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

import scoring
from benchmarks.compare import bleu, bleu_against_baseline, translations
from scoring.significance import Block, points, resampled

N_RESAMPLES = 2_000


@pytest.fixture(scope="module")
def systems():
    named, references = translations(4, 150)
    metric = BLEU()
    counts = {name: np.array(metric._extract_corpus_statistics(lines, [references])) for name, lines in named}
    test = PairedTest(named, {"BLEU": metric}, [references], test_type="bs", n_samples=N_RESAMPLES)
    return counts, test()[1]["BLEU"]


def test_scores_are_equal_and_p_values_by_its_formula_agree_up_to_chance(systems):
    counts, theirs = systems
    scores, p_values = bleu_against_baseline(counts, N_RESAMPLES)
    assert scores == pytest.approx([result.score for result in theirs])
    assert p_values[1:] == pytest.approx([result.p_value for result in theirs[1:]], abs=0.04)


def test_the_means_of_the_resamples_agree_up_to_chance(systems):
    counts, theirs = systems
    for rows, result in zip(counts.values(), theirs, strict=True):
        draws = resampled(Block(rows, bleu), 1, N_RESAMPLES)["bleu"][0]
        assert draws.mean() == pytest.approx(result.mean, abs=4 * draws.std() * np.sqrt(2 / N_RESAMPLES))


def test_the_order_of_systems_is_theirs(systems):
    counts, theirs = systems
    scores = [float(points(Block(rows, bleu))["bleu"]) for rows in counts.values()]
    draws = np.array([resampled(Block(rows, bleu), 1, 500)["bleu"][0] for rows in counts.values()])
    found = scoring.compare_draws(list(counts), scores, draws, 150)
    order = np.argsort([-result.score for result in theirs])
    assert found.names == [list(counts)[number] for number in order]
