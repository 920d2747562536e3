"""The fictional teams of the message task: their methods, and how often they mistake what for what."""

from dataclasses import dataclass, replace

from demo import plan
from demo.chance import Happens, chances, uniform
from demo.labels.messages import INTENTS, SUBJECTS, Message

# What is easily taken for what: complaints report, and who changes a date cancels one.
_NEAR = {
    "complain": "report",
    "report": "complain",
    "change": "cancel",
    "cancel": "change",
    "ask": "order",
    "order": "ask",
    "suggest": "complain",
    "thank": "suggest",
}
# Words by which the baseline knows what is wanted.
_WORDS = {
    "thank": ("thanks", "well done", "pleased"),
    "cancel": ("no longer need", "take me off", "not come"),
    "change": ("address", "moved", "name"),
    "suggest": ("why not", "would help", "think of"),
    "complain": ("third time", "weeks", "care", "disgrace"),
    "report": ("broken", "water", "painted", "does not work"),
    "order": ("please send", "two more", "street party"),
}


@dataclass(frozen=True)
class Rates:
    """How often a system errs, between 0 and 1."""

    wrong: float  # intents
    near: float = 0.7  # of these, such as are taken for the nearest one
    missed: float = 0.2  # subjects
    extra: float = 0.06  # of the subjects that a message has not
    chat: float = 1.0  # by how much more it errs where people write as they speak


Profile = plan.Profile[Rates]
_BOTH = (1, 2)

PROFILES = (
    Profile(
        "Organisers",
        "baseline",
        "Word list",
        "A word list for each intent; the subject whose things are named in full.",
        None,
        _BOTH,
        reference="baseline",
    ),
    Profile(
        "Organisers",
        "clerk",
        "A clerk",
        "One of the office's own people, without the answers of the others.",
        Rates(0.05, missed=0.04, extra=0.01),
        _BOTH,
        reference="human",
        phases=("test",),
    ),
    Profile(
        "Faro NLP",
        "run1",
        "Fine-tuned encoder",
        "One encoder with two heads, trained on the development messages.",
        Rates(0.22, missed=0.17, extra=0.03),
        _BOTH,
    ),
    Profile(
        "Faro NLP",
        "run2",
        "Encoder and paraphrases",
        "As run 1, with paraphrased messages for training.",
        Rates(0.17, missed=0.13, extra=0.035),
        _BOTH,
    ),
    Profile(
        "Marginalia",
        "run1",
        "Ensemble of five",
        "Five encoders vote; a tie goes to the more frequent intent.",
        Rates(0.13, missed=0.1, extra=0.02),
        _BOTH,
    ),
    Profile(
        "Ask Again",
        "run1",
        "Prompted language model",
        "No training; names many subjects, and understands chat as well as mail.",
        Rates(0.16, near=0.4, missed=0.04, extra=0.11, chat=0.7),
        _BOTH,
    ),
    Profile(
        "Index & Sons",
        "run1",
        "Support vector machine",
        "Words and pairs of words; weak where people write as they speak.",
        Rates(0.26, missed=0.24, extra=0.03, chat=1.6),
        _BOTH,
    ),
    Profile(
        "Quill",
        "run1",
        "Patterns",
        "Two hundred hand-written patterns; silent where none fits.",
        Rates(0.33, near=0.3, missed=0.34, extra=0.005),
        _BOTH,
    ),
    Profile(
        "Footnote",
        "run1",
        "Nearest messages",
        "The labels of the five nearest development messages.",
        Rates(0.37, missed=0.28, extra=0.06),
        _BOTH,
        phases=("test",),
    ),
)


def answers(message: Message, profile: Profile) -> tuple[str, tuple[str, ...]]:
    """The intent and the subjects that a run gives a message."""
    if profile.rates is None:
        return _looked_up(message)
    rates = profile.rates
    if message.channel == "chat":
        rates = replace(rates, wrong=min(0.9, rates.wrong * rates.chat), missed=min(0.9, rates.missed * rates.chat))
    happens = chances(profile.name, "messages")
    intent = message.intent
    if happens(rates.wrong, message.id, "intent"):
        others = [each for each in INTENTS if each != intent]
        is_near = happens(rates.near, message.id, "near")
        intent = _NEAR[intent] if is_near else others[int(uniform(profile.name, message.id) * len(others))]
    subjects = [subject for subject in SUBJECTS if _names(subject, message, rates, happens)]
    return intent, tuple(subjects)


def _names(subject: str, message: Message, rates: Rates, happens: Happens) -> bool:
    """Whether the run says that the message is about this subject."""
    if subject in message.subjects:
        return not happens(rates.missed, message.id, subject)
    return happens(rates.extra, message.id, subject)


def _looked_up(message: Message) -> tuple[str, tuple[str, ...]]:
    text = message.text.lower()
    intent = next((name for name, words in _WORDS.items() if any(word in text for word in words[:1])), "ask")
    subjects = tuple(name for name, things in SUBJECTS.items() if any(thing.lower() in text for thing in things[:2]))
    return intent, subjects
