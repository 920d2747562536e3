"""The fictional teams of the announcement task: their methods and what they are good and bad at."""

from dataclasses import replace
from functools import partial

from demo import plan
from demo.spacy.errors import Rates

# The error rates of a middling system; every run below multiplies them.
MIDDLING = Rates(
    missing=0.07, boundary=0.07, label=0.08, spurious=0.3, tag=0.035, head=0.075, dep=0.055, sentence=0.07, blur=1.0
)


Profile = plan.Profile[Rates]
# What most runs enter.
_run = partial(Profile, scenarios=(1, 2, 3), phases=("test",))


def _rates(ents: float, trees: float, blur: float, by_label: dict[str, float] | None = None, **traits: float) -> Rates:
    """MIDDLING with the rates of entities and of tags and trees multiplied, some of them once more."""
    parts = dict.fromkeys(("missing", "boundary", "label", "spurious"), ents)
    parts |= dict.fromkeys(("tag", "head", "dep", "sentence"), trees)
    rates = {name: getattr(MIDDLING, name) * factor * traits.get(name, 1) for name, factor in parts.items()}
    return replace(MIDDLING, **rates, blur=blur, by_label=by_label or {})


PROFILES = (
    _run(
        "Organisers",
        "baseline",
        "Most frequent",
        "Names, tags and words of the training announcements; each word hangs where words of its tag mostly do.",
        None,
        reference="baseline",
        phases=("development", "test"),
    ),
    _run(
        "Organisers",
        "annotator",
        "Second annotator",
        "A person corrected the output of a parser, without seeing the first annotation.",
        _rates(0.15, 0.2, 0.55, spurious=0.4, sentence=0.4),
        reference="human",
    ),
    _run(
        "Faro NLP",
        "run1",
        "Pipeline with convolutions",
        "One small pipeline for everything, as it comes.",
        _rates(0.9, 0.95, 0.8),
        phases=("development", "test"),
    ),
    _run(
        "Faro NLP",
        "run2",
        "Pipeline with a transformer",
        "As run 1 on top of a pretrained transformer that all parts share.",
        _rates(0.7, 0.68, 0.84),
    ),
    _run(
        "Terminus",
        "run1",
        "Biaffine parser",
        "Scores all arcs of a sentence at once; tags and trees only.",
        _rates(1.0, 0.5, 1.0),
        scenarios=(2,),
    ),
    _run(
        "Mind the Gap",
        "run1",
        "Span labels with a timetable",
        "Scores spans; the list of all stops, streets and lines is a further input.",
        _rates(0.6, 1.0, 0.75, {"STOP": 0.6, "LINE": 0.6, "EVENT": 1.4}),
        scenarios=(1, 3),
    ),
    _run(
        "Third Rail",
        "run1",
        "Prompted language model",
        "Asked for everything as JSON; fluent in categories, careless about the edges of names; no trees.",
        _rates(0.84, 1.0, 0.68, boundary=2.0, missing=0.4, spurious=1.4),
        scenarios=(1, 3),
    ),
    _run(
        "Depot",
        "run1",
        "Features made by hand",
        "A greedy parser and a bag of words, both with features made by hand.",
        _rates(1.35, 1.2, 1.05),
        scenarios=(2, 3),
    ),
    _run(
        "Night Bus",
        "run1",
        "Rules",
        "Four hundred patterns for tokens and trees; exact for dates and times, lost elsewhere.",
        _rates(2.0, 1.65, 1.3, {"DATE": 0.1, "TIME": 0.1, "LINE": 0.5}, spurious=0.3),
        scenarios=(1, 2),
    ),
)
