"""The starter kit of a phase: what participants need to begin, as one archive with reproducible bytes."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils.translation import gettext, override

from evalsite.challenges.access import Role, sees_kept
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Download, Gold, Phase, Scenario
from evalsite.challenges.starter_kit import wheel
from evalsite.challenges.starter_kit.samples import check_beside_input
from evalsite.challenges.storage.files import archive_of, local_path, named
from evalsite.challenges.storage.uploads import most_bytes
from evalsite.challenges.texts.layouts import layout_text
from scoring.readers.archive import open_files

_CACHED_FOR = 24 * 3600  # seconds, unless the cache needs the room
# Bytes of the organisers' files; the README links to those that do not fit any more. Kits are cached in Redis.
_MOST_DATA = 4 * 2**20


@dataclass(frozen=True)
class Part:
    """The kit's content for one scenario: paths inside it, and the commands that are typed beside them."""

    scenario: Scenario
    n_units: int
    files: Mapping[str, bytes]  # of input and sample, by path in the kit
    units_folder: str  # of the units that the checker reads a run beside; "" where the family can make none
    sample_folder: str
    check: str  # as it is typed into a shell in the kit's folder; "" where there are no units
    submit: str  # what follows the address of the phase, to upload the sample

    @property
    def layout(self) -> str:
        """Return what to upload, in the language of the README."""
        return layout_text(self.scenario)


def kit_name(phase: Phase) -> str:
    return f"{_folder(phase)}.zip"


def _folder(phase: Phase) -> str:
    return f"{phase.task.slug}-{phase.slug}-kit"


def kit_of(phase: Phase, site: str, role: Role) -> bytes:
    """Return the archive for visitors of this role; `site` is the address of the home page.

    It has nothing of the gold but the input.
    """
    golds = [gold for scenario, gold in golds_in_force(phase).items() if scenario.has_sample]
    data = _data_of(phase, role)
    key = f"kit-{_digest(phase, golds, data, site)}"
    kit: bytes | None = cache.get(key)
    if kit is None:
        kit = _build(phase, golds, data, site)
        cache.set(key, kit, _CACHED_FOR)
    return kit


def _data_of(phase: Phase, role: Role) -> list[Download]:
    """Return what the organisers give out by now to the role, for the phase or for all phases."""
    offered = phase.task.downloads.filter(Q(phase=phase) | Q(phase=None)).select_related("phase")
    return [download for download in offered if download.is_available and sees_kept(role, download)]


def _digest(phase: Phase, golds: Sequence[Gold], data: Sequence[Download], site: str) -> str:
    """Return a digest of everything that the kit is made from, so that a new address or engine makes a new kit."""
    about = [phase.task, phase, *(gold.scenario for gold in golds), *data]
    rows = [[getattr(row, field.attname) for field in row._meta.concrete_fields] for row in about]
    facts = [site, wheel.engine_digest(), [gold.pk for gold in golds], rows]
    return hashlib.sha256(json.dumps(facts, default=str).encode()).hexdigest()


def _build(phase: Phase, golds: Sequence[Gold], data: Sequence[Download], site: str) -> bytes:
    parts = [_part(gold, is_only=len(golds) == 1) for gold in golds]
    files = {path: content for part in parts for path, content in part.files.items()}
    within = _within(data)
    files |= {f"data/{name}": content for name, content in _contents(within)}
    files |= {wheel.NAME: wheel.engine_wheel(), **_readmes(phase, parts, data, within, site)}
    return archive_of({f"{_folder(phase)}/{path}": content for path, content in sorted(files.items())})


def _within(data: Sequence[Download]) -> list[Download]:
    """Return the files that fit into the kit, the first ones first; of two with one name only one does."""
    files: dict[str, Download] = {}
    room = _MOST_DATA
    for download in data:
        if download.file.size <= room and download.download_name not in files:
            files[download.download_name] = download
            room -= download.file.size
    return [*files.values()]


def _contents(data: Sequence[Download]) -> Iterator[tuple[str, bytes]]:
    for download in data:
        with local_path(download.file) as path:
            yield download.download_name, path.read_bytes()


def _readmes(
    phase: Phase, parts: Sequence[Part], data: Sequence[Download], within: Sequence[Download], site: str
) -> dict[str, bytes]:
    """Return a README in each language of the site, as whoever fetches the kit may not be the one who reads it."""
    readmes = {}
    # English comes last, so that a catalogue without a name for its own README cannot overwrite README.md.
    for language, _native in sorted(settings.LANGUAGES, key=lambda pair: pair[0] == "en"):
        with override(language):
            readmes[gettext("README.md")] = _readme(phase, parts, site, data=data, within=within).encode()
    return readmes


def _readme(phase: Phase, parts: Sequence[Part], site: str, **files: Sequence[Download]) -> str:
    context = {
        **files,
        "task": phase.task,
        "phase": phase,
        "parts": parts,
        "site": site.rstrip("/"),
        "installed": f"./{wheel.NAME}{wheel.extras_of(part.scenario for part in parts)}",
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
    folders = (f"units{suffix}" if inputs else "", f"sample{suffix}")
    for folder, contents in zip(folders, (inputs, sample), strict=True):
        files |= {f"{folder}/{path}": content for path, content in contents.items()}
    check = check_beside_input(scenario, *folders) if inputs else ""
    chosen = "" if is_only else f" --scenario {scenario.number}"
    return Part(scenario, gold.n_units_in_file, files, *folders, check, f"{folders[1]}{chosen} --method Sample --wait")
