"""The fictional teams of the span task: their methods and what they are good and bad at."""

from dataclasses import replace
from functools import partial

from demo import plan
from demo.mat.errors import Rates

# The error rates of a middling system; every run below multiplies them.
MIDDLING = Rates(missing=0.13, boundary=0.12, label=0.08, spurious=0.16, inner=0.25)


Profile = plan.Profile[Rates]
# What most runs enter.
_run = partial(Profile, scenarios=(1, 2))


def _rates(factor: float, inner: float | None = None, by_tag: dict[str, float] | None = None, **traits: float) -> Rates:
    """MIDDLING with all rates multiplied, some of them once more; `inner` is given as it is."""
    rates = {
        trait: getattr(MIDDLING, trait) * factor * traits.get(trait, 1)
        for trait in ("missing", "boundary", "label", "spurious")
    }
    return replace(MIDDLING, **rates, inner=MIDDLING.inner * factor if inner is None else inner, by_tag=by_tag or {})


PROFILES = (
    _run(
        "Organisers",
        "baseline",
        "Word list",
        "Marks every name that the training bulletins contain, the longest one first; knows no clauses.",
        None,
        reference="baseline",
    ),
    _run(
        "Organisers",
        "annotator",
        "Second annotator",
        "A second person marked the bulletins after two hours of training, without seeing the first annotation.",
        _rates(0.17, inner=0.03, label=0.5, by_tag={"EVENT": 1.6, "CAUSE": 2.0}),
        reference="human",
        phases=("test",),
    ),
    _run(
        "Faro NLP",
        "run1",
        "Transformer tagger, one layer",
        "Tags each word with one label, so that of two names in one another it finds the outer one.",
        _rates(0.82, inner=0.75),
    ),
    _run(
        "Faro NLP",
        "run2",
        "Transformer with span scoring",
        "Scores all spans of up to forty words; nested and crossing ones are no trouble.",
        _rates(0.8, inner=0.12),
    ),
    _run(
        "Plimsoll",
        "run1",
        "Ensemble of span scorers",
        "Seven span scorers vote; a span is kept if four of them have it.",
        _rates(0.54, inner=0.1, missing=1.15, spurious=0.6),
        phases=("test",),
    ),
    _run(
        "Sextant Group",
        "run1",
        "Biaffine spans with a gazetteer",
        "Start and end of a span meet in a biaffine layer; a list of ships and harbours is a further input.",
        _rates(0.72, inner=0.12, by_tag={"VESSEL": 0.5, "PLACE": 0.5, "EVENT": 1.2, "CAUSE": 1.2}),
    ),
    _run(
        "Capstan",
        "run1",
        "Stacked taggers",
        "One tagger for the outer names, one for the inner ones, one for the clauses.",
        _rates(0.85, inner=0.25, by_tag={"EVENT": 0.9}),
    ),
    _run(
        "Bosun",
        "run1",
        "Few-shot prompting of a language model",
        "Eight bulletins in the prompt; it overlooks little, marks too much and cuts clauses its own way.",
        _rates(0.95, inner=0.3, missing=0.35, boundary=1.6, spurious=2.3, by_tag={"PERSON": 0.5}),
    ),
    _run(
        "Ropewalk",
        "run1",
        "CRF with word shapes",
        "A linear tagger with prefixes, word shapes and the words around; clauses are mostly beyond it.",
        _rates(1.03, inner=0.8, by_tag={"EVENT": 1.7, "CAUSE": 1.7, "DATE": 0.5}),
        phases=("test",),
    ),
    _run(
        "Driftwood",
        "run1",
        "Small tagger for phones",
        "Four million weights, names only.",
        _rates(0.9, inner=0.6, by_tag={"DATE": 0.4}),
        scenarios=(2,),
        phases=("test",),
    ),
    _run(
        "Keelson",
        "run1",
        "Rules and word lists",
        "Patterns such as 'Harbour Board' and 'the tug'; dates by a grammar, clauses from 'when' to the full stop.",
        _rates(1.55, inner=0.5, spurious=0.8, by_tag={"DATE": 0.1, "ORGANISATION": 0.7, "EVENT": 1.4, "CAUSE": 1.4}),
        phases=("test",),
    ),
)
