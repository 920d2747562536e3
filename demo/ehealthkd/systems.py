"""The fictional teams of the demonstration: their methods and what they are good and bad at."""

from dataclasses import replace
from functools import partial

from demo import plan
from demo.ehealthkd.errors import Rates

# The error rates of a middling system; every run below multiplies them.
MIDDLING = Rates(
    missing=0.24,
    boundary=0.35,
    label=0.14,
    spurious=0.2,
    lost=0.5,
    attachment=0.13,
    confused=0.14,
    reversed=0.07,
    invented=0.22,
)


Profile = plan.Profile[Rates]
# What most runs enter.
_run = partial(Profile, scenarios=(1, 2, 3))


def _rates(phrases: float, relations: float, **traits: float) -> Rates:
    """MIDDLING with all rates of subtask A and all of subtask B multiplied, and some traits once more."""
    factors = dict.fromkeys(("missing", "boundary", "label", "spurious"), phrases)
    factors |= dict.fromkeys(("lost", "attachment", "confused", "reversed", "invented"), relations)
    return replace(
        MIDDLING,
        **{trait: getattr(MIDDLING, trait) * factor * traits.get(trait, 1) for trait, factor in factors.items()},
    )


PROFILES = (
    _run(
        "Organisers",
        "baseline",
        "Dictionary look-up",
        "Copies every phrase and every related pair of phrases that the training sentences contain.",
        None,
        reference="baseline",
    ),
    _run(
        "Faro NLP",
        "run1",
        "Multilingual transformer, pipeline",
        "A multilingual encoder tags the words; a second one classifies pairs of phrases within five words.",
        _rates(0.85, 1.0, lost=1.2),
    ),
    _run(
        "Faro NLP",
        "run2",
        "Multilingual transformer, joint",
        "Phrases and relations share one encoder and are learnt together.",
        _rates(0.78, 0.8),
    ),
    _run(
        "Faro NLP",
        "run3",
        "Multilingual transformer, joint, ensemble of five",
        "The vote of five joint models that differ in their seeds.",
        _rates(0.68, 0.72),
    ),
    _run(
        "Tajinaste",
        "run1",
        "Spanish transformer with span classification",
        "Scores all spans of up to five words instead of tagging words; discontinuous ones are beyond it.",
        _rates(0.7, 0.9),
        scenarios=(1, 2),
    ),
    _run(
        "Delfín",
        "run1",
        "BiLSTM-CRF with character embeddings",
        "A sequence tagger for the phrases and a convolutional network over the words between two of them.",
        _rates(1.0, 1.0, boundary=0.8),
    ),
    _run(
        "Vencejo",
        "run1",
        "Ensemble of recurrent taggers",
        "Three taggers vote on each word; relations come from a gradient-boosted classifier.",
        _rates(0.97, 1.04, spurious=1.3),
    ),
    _run(
        "Cierzo Lab",
        "run1",
        "CRF with handcrafted features",
        "Word shapes, suffixes and part-of-speech tags; strong on boundaries, weak on words it has not seen.",
        _rates(1.1, 1.1, boundary=0.6, missing=1.1),
    ),
    _run(
        "Lince",
        "run1",
        "Dependency paths and a support vector machine",
        "Relations are read off the syntactic path between two phrases; phrases are noun chunks and verbs.",
        _rates(1.15, 0.85, boundary=1.4, label=0.7),
        scenarios=(1, 3),
    ),
    _run(
        "Quetzal",
        "run1",
        "Relation classifier with entity markers",
        "Marks two phrases in the sentence and asks a transformer for their relation; enters relations only.",
        _rates(1.0, 0.84),
        scenarios=(3,),
    ),
    _run(
        "Nopal",
        "run1",
        "CRF with suffixes and a medical gazetteer",
        "A light tagger that runs on a laptop; enters key phrases only.",
        _rates(1.15, 1.0, label=0.8),
        scenarios=(2,),
    ),
    _run(
        "Yerba Mate",
        "run1",
        "Few-shot prompting of a language model",
        "Twelve examples in the prompt; it finds nearly everything, marks too much and cuts its own way.",
        _rates(1.1, 1.3, missing=0.4, spurious=2.6, boundary=1.7, invented=2.0, lost=0.7),
    ),
    _run(
        "Zahorí",
        "run1",
        "Part-of-speech patterns",
        "Hand-written patterns over tags; verbs are Actions, what stands beside them are subject and target.",
        _rates(1.3, 1.25, label=1.4, confused=1.4),
    ),
    _run(
        "Albahaca",
        "run1",
        "Rules and word lists",
        "Word lists for phrases and one rule for each relation; precise where it dares to answer.",
        _rates(1.1, 1.3, missing=1.4, spurious=0.4, invented=0.4, lost=1.2),
        scenarios=(1, 3),
    ),
)
