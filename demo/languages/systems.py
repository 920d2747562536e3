"""The fictional teams of the task in three languages: their methods, and how often they err in each language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from demo import plan
from demo.chance import chances, uniform
from demo.languages.opinions import LABELS, LANGUAGES, Opinion


@dataclass(frozen=True)
class Rates:
    """How often a system errs, between 0 and 1."""

    wrong: float  # of opinions in English
    languages: Mapping[str, float] = field(default_factory=dict)  # by how much more in others; they may be left out
    lacks: tuple[str, ...] = ()  # languages of which the run has nothing


Profile = plan.Profile[Rates]
_run = partial(Profile, scenarios=tuple(range(1, len(LANGUAGES) + 1)), phases=("test",))
_open = partial(Profile, scenarios=tuple(range(1, len(LANGUAGES) + 1)))
_EVEN = {"de": 1.1, "es": 1.15}

PROFILES = (
    _open(
        "Organisers",
        "baseline",
        "Counting sentences",
        "One sentence is praise, and two are mixed.",
        None,
        reference="baseline",
    ),
    _run(
        "Organisers",
        "guides",
        "Two tour guides",
        "People who know the tour read each opinion once.",
        Rates(0.05, _EVEN),
        reference="human",
    ),
    _open(
        "Faro NLP",
        "run1",
        "One multilingual encoder",
        "Trained on the development opinions of all languages together.",
        Rates(0.24, _EVEN),
    ),
    _run(
        "Faro NLP",
        "run2",
        "One encoder, translated data",
        "As run 1, with machine translations of each opinion for training.",
        Rates(0.17, _EVEN),
    ),
    _open(
        "Marginalia",
        "run1",
        "An encoder for each language",
        "Three models that know nothing of each other.",
        Rates(0.13, {"de": 1.2, "es": 1.9}),
    ),
    _run(
        "Ask Again",
        "run1",
        "Prompted language model",
        "No training; the prompt is in English for all languages.",
        Rates(0.14, {"de": 1.3, "es": 1.2}),
    ),
    _run(
        "Index & Sons",
        "run1",
        "Translate, then classify",
        "Everything becomes English first, and some of it gets lost.",
        Rates(0.16, {"de": 1.8, "es": 1.5}),
    ),
    _run(
        "Quill",
        "run1",
        "Word lists",
        "A list of good and bad words for each language.",
        Rates(0.34, {"de": 1.15, "es": 1.0}),
    ),
    _run(
        "Footnote",
        "run1",
        "Nearest opinions",
        "The label of the five nearest development opinions.",
        Rates(0.38, {"de": 0.9, "es": 1.1}),
    ),
    _run(
        "Kurz & Knapp",
        "run1",
        "German encoder, used for English",
        "Trained on German alone; there is no run in Spanish.",
        Rates(0.3, {"de": 0.35}, lacks=("es",)),
    ),
)


def answer(opinion: Opinion, language: str, profile: Profile) -> str:
    """The label that a run gives an opinion."""
    if profile.rates is None:
        return "mixed" if ". " in opinion.text else "positive"
    wrong = min(0.9, profile.rates.wrong * profile.rates.languages.get(language, 1.0))
    if not chances(profile.name, "opinions")(wrong, opinion.id):
        return opinion.label
    # What is mixed is taken for praise or blame, and these for mixed more often than for each other.
    if opinion.label == "mixed" or uniform(profile.name, opinion.id, "far") < 0.25:
        others = [label for label in LABELS if label not in (opinion.label, "mixed")]
        return others[int(uniform(profile.name, opinion.id) * len(others))]
    return "mixed"
