"""Checks the receipts of an archive's runs, and the chain of the site's receipts from the first of them to the last."""

import json
import re
from collections.abc import Iterator

from scoring.receipts import digest_of, head_after
from scoring.verifying.contents import Contents
from scoring.verifying.opening import Archive

_LINK = re.compile(r"(\d{1,18}) ([0-9a-f]{64}) ([0-9a-f]{64}) (\d{4}-\d\d-\d\d)")
_IN_RUN = ("arrived", "bytes", "sha256")  # what a receipt says of a run, and organisers cannot change


def chain_problems(archive: Archive, contents: Contents) -> tuple[dict[str, str], list[str]]:
    """Return the head of each day that the chain has in full, and what does not fit."""
    stored = contents.receipts
    if stored is None:
        return {}, []
    digests: dict[int, str] = {}
    heads: dict[str, str] = {}
    problems: list[str] = []
    head, number_before = stored.before, None
    for line, text in enumerate(_lines(archive, stored.links), start=1):
        if not (found := _LINK.fullmatch(text)):
            return heads, [f"{stored.links}:{line}: expected number, digest, head and day"]
        number, digest, stated, day = int(found[1]), found[2], found[3], found[4]
        if number_before is not None and number != number_before + 1:
            problems.append(f"{stored.links}:{line}: link {number} follows link {number_before}")
        head, number_before = head_after(head, digest), number
        if head != stated:
            problems.append(f"{stored.links}:{line}: the head after link {number} is {head}, and {stated} stands there")
            head = stated
        digests[number], heads[day] = digest, head
    return heads, problems + list(_receipt_problems(archive, contents, digests))


def _lines(archive: Archive, name: str) -> list[str]:
    return b"".join(archive.chunks(name)).decode("utf-8", "replace").splitlines()


def _receipt_problems(archive: Archive, contents: Contents, digests: dict[int, str]) -> Iterator[str]:
    assert contents.receipts is not None
    file, runs = contents.receipts.receipts, {run.run: run for run in contents.runs.values()}
    for line, text in enumerate(_lines(archive, file), start=1):
        try:
            said = json.loads(text)
            number, run = said["number"], runs.get(said["run"])
        except (ValueError, KeyError, TypeError):
            yield f"{file}:{line}: it is no receipt"
            continue
        if digests.get(number) != digest_of(text):
            yield f"{file}:{line}: the chain's link {number} is of another receipt"
        if run is None:
            yield f"{file}:{line}: it is of no run in the archive"
            continue
        for name in _IN_RUN:
            if said.get(name) != getattr(run, name):
                yield f"{file}:{line}: {name} of run {run.number}: the receipt has {said.get(name)!r}, " + (
                    f"archive.json {getattr(run, name)!r}"
                )
