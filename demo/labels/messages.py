"""Short messages to the town hall of a place that does not exist: what they want, and what they are about.

A message is an opening that tells what its sender wants, a thing that belongs to a subject, and now and then a second
thing. Everything is put together from the lists below, by chance that is the same in every process.
"""

from dataclasses import dataclass
from functools import cache

from demo.chance import uniform

CHANNELS = ("mail", "chat", "phone")
# {what is wanted: how it is said}; {} is a thing.
INTENTS = {
    "ask": (
        "When does {} open again?",
        "Could you tell me who looks after {}?",
        "What does it cost to use {}?",
        "Is there a plan of {} anywhere?",
    ),
    "report": (
        "I want to let you know that {} is broken.",
        "There is water coming out beside {}.",
        "Somebody has painted over {}.",
        "Since last night {} does not work.",
    ),
    "complain": (
        "It is the third time this month that {} is closed.",
        "I have waited for weeks, and {} is still not mended.",
        "Nobody in this office seems to care about {}.",
        "Really, {} is a disgrace.",
    ),
    "thank": (
        "Many thanks for {}, it looks splendid.",
        "Whoever saw to {}: well done.",
        "My mother is so pleased with {}.",
    ),
    "order": (
        "Please send me the form for {}.",
        "I should like two more, as for {} last year.",
        "We need {} for our street party.",
    ),
    "change": (
        "My address for {} is no longer right.",
        "Could my date at {} be moved to Thursday?",
        "Please put {} in my husband's name.",
    ),
    "cancel": (
        "I no longer need {}.",
        "Please take me off the list for {}.",
        "We shall not come to {} after all.",
    ),
    "suggest": (
        "Why not put benches beside {}?",
        "It would help if {} were lit at night.",
        "Other towns have two of them: think of {}.",
    ),
}
SUBJECTS = {
    "waste": ("the brown bin", "the glass container", "the collection of old paper", "the dump at Mill Lane"),
    "traffic": ("the crossing at Gate Street", "the bus stop by the church", "the new cycle path", "the one-way sign"),
    "water": ("the fountain on Salt Square", "the drain in Weaver Street", "the pump in the allotments"),
    "pool": ("the small pool", "the swimming course", "the sauna", "the diving board"),
    "library": ("the reading room", "the library card", "the children's hour", "the lending machine"),
    "permits": ("the building permit", "the resident's parking badge", "the market stall", "the dog licence"),
    "parks": ("the playground by the weir", "the rose garden", "the old lime tree", "the paddock"),
    "lighting": ("the lamp in front of number 12", "the light in the underpass", "the clock on the tower"),
}
_JOINS = ("And while I am at it: what about {}?", "The same goes for {}.", "It is near {}, if that helps.")
_GREETINGS = {"mail": "Dear Sir or Madam, ", "chat": "hi, ", "phone": "(Caller) "}
_NUMBER = {"development": 160, "test": 260}


@dataclass(frozen=True)
class Message:
    """One message with what it wants and what it is about."""

    id: str
    channel: str
    text: str
    intent: str
    subjects: tuple[str, ...]  # none where it speaks of the office alone


@cache
def messages(phase: str) -> tuple[Message, ...]:
    return tuple(_message(phase, number) for number in range(1, _NUMBER[phase] + 1))


def _message(phase: str, number: int) -> Message:
    spot = ("message", phase, number)
    channel = _one(CHANNELS, *spot, "channel")
    # Some things are wanted more often than others, as in any office.
    intent = _one((*INTENTS, "ask", "ask", "report", "report", "complain"), *spot, "intent")
    first = _one(tuple(SUBJECTS), *spot, "subject")
    subjects = [first] if uniform(*spot, "office") > 0.08 else []
    thing = _one(SUBJECTS[first], *spot, "thing") if subjects else "your office"
    text = _one(INTENTS[intent], *spot, "words").format(thing)
    if subjects and uniform(*spot, "second") < 0.3:
        second = _one(tuple(SUBJECTS), *spot, "second subject")
        text += " " + _one(_JOINS, *spot, "join").format(_one(SUBJECTS[second], *spot, "second thing"))
        subjects += [second] if second != first else []
    return Message(f"{phase[0]}{number:03d}", channel, _GREETINGS[channel] + text, intent, tuple(sorted(subjects)))


def _one(items: tuple[str, ...], *spot: object) -> str:
    return items[int(uniform(*spot) * len(items))]
