"""What guests say of a walking tour that does not exist, in three languages, and whether they liked it.

An opinion is a sentence about one side of the tour and often a second one about another. Everything is put together
from the lists below, by chance that is the same in every process.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from demo.chance import uniform

LABELS = ("positive", "mixed", "negative")
LANGUAGES = {"en": "English", "de": "German", "es": "Spanish"}
# {language: {whether one likes it: sentences}}
_SAID: Mapping[str, Mapping[bool, tuple[str, ...]]] = {
    "en": {
        True: (
            "The guide knew every stone of the harbour.",
            "Two hours went by like twenty minutes.",
            "Our children still talk about the smugglers' tunnel.",
            "Worth every penny, even in the rain.",
            "The view from the old signal station is worth the climb.",
            "They waited for my mother at every flight of steps.",
        ),
        False: (
            "We could not hear a word at the back.",
            "Half of the places were closed on a Monday.",
            "It began forty minutes late, and nobody told us why.",
            "Far too many people in one group.",
            "Most of it was about the gift shop.",
            "The path is nothing for a pushchair, whatever the leaflet says.",
        ),
    },
    "de": {
        True: (
            "Die Führerin kannte jeden Stein am Hafen.",
            "Zwei Stunden, die wie im Flug vergingen.",
            "Die Kinder reden noch immer vom Schmugglertunnel.",
            "Sein Geld wert, auch bei Regen.",
            "Der Blick von der alten Signalstation lohnt den Aufstieg.",
            "Auf meine Mutter wurde an jeder Treppe gewartet.",
        ),
        False: (
            "Hinten war kein Wort zu verstehen.",
            "Montags ist die Hälfte geschlossen.",
            "Es ging vierzig Minuten zu spät los, ohne ein Wort dazu.",
            "Viel zu viele Leute in einer Gruppe.",
            "Es ging vor allem um den Andenkenladen.",
            "Mit dem Kinderwagen ist der Weg nichts, was immer im Prospekt steht.",
        ),
    },
    "es": {
        True: (
            "El guía conocía cada piedra del puerto.",
            "Dos horas que se nos hicieron veinte minutos.",
            "Los niños siguen hablando del túnel de los contrabandistas.",
            "Vale lo que cuesta, incluso con lluvia.",
            "La vista desde la vieja estación de señales merece la subida.",
            "A mi madre la esperaron en cada tramo de escaleras.",
        ),
        False: (
            "Desde atrás no se oía ni una palabra.",
            "Un lunes, la mitad estaba cerrada.",
            "Empezó cuarenta minutos tarde y nadie explicó por qué.",
            "Demasiada gente en un solo grupo.",
            "Casi todo trataba de la tienda de recuerdos.",
            "El camino no es para cochecitos, diga lo que diga el folleto.",
        ),
    },
}
_NUMBER = {"development": {"en": 60, "de": 50, "es": 45}, "test": {"en": 180, "de": 140, "es": 120}}


@dataclass(frozen=True)
class Opinion:
    """What one guest says, and whether it is praise."""

    id: str
    text: str
    label: str


@cache
def opinions(phase: str, language: str) -> tuple[Opinion, ...]:
    return tuple(_opinion(phase, language, number) for number in range(1, _NUMBER[phase][language] + 1))


def _opinion(phase: str, language: str, number: int) -> Opinion:
    spot = ("opinion", phase, language, number)
    said = _SAID[language]
    likes = uniform(*spot, "likes") < 0.55
    sentences = [_one(said[likes], *spot, "first")]
    label = "positive" if likes else "negative"
    if uniform(*spot, "second") < 0.6:
        also_likes = uniform(*spot, "also") < (0.6 if likes else 0.4)
        second = _one(said[also_likes], *spot, "words")
        sentences += [second] if second != sentences[0] else []
        label = label if also_likes == likes else "mixed"
    return Opinion(f"{language}-{number:03d}", " ".join(sentences), label)


def _one(items: tuple[str, ...], *spot: object) -> str:
    return items[int(uniform(*spot) * len(items))]
