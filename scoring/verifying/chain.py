"""Checks the receipts of an archive's runs, and the chain of the site's receipts from the first of them to the last."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scoring.receipts import digest_of, head_after
from scoring.verifying.contents import Contents, Run
from scoring.verifying.opening import Archive

_LINK = re.compile(r"([0-9]{1,18}) ([0-9a-f]{64}) ([0-9a-f]{64}) ([0-9]{4}-[0-9]{2}-[0-9]{2})")
_IN_RUN = ("arrived", "bytes", "sha256")  # what a receipt says of a run, and organisers cannot change


@dataclass
class ReceiptReport:
    """What receipts and chain prove of the runs, and of which runs they prove nothing."""

    heads: dict[str, str] = field(default_factory=dict)  # of each day that the chain has in full
    problems: list[str] = field(default_factory=list)
    n_receipted: int = 0  # runs whose receipt fits both the run and the chain
    not_verified: list[str] = field(default_factory=list)  # runs that should have a receipt, and have none
    exempt: list[str] = field(default_factory=list)  # how many runs need none, and why
    n_exempt: int = 0
    n_links: int = 0
    n_other_links: int = 0  # that belong to no receipt here


def verify_receipts(archive: Archive, contents: Contents) -> ReceiptReport:
    """Check each link and each receipt, and look whether each run has one."""
    report = ReceiptReport()
    digests = _digests_of_links(archive, contents, report)
    with_receipt = _verify_each(archive, contents, digests, report)
    _name_those_without(contents, with_receipt, report)
    return report


def _digests_of_links(archive: Archive, contents: Contents, report: ReceiptReport) -> dict[int, str]:
    """Return the digest of the receipt of each link, as far as the chain can be read."""
    digests: dict[int, str] = {}
    stored = contents.receipts
    if stored is None:
        return digests
    head, number_before = stored.before, None
    for line, text in enumerate(_lines(archive, stored.links), start=1):
        if not (link := _LINK.fullmatch(text)):
            report.problems.append(f"{stored.links}:{line}: expected number, digest, head and day")
            return digests
        number, digest, stated, day = int(link[1]), link[2], link[3], link[4]
        if number_before is not None and number != number_before + 1:
            report.problems.append(f"{stored.links}:{line}: link {number} follows link {number_before}")
        head, number_before = head_after(head, digest), number
        if head != stated:
            words = f"the head after link {number} is {head}, and {stated} stands there"
            report.problems.append(f"{stored.links}:{line}: {words}")
            head = stated
        digests[number], report.heads[day] = digest, head
    return digests


def _lines(archive: Archive, name: str) -> list[str]:
    return b"".join(archive.chunks(name)).decode("utf-8", "replace").splitlines()


def _verify_each(archive: Archive, contents: Contents, digests: dict[int, str], report: ReceiptReport) -> set[int]:
    """Compare each receipt with its link and its run; return the numbers of the runs that have one, fitting or not."""
    numbers: set[int] = set()
    with_receipt: set[int] = set()
    if contents.receipts is None:
        return with_receipt
    file, runs = contents.receipts.receipts, {run.run: run for run in contents.runs.values()}
    for line, text in enumerate(_lines(archive, file), start=1):
        if (facts := _facts_of(text)) is None:
            report.problems.append(f"{file}:{line}: it is no receipt")
            continue
        number, run = facts["number"], runs.get(facts["run"])
        numbers.add(number)
        problems = (
            [] if digests.get(number) == digest_of(text) else [f"the chain's link {number} is of another receipt"]
        )
        if run is None:
            problems.append("it is of no run in the archive")
        elif run.number in with_receipt:
            problems.append(f"run {run.number} has another receipt")
        else:
            problems += _differences(facts, run)
            with_receipt.add(run.number)
            report.n_receipted += not problems
        report.problems += (f"{file}:{line}: {problem}" for problem in problems)
    report.n_links, report.n_other_links = len(digests), len(digests.keys() - numbers)
    return with_receipt


def _facts_of(text: str) -> dict[str, Any] | None:
    """Return what a receipt says; None for what is none."""
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_one = isinstance(facts, dict) and isinstance(facts.get("number"), int) and isinstance(facts.get("run"), str)
    return facts if is_one else None


def _differences(facts: dict[str, Any], run: Run) -> Iterator[str]:
    for name in _IN_RUN:
        one, other = facts.get(name), getattr(run, name)
        if one != other:
            yield f"{name} of run {run.number}: the receipt has {one!r}, archive.json {other!r}"


def _name_those_without(contents: Contents, with_receipt: set[int], report: ReceiptReport) -> None:
    """Name the runs of which no receipt tells that they were uploaded, and count those that need none."""
    n_exempt: Counter[str] = Counter()
    for run in contents.runs.values():
        if run.number in with_receipt:
            continue
        if reason := _needs_none(run, contents):
            n_exempt[reason] += 1
        else:
            report.not_verified.append(f"{run}: it has no receipt, so nothing shows that it was uploaded, and when")
    report.n_exempt = n_exempt.total()
    report.exempt = [f"{number:,} {reason}" for reason, number in n_exempt.items()]


def _needs_none(run: Run, contents: Contents) -> str:
    """Return why the archive may leave out the receipt of a run; empty where it may not."""
    if run.reference:
        return "references, which are the organisers' own runs"
    phase = contents.phases.get(run.phase)
    if phase and not phase.has_receipts:
        return f"runs of phase {run.phase}, where receipts would tell whose run is whose"
    return ""
