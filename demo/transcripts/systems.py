"""The fictional teams of the transcript task: their methods and what they are good and bad at."""

from dataclasses import replace
from functools import partial

from demo import plan
from demo.transcripts.errors import Rates

# The error rates of a middling system; every run below multiplies or replaces them.
MIDDLING = Rates(substituted=0.085, deleted=0.028, inserted=0.022)


Profile = plan.Profile[Rates]
_run = partial(Profile, scenarios=(1,))


def _rates(factor: float, **traits: float | bool) -> Rates:
    """MIDDLING with substitutions, deletions and insertions multiplied, and some traits as they are given."""
    multiplied = {name: getattr(MIDDLING, name) * factor for name in ("substituted", "deleted", "inserted")}
    return replace(MIDDLING, **(multiplied | traits))


PROFILES = (
    _run(
        "Organisers",
        "baseline",
        "Monophones and a word loop",
        "A recogniser without a language model, trained on the development calls.",
        _rates(3.1, inserted=0.09, fillers=0.9, invents=0.7),
        reference="baseline",
    ),
    _run(
        "Organisers",
        "clerk",
        "A second clerk",
        "A person who knows the line wrote down each call at one hearing.",
        _rates(0.22, deleted=0.012, fillers=0.1, invents=0.0, noise=0.6, writes_sentences=True),
        reference="human",
        phases=("test",),
    ),
    _run(
        "Faro NLP",
        "run1",
        "End-to-end model, greedy",
        "Attention over the spectrum; writes capitals and punctuation, and something into every silence.",
        _rates(0.95, invents=0.9, writes_sentences=True),
    ),
    _run(
        "Faro NLP",
        "run2",
        "End-to-end model with a beam",
        "As run 1 with ten hypotheses and a small language model.",
        _rates(0.74, invents=0.6, writes_sentences=True),
    ),
    _run(
        "Signal Box",
        "run1",
        "Self-supervised encoder, tuned",
        "Pretrained on speech alone and tuned on the development calls; robust to the line.",
        _rates(0.5, noise=0.75),
    ),
    _run(
        "Wire & Wax",
        "run1",
        "Hybrid model with a lexicon of names",
        "Stations and people are in its lexicon, so that it rarely mishears them.",
        _rates(0.62, names=0.7, numbers=0.9),
    ),
    _run(
        "Night Mail",
        "run1",
        "Large multilingual model, as it is",
        "Never saw the railway; writes figures for numbers, which are other words than the reference has.",
        _rates(0.5, names=3.2, writes_digits=True, writes_sentences=True, invents=0.5, fillers=0.05),
    ),
    _run(
        "Quiet Carriage",
        "run1",
        "Recogniser with rejection",
        "Stays silent where it is not sure; a wrong word never costs it anything, a missing one does.",
        _rates(0.66, silent=0.12, invents=0.0, inserted=0.006),
    ),
    _run(
        "Points North",
        "run1",
        "Convolutions and CTC",
        "Small enough for a signal box; loses short words.",
        _rates(1.1, deleted=0.05, fillers=0.2),
    ),
    _run(
        "Two Sidings",
        "run1",
        "Fusion of four recognisers",
        "Votes word by word over four models, two of them tuned to bad lines.",
        _rates(0.45, noise=0.8, inserted=0.012, fillers=0.2),
    ),
    _run(
        "Lamp Room",
        "run1",
        "Hidden Markov models of 2012",
        "An old toolkit, set up again to see how far it goes.",
        _rates(1.75, noise=1.2, fillers=0.8, invents=0.4),
        phases=("test",),
    ),
)
