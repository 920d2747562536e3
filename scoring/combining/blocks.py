"""Which scenarios share resamples, and the seed of each."""

from collections.abc import Iterable, Mapping
from hashlib import sha256

from scoring.evaluation import Evaluation
from scoring.significance import seed_of


def seeds_of(parts: Mapping[str, Evaluation], seed: int | None) -> dict[str, int]:
    """The seed that each scenario's resamples follow from.

    Scenarios on the same units share a *block*, and with it the resamples, so that their scores keep their
    correlation; blocks are independent of each other. Unrelated units that bear the same names by chance share
    resamples too, which is harmless: the covariance of unrelated items is zero on average.
    """
    blocks = _blocks(parts)
    digests = [digest_of({parts[scenario].gold_digest for scenario in block}) for block in blocks]
    seeds = [_seed(digest, seed, n_blocks=len(blocks)) for digest in digests]
    return {scenario: own for block, own in zip(blocks, seeds, strict=True) for scenario in block}


def digest_of(golds: Iterable[str]) -> str:
    """One digest for golds on the same units: theirs if they are the same gold, else one of all of them, sorted.

    >>> digest_of(["b" * 64, "a" * 64])[:13], digest_of(["c" * 64, "c" * 64])[:13]
    ('5e9ae866add9a', 'ccccccccccccc')
    """
    distinct = sorted(set(golds))
    return distinct[0] if len(distinct) == 1 else sha256("\n".join(distinct).encode()).hexdigest()


def _blocks(parts: Mapping[str, Evaluation]) -> list[list[str]]:
    """Names of the scenarios that have the same units, in the order of first sight."""
    blocks: list[list[str]] = []
    for scenario, part in parts.items():
        same = next((block for block in blocks if parts[block[0]].units == part.units), None)
        if same is None:
            blocks.append([scenario])
        else:
            same.append(scenario)
    return blocks


def _seed(digest: str, seed: int | None, *, n_blocks: int) -> int:
    """From the golds alone, or from the caller's number; of several blocks, each has its own."""
    if seed is None:
        return seed_of(digest)
    # One seed for all would draw the same places of unrelated golds together.
    return seed if n_blocks == 1 else seed_of(sha256(f"{seed}|{digest}".encode()).hexdigest())
