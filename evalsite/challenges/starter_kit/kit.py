"""The starter kit of a phase: what participants need to begin, as one archive with reproducible bytes."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.template.loader import render_to_string
from django.utils.translation import gettext, override

from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.starter_kit import wheel
from evalsite.challenges.starter_kit.samples import check_beside_input
from evalsite.challenges.storage.files import archive_of, named
from evalsite.challenges.storage.uploads import most_bytes
from evalsite.challenges.texts.layouts import layout_text
from scoring.readers.archive import open_files

_CACHED_FOR = 24 * 3600  # seconds, unless the cache needs the room


@dataclass(frozen=True)
class Part:
    """The kit's content for one scenario: paths inside it, and the commands that are typed beside them."""

    scenario: Scenario
    n_units: int
    files: Mapping[str, bytes]  # of input and sample, by path in the kit
    input_folder: str  # folder of the input; "" where the family can make none
    sample_folder: str
    check: str  # as it is typed into a shell in the kit's folder; "" where there is no input
    submit: str  # what follows the address of the phase, to upload the sample

    @property
    def layout(self) -> str:
        """Return what to upload, in the language of the README."""
        return layout_text(self.scenario)


def kit_name(phase: Phase) -> str:
    return f"{_folder(phase)}.zip"


def _folder(phase: Phase) -> str:
    return f"{phase.task.slug}-{phase.slug}-kit"


def kit_of(phase: Phase, site: str) -> bytes:
    """Return the archive; `site` is the address of the home page. It has nothing of the gold but the input."""
    golds = [gold for scenario, gold in golds_in_force(phase).items() if scenario.takes_uploads]
    key = f"kit-{_digest(phase, golds, site)}"
    found: bytes | None = cache.get(key)
    if found is None:
        found = _build(phase, golds, site)
        cache.set(key, found, _CACHED_FOR)
    return found


def _digest(phase: Phase, golds: Sequence[Gold], site: str) -> str:
    """Return a digest of everything that the kit is made from, so that a new address or engine makes a new kit."""
    about = [phase.task, phase, *(gold.scenario for gold in golds)]
    rows = [[getattr(each, field.attname) for field in each._meta.concrete_fields] for each in about]
    facts = [site, wheel.engine_digest(), [gold.pk for gold in golds], rows]
    return hashlib.sha256(json.dumps(facts, default=str).encode()).hexdigest()


def _build(phase: Phase, golds: Sequence[Gold], site: str) -> bytes:
    parts = [_part(gold, is_only=len(golds) == 1) for gold in golds]
    files = {path: content for part in parts for path, content in part.files.items()}
    files |= {wheel.NAME: wheel.engine_wheel(), **_readmes(phase, parts, site)}
    return archive_of({f"{_folder(phase)}/{path}": content for path, content in sorted(files.items())})


def _readmes(phase: Phase, parts: Sequence[Part], site: str) -> dict[str, bytes]:
    """Return a README in each language of the site, as whoever fetches the kit may not be the one who reads it."""
    found = {}
    # English comes last, so that a catalogue without a name for its own README cannot overwrite README.md.
    for language, _native in sorted(settings.LANGUAGES, key=lambda each: each[0] == "en"):
        with override(language):
            found[gettext("README.md")] = _readme(phase, parts, site).encode()
    return found


def _readme(phase: Phase, parts: Sequence[Part], site: str) -> str:
    context = {
        "task": phase.task,
        "phase": phase,
        "parts": parts,
        "site": site.rstrip("/"),
        "wheel": wheel.NAME,
        "max_bytes": most_bytes(phase),
        "path": f"{phase.task.slug}/{phase.slug}",
    }
    text = render_to_string("challenges/kit.md", context)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _part(gold: Gold, *, is_only: bool) -> Part:
    scenario, family = gold.scenario, gold.scenario.engine_family
    with named(gold.file) as path:
        opened, options = open_files(path), scenario.configured
        inputs = family.files.inputs(opened, options) if family.files.inputs else {}
        sample = family.files.sample(opened, options) if family.files.sample else scenario.example
    suffix = "" if is_only else f"-{scenario.number}"
    files: dict[str, bytes] = {}
    folders = (f"input{suffix}" if inputs else "", f"sample{suffix}")
    for folder, contents in zip(folders, (inputs, sample), strict=True):
        files |= {f"{folder}/{path}": content for path, content in contents.items()}
    check = check_beside_input(scenario, *folders) if inputs else ""
    chosen = "" if is_only else f" --scenario {scenario.number}"
    return Part(scenario, gold.n_units, files, *folders, check, f"{folders[1]}{chosen} --method Sample --wait")
