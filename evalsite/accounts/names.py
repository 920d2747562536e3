"""Names of people and teams: what they may consist of, and when people could not tell two of them apart."""

import re
import unicodedata
from itertools import groupby
from pathlib import Path

LONGEST = 200  # characters that are compared; a single sign can stand for eighteen
MOST_MARKS = 3  # on a letter; more pile up into the lines above and below

# Characters that draw nothing, though some are letters or marks: fillers, and those that Unicode ignores.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
_BLANK = "\N{BRAILLE PATTERN BLANK}"  # a sign without dots
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
# Scripts whose spelling needs joiners: letters change their shape with their neighbours, or form one sign with them.
_JOINING = {
    *("ADLAM", "ARABIC", "BENGALI", "DEVANAGARI", "GUJARATI", "GURMUKHI", "KANNADA", "KHMER", "MALAYALAM", "MANDAIC"),
    *("MONGOLIAN", "MYANMAR", "NKO", "ORIYA", "PHAGS-PA", "SINHALA", "SYRIAC", "TAMIL", "TELUGU", "TIBETAN"),
}


def cleaned(name: str) -> str:
    """Return the name with accents composed, blanks single, and nothing that could hide or reorder its surroundings.

    The caller bounds its length: composing is quadratic in the number of marks on one letter.

    >>> cleaned("  Jose\N{COMBINING ACUTE ACCENT}\N{RIGHT-TO-LEFT OVERRIDE} \N{HANGUL FILLER} Lab")
    'José Lab'
    """
    seen = _UNSEEN.sub("", name.replace(_BLANK, " "))
    composed = " ".join(unicodedata.normalize("NFC", seen).split())
    kept = [char for char in composed if char in _JOINERS or unicodedata.category(char) not in _HIDDEN]
    return " ".join("".join(_without_idle_joiners(kept)).split())


_HIDDEN = {"Cc", "Cf", "Co", "Cs"}  # controls, formats, private signs, halves of signs


def _without_idle_joiners(chars: list[str]) -> list[str]:
    """Keep joiners only after a letter of a script that needs them, one at a time."""
    kept: list[str] = []
    for char in chars:
        if char in _JOINERS and (not kept or kept[-1] in _JOINERS or _script_of(kept[-1]) not in _JOINING):
            continue
        kept.append(char)
    return kept


def _script_of(char: str) -> str:
    """Return the first word of the character's name, such as ARABIC."""
    return unicodedata.name(char, "").partition(" ")[0]


def has_piled_marks(name: str) -> bool:
    """Return whether more marks stand on one letter than a script needs."""
    runs = groupby(name, key=lambda char: unicodedata.category(char) in {"Mn", "Me"})
    return any(are_marks and len(list(run)) > MOST_MARKS for are_marks, run in runs)


def comparable(name: str) -> str:
    """Return a name without case, width, ways to write an accent, blanks that repeat and invisible signs.

    >>> comparable("  Ｆａｒｏ  NLP") == comparable("faro nlp")
    True
    """
    # Folding can undo what normalising has composed, and the other way round.
    folded = unicodedata.normalize("NFKC", _visible(name).casefold())
    return unicodedata.normalize("NFKC", " ".join(folded.split()))[:LONGEST]


def skeleton(name: str) -> str:
    """Return the name's skeleton by Unicode's Standard 39, without case: signs that look alike become one.

    It stands beside `comparable`, which finds the same word in other case, also where capitals look like other letters
    than small ones do.

    >>> skeleton("Р\N{CYRILLIC SMALL LETTER A}ris 1") == skeleton("paris l")
    True
    """
    # Once more, since a capital and its small letter can stand for different signs: "M" for itself, "m" for "rn".
    replaced = _replace_confusables(_replace_confusables(_visible(name)).casefold())
    return unicodedata.normalize("NFKC", " ".join(replaced.split()))[:LONGEST]


def _replace_confusables(text: str) -> str:
    return "".join(_CONFUSABLES.get(char, char) for char in unicodedata.normalize("NFD", text))


def _visible(name: str) -> str:
    """Return the normalised name without signs that draw nothing; `split` removes line breaks later."""
    plain = unicodedata.normalize("NFKC", _UNSEEN.sub("", name[:LONGEST].replace(_BLANK, " ")))
    return "".join(char for char in plain if char.isspace() or unicodedata.category(char) not in {"Cc", "Cf"})


def _read_confusables() -> dict[str, str]:
    """Read, for each sign, the one that stands for all that look like it."""
    alike: dict[str, str] = {}
    for line in Path(__file__).with_name("confusables.txt").read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            stands_for, signs = (part.split() for part in line.split("="))
            alike |= dict.fromkeys(map(_sign, signs), "".join(map(_sign, stands_for)))
    return alike


def _sign(number: str) -> str:
    return chr(int(number, 16))


_CONFUSABLES = _read_confusables()
