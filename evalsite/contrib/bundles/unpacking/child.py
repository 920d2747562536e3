"""The functions that a child process runs for an import (`evalsite.jobs.sandbox`), with no Django and no database."""

import bisect
import hashlib
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml

import scoring
from evalsite.challenges.storage.zip_streams import DATE, READABLE
from evalsite.contrib.bundles.problems import BundleError
from evalsite.contrib.bundles.unpacking.archive import Archive, Copy
from evalsite.contrib.bundles.unpacking.html_pages import MOST_BYTES as MOST_BYTES_OF_PAGE
from evalsite.contrib.bundles.unpacking.html_pages import as_markdown
from evalsite.contrib.bundles.unpacking.settings_file import MOST_BYTES, as_table, nodes_of, parsed
from evalsite.submissions.causes import finding_to_json
from scoring.budget import GoldSize
from scoring.findings import Finding
from scoring.messages import to_data
from scoring.readers.archive import Made, Named, open_files

OnStep = Callable[[str], None]
MOST_PACKED = 50 * 2**20  # bytes of a folder that is packed as one file
MOST_PACKED_IN_ALL = 4 * MOST_PACKED
MOST_PAGES = 200  # of HTML; as many descriptions
HTML = (".html", ".htm")
PROGRAMS = ("scoring_program", "ingestion_program", "docker_image", "competition_docker_image", "queue")
UNREAD = (*PROGRAMS, "input_data", "image", "solutions")


def unpack(arguments: dict[str, Any], on_step: OnStep) -> dict[str, Any]:
    """Write the members that the settings of a bundle name to files.

    Takes `path` and `name` of the archive, and `folder`, an empty one. Gives `problems`; or `settings`, their name,
    `nodes`, as `as_table` has them, and `files`: by path the name of a file in the folder, `size` and `sha256`. Of a
    competition gives also `folders`: by the folder's path that of a file, which is packed of it; `pages` and `texts`:
    Markdown by the path of a page, and by a description.
    """
    try:
        with Archive.opened(Path(arguments["path"]), arguments["name"]) as archive:
            return _unpacked(archive, Path(arguments["folder"]))
    except BundleError as error:
        return {"problems": [finding_to_json(problem) for problem in error.problems]}


def _unpacked(archive: Archive, folder: Path) -> dict[str, Any]:
    is_competition = archive.is_competition
    root = parsed(archive.content(archive.settings, MOST_BYTES), archive.settings, has_aliases=is_competition)
    scalars = [node.value for node in nodes_of(root) if isinstance(node, yaml.ScalarNode)]
    named = {*scalars, *map(str.strip, scalars)} - (_unread(root) if is_competition else set())
    folders = _folders(archive, named) if is_competition else {}
    archive.require_once(path for inside in folders.values() for path in inside)
    alone = {path: inside[0] for path, inside in folders.items() if len(inside) == 1}
    packed = {path: _member_of(path) for path in folders.keys() - alone}
    copies = archive.copies({*(path for path in named if path in archive), *alone.values()}, folder)
    copies |= {member: _packed(archive, path, folders[path], folder) for path, member in packed.items()}
    answer = {"problems": [], "settings": archive.settings, "nodes": as_table(root), "folders": alone | packed}
    if is_competition:
        answer |= {"pages": _pages(archive, copies, folder), "texts": _texts(root)}
    return answer | {"files": {path: asdict(copy) for path, copy in copies.items()}}


def _unread(root: yaml.Node) -> set[str]:
    """Return the paths of a competition that nothing is made of, and in which nothing can be wrong."""
    mappings = (node for node in nodes_of(root) if isinstance(node, yaml.MappingNode))
    pairs = [(key.value, value.value) for node in mappings for key, value in node.value if isinstance(value.value, str)]
    return {value for key, value in pairs if key in UNREAD} - {value for key, value in pairs if key not in UNREAD}


def _folders(archive: Archive, named: Iterable[str]) -> dict[str, list[str]]:
    """Return the members of each folder that is named instead of a file; of those that are not too large together."""
    paths, left = sorted(archive.paths), MOST_PACKED_IN_ALL
    folders: dict[str, list[str]] = {}
    for path in sorted({name.rstrip("/") for name in named if name not in archive} - {""}):
        start = bisect.bisect_left(paths, f"{path}/")
        inside = paths[start : bisect.bisect_left(paths, f"{path}0")]  # 0 is the sign after the slash
        n_bytes = sum(map(archive.size, inside))
        if inside and n_bytes <= min(left, MOST_PACKED):
            folders[path] = inside
            left -= n_bytes
    return folders


def _member_of(path: str) -> str:
    """Return the path of the file that is packed of a folder; no member has it."""
    return f"{path}//{path.rpartition('/')[2]}.zip"


def _packed(archive: Archive, path: str, inside: Iterable[str], folder: Path) -> Copy:
    """Pack a folder: equal files make equal archives."""
    unfinished = folder / "unfinished"
    with zipfile.ZipFile(unfinished, "w") as packed:
        for name in inside:
            member = zipfile.ZipInfo(name.removeprefix(f"{path}/"), DATE)
            member.external_attr, member.compress_type = READABLE, zipfile.ZIP_DEFLATED
            with packed.open(member, "w") as target:
                for chunk in archive.chunks(name):
                    target.write(chunk)
    with unfinished.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    unfinished.replace(folder / sha256)
    return Copy(sha256, (folder / sha256).stat().st_size, sha256)


def _pages(archive: Archive, copies: dict[str, Copy], folder: Path) -> dict[str, str]:
    pages = [path for path in copies if path.lower().endswith(HTML) and copies[path].size <= MOST_BYTES_OF_PAGE]
    texts = {copies[path].file: (folder / copies[path].file).read_bytes() for path in pages[:MOST_PAGES]}
    made = {file: as_markdown(text.decode(errors="replace").replace("\0", "")) for file, text in texts.items()}
    return {path: made[copies[path].file] for path in pages[:MOST_PAGES]}


def _texts(root: yaml.Node) -> dict[str, str]:
    """Return the Markdown of each description, once for all places that it has."""
    mappings = (node for node in nodes_of(root) if isinstance(node, yaml.MappingNode))
    described = [value for node in mappings for key, value in node.value if key.value == "description"]
    texts = dict.fromkeys(value.value.strip() for value in described if isinstance(value, yaml.ScalarNode))
    short = [text for text in texts if len(text.encode()) <= MOST_BYTES_OF_PAGE]
    return {text: as_markdown(text) for text in short[:MOST_PAGES]}


def score_gold(arguments: dict[str, Any], on_step: OnStep) -> dict[str, Any]:
    """Score a gold against itself, as a participant would upload it.

    Takes `family`, `options`, `gold`, a file as `Named`, and whether it `is_input`, which has no answers, so that a
    sample is scored on it. Gives `headline`, `score`, `digest`, `units` and `size`; or `problems`. Where it
    `may_guess`, options by which the gold is read after all are tried, and given as `guessed`.
    """
    answer = _scored(arguments)
    if not answer["problems"] or not arguments["may_guess"]:
        return answer
    guessed = _guessed(arguments)
    second = _scored(arguments | {"options": arguments["options"] | guessed}) if guessed else answer
    return answer if second["problems"] else second | {"guessed": guessed}


def _guessed(arguments: dict[str, Any]) -> dict[str, Any]:
    family, options, gold = arguments["family"], arguments["options"], Named(*arguments["gold"])
    try:
        record = scoring.engine.family_of(family, options)
        guess = record.files.guess
        return guess(open_files(gold), record.configure(options)) if guess else {}
    except (scoring.GoldError, scoring.SubmissionError, scoring.ConfigurationError):
        return {}


def _scored(arguments: dict[str, Any]) -> dict[str, Any]:
    family, options, gold = arguments["family"], arguments["options"], Named(*arguments["gold"])
    try:
        record = scoring.engine.family_of(family, options)
        make = record.files.sample if arguments["is_input"] else record.files.gold_as_submission
        made = make(open_files(gold), record.configure(options)) if make else None
        system = gold if made is None else Made(made)
        evaluation = scoring.evaluate(family, gold=gold, system=system, options=options)
    except (scoring.GoldError, scoring.SubmissionError, scoring.ConfigurationError) as error:
        problems = getattr(error, "problems", None) or [Finding(str(error))]
        return {"problems": [finding_to_json(problem) for problem in problems]}
    return {
        "problems": [],
        "headline": evaluation.headline,
        "options": to_data(dict(evaluation.options)),
        "score": evaluation.scores[evaluation.headline],
        "digest": evaluation.gold_digest,
        "units": evaluation.units,
        "size": GoldSize.of(evaluation, record).as_dict(),
    }
