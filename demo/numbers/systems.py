"""The fictional teams of the likeness task: their methods and what they are good and bad at."""

from dataclasses import dataclass, field
from functools import partial

from demo import plan
from demo.chance import uniform
from demo.numbers.pairs import MOST, PENALTIES, Pair, bell, within

# Share of the noise that all systems have in common: hard pairs are hard for everybody.
_SHARED = 0.45


@dataclass(frozen=True)
class Rates:
    """How a system judges."""

    noise: float  # standard deviation of what it adds
    # {change: how much of what people take for it the system takes}; 1 where nothing is said.
    sees: dict[str, float] = field(default_factory=dict)
    slope: float = 1.0  # below 1 it stays near the middle of the scale
    shift: float = 0.0  # above 0 it finds everything more alike than people do
    step: float = 0.0  # it only gives multiples of this
    blunders: float = 0.0  # how often it says anything at all


def judged(pair: Pair, rates: Rates, name: str) -> float:
    """The likeness that a system gives a pair, from 0 to 5."""
    if uniform(name, pair.id, "blunder") < rates.blunders:
        return round(MOST * uniform(name, pair.id, "anything"), 2)
    likeness = MOST - sum(PENALTIES[change] * rates.sees.get(change, 1.0) for change in pair.changes)
    middle = MOST / 2
    noise = _SHARED**0.5 * bell("everybody", pair.id) + (1 - _SHARED) ** 0.5 * bell(name, pair.id)
    value = within(middle + rates.slope * (likeness - middle) + rates.shift + rates.noise * noise)
    return round(round(value / rates.step) * rates.step if rates.step else value, 2)


def overlap(pair: Pair) -> float:
    """The share of words that both notices have, on the judges' scale: the baseline."""
    first, second = (set(text.lower().rstrip(".").split()) for text in (pair.first, pair.second))
    return round(MOST * len(first & second) / len(first | second), 2)


Profile = plan.Profile[Rates]
# What most runs enter.
_run = partial(Profile, scenarios=(1, 2))

PROFILES = (
    _run(
        "Organisers",
        "baseline",
        "Overlap of words",
        "The share of words that both notices have, times five. A denial is only a few words to it.",
        None,
        reference="baseline",
    ),
    _run(
        "Organisers",
        "sixth",
        "A sixth judge",
        "A person who did not take part in the judging.",
        Rates(noise=0.42, step=0.5),
        reference="human",
        phases=("test",),
    ),
    _run(
        "Faro NLP",
        "run1",
        "Sentence embeddings, cosine",
        "The cosine of two embeddings, times five: everything is rather alike, and denials weigh little.",
        Rates(noise=0.75, sees={"denied": 0.35, "words": 0.6}, slope=0.6, shift=0.9),
    ),
    _run(
        "Faro NLP",
        "run2",
        "Embeddings with a regression on top",
        "As run 1, stretched to the judges' scale on the development pairs.",
        Rates(noise=0.7, sees={"denied": 0.45}, slope=0.95),
    ),
    _run(
        "Cross & Encode",
        "run1",
        "Cross-encoder, tuned",
        "Reads both notices together; tuned on the development pairs.",
        Rates(noise=0.5, sees={"denied": 0.95}, slope=0.97),
    ),
    _run(
        "Five Trees",
        "run1",
        "Ensemble of five cross-encoders",
        "The mean of five, which stays off the ends of the scale.",
        Rates(noise=0.43, slope=0.88),
    ),
    _run(
        "Prompt Garden",
        "run1",
        "Large language model, whole numbers",
        "Asked for a number from 0 to 5; a clear mind and a coarse scale.",
        Rates(noise=0.5, step=1.0, sees={"words": 0.3}),
    ),
    _run(
        "Prompt Garden",
        "run2",
        "Large language model, mean of ten answers",
        "The same, asked ten times.",
        Rates(noise=0.4, sees={"words": 0.4}, shift=0.15),
        phases=("test",),
    ),
    _run(
        "Allot",
        "run1",
        "Entailment in both directions",
        "From the probabilities of an entailment model; other words for the same trouble it.",
        Rates(noise=0.62, sees={"words": 2.2, "denied": 1.2, "left out": 0.6}),
    ),
    _run(
        "Word Order",
        "run1",
        "Alignment of words",
        "Aligns words by their embeddings and counts what is left over.",
        Rates(noise=0.85, sees={"denied": 0.5, "time": 0.7}, slope=0.8, shift=0.2),
    ),
    _run(
        "Late Frost",
        "run1",
        "Siamese network from scratch",
        "A small model that saw only the development pairs; now and then it says anything.",
        Rates(noise=0.9, sees={"thing": 0.7, "denied": 0.4}, slope=0.75, blunders=0.06),
    ),
)
