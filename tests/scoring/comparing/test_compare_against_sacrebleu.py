"""Paired bootstrap on sacreBLEU's own n-gram counts, against its numbers."""

import numpy as np
import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

import scoring
from scoring.significance import Block, points, resampled

pytestmark = pytest.mark.thorough

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


def bleu_against_baseline(counts, n_resamples):
    """Scores, and p-values by sacreBLEU's formula on our resamples."""
    blocks = [Block(rows, bleu) for rows in counts.values()]
    scores = [float(points(block)["bleu"]) for block in blocks]
    draws = np.array([resampled(block, 1, n_resamples)["bleu"][0] for block in blocks])
    moved = np.abs(draws - draws[0])
    reach = np.abs(np.array(scores) - scores[0])
    beyond = (moved - moved.mean(axis=1, keepdims=True)) > reach[:, np.newaxis]
    return scores, ((1 + beyond.sum(axis=1)) / (n_resamples + 1)).tolist()


def bleu(sums):
    """BLEU (Papineni et al. 2002) from lengths of system and reference, then correct and total n-grams, n = 1 to 4."""
    system, reference = sums[..., 0], sums[..., 1]
    correct, total = sums[..., 2:6], sums[..., 6:10]
    brevity = np.minimum(0, 1 - reference / system)
    return {"bleu": 100 * np.exp(brevity + np.log(correct / total).mean(axis=-1))}


def translations(n_systems, n_segments):
    """Sentences of made-up words, and systems that get more and more of them wrong."""
    rng = np.random.default_rng(5)
    references = [rng.integers(0, 800, rng.integers(8, 30)) for _ in range(n_segments)]

    def spoiled(share):
        lines = []
        for words in references:
            wrong = rng.random(len(words)) < share
            lines.append(" ".join(f"w{word}" for word in np.where(wrong, rng.integers(0, 800, len(words)), words)))
        return lines

    named = [(f"system {number}", spoiled(0.3 + 0.004 * number)) for number in range(n_systems)]
    return named, [" ".join(f"w{word}" for word in words) for words in references]
