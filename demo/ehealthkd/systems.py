"""The fictional teams of the demonstration: their methods and what they are good and bad at."""

from dataclasses import dataclass, replace

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


@dataclass(frozen=True)
class Profile:
    """A run of a team. Without rates it is the dictionary baseline, which makes its own mistakes."""

    team: str
    run: str
    method: str
    description: str
    scenarios: tuple[int, ...]
    rates: Rates | None


def _rates(phrases: float, relations: float, **traits: float) -> Rates:
    """MIDDLING with all rates of subtask A and all of subtask B multiplied, and some traits once more."""
    factors = dict.fromkeys(("missing", "boundary", "label", "spurious"), phrases)
    factors |= dict.fromkeys(("lost", "attachment", "confused", "reversed", "invented"), relations)
    return replace(
        MIDDLING,
        **{trait: getattr(MIDDLING, trait) * factor * traits.get(trait, 1) for trait, factor in factors.items()},
    )


PROFILES = (
    Profile(
        "Organisers",
        "baseline",
        "Dictionary look-up",
        "Copies every phrase and every related pair of phrases that the training sentences contain.",
        (1, 2, 3),
        None,
    ),
    Profile(
        "Faro NLP",
        "run1",
        "Multilingual transformer, pipeline",
        "A multilingual encoder tags the words; a second one classifies pairs of phrases within five words.",
        (1, 2, 3),
        _rates(0.85, 1.0, lost=1.2),
    ),
    Profile(
        "Faro NLP",
        "run2",
        "Multilingual transformer, joint",
        "Phrases and relations share one encoder and are learnt together.",
        (1, 2, 3),
        _rates(0.78, 0.8),
    ),
    Profile(
        "Faro NLP",
        "run3",
        "Multilingual transformer, joint, ensemble of five",
        "The vote of five joint models that differ in their seeds.",
        (1, 2, 3),
        _rates(0.68, 0.72),
    ),
    Profile(
        "Tajinaste",
        "run1",
        "Spanish transformer with span classification",
        "Scores all spans of up to five words instead of tagging words; discontinuous ones are beyond it.",
        (1, 2),
        _rates(0.7, 0.9),
    ),
    Profile(
        "Delfín",
        "run1",
        "BiLSTM-CRF with character embeddings",
        "A sequence tagger for the phrases and a convolutional network over the words between two of them.",
        (1, 2, 3),
        _rates(1.0, 1.0, boundary=0.8),
    ),
    Profile(
        "Vencejo",
        "run1",
        "Ensemble of recurrent taggers",
        "Three taggers vote on each word; relations come from a gradient-boosted classifier.",
        (1, 2, 3),
        _rates(0.97, 1.04, spurious=1.3),
    ),
    Profile(
        "Cierzo Lab",
        "run1",
        "CRF with handcrafted features",
        "Word shapes, suffixes and part-of-speech tags; strong on boundaries, weak on words it has not seen.",
        (1, 2, 3),
        _rates(1.1, 1.1, boundary=0.6, missing=1.1),
    ),
    Profile(
        "Lince",
        "run1",
        "Dependency paths and a support vector machine",
        "Relations are read off the syntactic path between two phrases; phrases are noun chunks and verbs.",
        (1, 3),
        _rates(1.15, 0.85, boundary=1.4, label=0.7),
    ),
    Profile(
        "Quetzal",
        "run1",
        "Relation classifier with entity markers",
        "Marks two phrases in the sentence and asks a transformer for their relation; enters relations only.",
        (3,),
        _rates(1.0, 0.84),
    ),
    Profile(
        "Nopal",
        "run1",
        "CRF with suffixes and a medical gazetteer",
        "A light tagger that runs on a laptop; enters key phrases only.",
        (2,),
        _rates(1.15, 1.0, label=0.8),
    ),
    Profile(
        "Yerba Mate",
        "run1",
        "Few-shot prompting of a language model",
        "Twelve examples in the prompt; it finds nearly everything, marks too much and cuts its own way.",
        (1, 2, 3),
        _rates(1.1, 1.3, missing=0.4, spurious=2.6, boundary=1.7, invented=2.0, lost=0.7),
    ),
    Profile(
        "Zahorí",
        "run1",
        "Part-of-speech patterns",
        "Hand-written patterns over tags; verbs are Actions, what stands beside them are subject and target.",
        (1, 2, 3),
        _rates(1.3, 1.25, label=1.4, confused=1.4),
    ),
    Profile(
        "Albahaca",
        "run1",
        "Rules and word lists",
        "Word lists for phrases and one rule for each relation; precise where it dares to answer.",
        (1, 3),
        _rates(1.1, 1.3, missing=1.4, spurious=0.4, invented=0.4, lost=1.2),
    ),
)
