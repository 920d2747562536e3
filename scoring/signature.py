"""The one line that makes a result repeatable: all that a score depends on, beside the files.

    family:qac|article:ignore|task:2|score:average_f1|units:90 questions|gold:3f2a91c04b7d|engine:1.3.0|resamples:0

Two results with equal signatures before `resamples` can be compared; with an equal whole line their resamples are the
same.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, unquote

from scoring.family import Family, Options

# The engine's version: it changes when any number may.
__version__ = "1.3.0"


def signature(
    family: Family,
    options: Options,
    *,
    headline: str,
    n_units: int,
    gold_digest: str,
    n_resamples: int,
    confidence_level: float,
    method: str | None,
    seed: int | None,
) -> str:
    """Join the fields `key:value` by `|`; `method` is that of the headline's interval, None without one."""
    fields = evaluated(family, options, headline=headline, n_units=n_units, gold_digest=gold_digest)
    fields["resamples"] = n_resamples
    if n_resamples:
        fields |= {"confidence": confidence_level, "interval": method or "none", "seed": seed}
    return joined(fields)


def evaluated(family: Family, options: Options, *, headline: str, n_units: int, gold_digest: str) -> dict[str, object]:
    """Return the fields that say what was scored, and how."""
    return {
        "family": family.name,
        **changing(family, options),
        "score": headline,
        "units": f"{n_units} {family.unit(options)[1]}",
        "gold": gold_digest[:12],
        "engine": __version__,
    } | ({"package": str(family.package)} if family.package else {})


def version_of(family: Family) -> str:
    """Return the engine's version, and behind a + that of the package that brings the family.

    As Python's versions say what was added locally (PEP 440).
    """
    return f"{__version__}+{family.package.version}" if family.package else __version__


def joined(fields: Mapping[str, object]) -> str:
    """Return one line `key:value|key:value`."""
    return "|".join(f"{key}:{_value(value)}" for key, value in fields.items())


def parsed(signature: str) -> dict[str, str]:
    """Return the fields of a signature as text, from which `joined` makes it again.

    >>> parsed('family:spacy|scores:{"name"%3A"ner"}')
    {'family': 'spacy', 'scores': '{"name":"ner"}'}
    """
    return {key: unquote(value) for key, _, value in (field.partition(":") for field in signature.split("|"))}


def changing(family: Family, options: Options) -> Mapping[str, object]:
    """Return the options that can change a score, sorted by key, without those that are not given.

    Of a file on somebody's own machine only the name is told.
    """
    silent = {option.key for option in family.options if not option.changes_scores}
    local = {option.key for option in family.options if option.is_local}
    return {
        key: Path(value).name if key in local else value
        for key, value in sorted(options.items())
        if key not in silent and value is not None
    }


def _value(value: object) -> str:
    """Return a value as text, in which the signs that divide a signature are percent-encoded.

    >>> _value(True), _value(["PER", "LOC"]), _value("a|b")
    ('yes', 'PER,LOC', 'a%7Cb')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ",".join(map(_value, value))
    if isinstance(value, dict):
        value = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return re.sub(r"[%|:\x00-\x1f\x7f-\x9f]", lambda match: quote(match[0], safe=""), str(value))
