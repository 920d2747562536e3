"""The fictional teams of the coreference task: their methods and what they are good and bad at."""

from dataclasses import replace
from functools import partial

from demo import plan
from demo.coreference.errors import Rates

# The error rates of a middling system; every run below multiplies them.
MIDDLING = Rates(
    missing=0.1, pronoun=0.2, description=0.22, merged=0.14, split=0.12, boundary=0.08, spurious=0.3, singletons=1.0
)


Profile = plan.Profile[Rates]
# What most runs enter.
_run = partial(Profile, scenarios=(1, 2), phases=("test",))


def _rates(factor: float, singletons: float = 1.0, **traits: float) -> Rates:
    """MIDDLING with all rates multiplied, some of them once more; `singletons` is given as it is."""
    names = ("missing", "pronoun", "description", "merged", "split", "boundary", "spurious")
    rates = {name: getattr(MIDDLING, name) * factor * traits.get(name, 1) for name in names}
    return replace(MIDDLING, **rates, singletons=singletons)


PROFILES = (
    _run(
        "Organisers",
        "baseline",
        "Equal strings",
        "Pronouns, names and groups with an article are mentions; equal strings are one entity.",
        None,
        reference="baseline",
        phases=("development", "test"),
    ),
    _run(
        "Organisers",
        "annotator",
        "Second annotator",
        "A second person marked the reports with the guidelines at hand.",
        _rates(0.16, merged=0.1, split=0.2, boundary=1.5),
        reference="human",
    ),
    _run(
        "Faro NLP",
        "run1",
        "Span ranking, as trained",
        "Ranks the earlier mentions for each span; its training data had no mentions alone, so it marks none.",
        _rates(0.7, singletons=0.0, missing=0.8, spurious=0.5),
    ),
    _run(
        "Faro NLP",
        "run2",
        "Span ranking with single mentions",
        "As run 1, with a threshold of its own for mentions that stand alone.",
        _rates(0.78),
        phases=("development", "test"),
    ),
    _run(
        "Antecedent",
        "run1",
        "Ensemble of link models",
        "Four models vote on each link; careful with descriptions, almost never merges two people.",
        _rates(0.62, merged=0.4, description=0.9),
    ),
    _run(
        "Who's Who",
        "run1",
        "Entities as memory cells",
        "Keeps a cell for each person and updates it sentence by sentence; weak where two share a gender.",
        _rates(0.72, merged=2.2, pronoun=0.8, split=0.4),
    ),
    _run(
        "Ditto",
        "run1",
        "Prompted language model",
        "Rewrites the report with brackets; finds nearly everything, but loses words at the edges.",
        _rates(0.82, missing=0.4, boundary=2.6, spurious=1.6, pronoun=0.7),
        scenarios=(1,),
    ),
    _run(
        "Hereinafter",
        "run1",
        "Pairs of mentions",
        "A classifier of mention pairs, closed transitively; chains run together.",
        _rates(1.03, merged=1.6, description=0.8),
        scenarios=(2,),
    ),
    _run(
        "Sieve & Sons",
        "run1",
        "Ten sieves",
        "Hand-written rules from the most to the least precise; a description opens a new entity.",
        _rates(1.05, merged=0.2, description=2.1, pronoun=1.2, split=0.3),
    ),
)
