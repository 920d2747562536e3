"""The fictional teams of the question task: their methods and what they are good and bad at."""

from dataclasses import replace
from functools import partial

from demo import plan
from demo.qac.errors import Rates

# The error rates of a middling system; every run below multiplies or replaces them.
MIDDLING = Rates(
    missed=0.36,
    deep=0.55,
    extra=0.16,
    reworded=0.06,
    unsupported=0.08,
    credulous=0.6,
    timid=0.04,
    lost=0.18,
)


Profile = plan.Profile[Rates]
# What most runs enter.
_run = partial(Profile, scenarios=(1, 2, 3))


def _rates(factor: float, width: int = 5, repeated: float = 0.0, **traits: float) -> Rates:
    """MIDDLING with what is missed, added or lost multiplied, and some traits as they are given."""
    multiplied = {trait: getattr(MIDDLING, trait) * factor for trait in ("missed", "extra", "lost", "reworded")}
    return replace(MIDDLING, width=width, repeated=repeated, **(multiplied | traits))


PROFILES = (
    _run(
        "Organisers",
        "baseline",
        "Rarest words",
        "Takes the article with the rarest words of the question, and from it years, figures or names.",
        None,
        reference="baseline",
    ),
    _run(
        "Organisers",
        "librarian",
        "A librarian",
        "A person with the articles on paper and four hours.",
        _rates(0.12, width=2, deep=0.6, credulous=0.05, timid=0.02, unsupported=0.02),
        reference="human",
        phases=("test",),
    ),
    _run(
        "Faro NLP",
        "run1",
        "Retrieval and a reading model",
        "Dense retrieval of three articles, then a span extractor; always answers.",
        _rates(0.9, credulous=1.0, timid=0.0, lost=0.12, extra=0.12),
    ),
    _run(
        "Faro NLP",
        "run2",
        "Retrieval, reading model and a verifier",
        "As run 1; a second model may reject all answers.",
        _rates(0.7, credulous=0.3, timid=0.04),
    ),
    _run(
        "Marginalia",
        "run1",
        "Ensemble with reranking",
        "Five readers propose, a cross-encoder orders; strong at the first place.",
        _rates(0.52, deep=0.7, credulous=0.35, extra=0.08),
    ),
    _run(
        "Index & Sons",
        "run1",
        "Facts in a table first",
        "Turns all articles into a table of facts and the questions into look-ups; finds lists whole.",
        _rates(0.66, deep=0.4, extra=0.05, credulous=0.25, timid=0.06, lost=0.1),
    ),
    _run(
        "Ask Again",
        "run1",
        "Prompted language model with search",
        "Fluent and complete, but it embellishes, repeats itself and cites from memory.",
        _rates(0.74, reworded=0.07, unsupported=0.35, extra=0.2, credulous=0.8, repeated=0.3, lost=0.05),
    ),
    _run(
        "Footnote",
        "run1",
        "Sparse retrieval and named entities",
        "Ranks the names near the question's words by their sort.",
        _rates(0.98, deep=0.5, credulous=0.9, lost=0.12),
        phases=("test",),
    ),
    _run(
        "Quill",
        "run1",
        "Question templates",
        "Three hundred patterns; says nothing where none of them fits.",
        _rates(1.05, width=2, timid=0.13, credulous=0.1, extra=0.03, deep=0.3, lost=0.22),
    ),
    _run(
        "Second Volume",
        "run1",
        "Memory network",
        "Reads the whole encyclopaedia once; built for series and enters them only.",
        _rates(0.85, lost=0.03),
        scenarios=(3,),
        phases=("test",),
    ),
)
