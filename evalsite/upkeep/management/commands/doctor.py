"""Checks all parts of the site, and says what to do about those that are not well."""

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from evalsite.upkeep.checks import CHECKS, SLOW_CHECKS
from evalsite.upkeep.findings import Finding, State, run

SIGNS = {State.OK: "ok     ", State.WARNING: "WARNING", State.WRONG: "WRONG  ", State.UNKNOWN: "?      "}


class Command(BaseCommand):
    help = "Looks at all parts of the site and says what to do where one is not well. Status 1 if something is wrong."
    requires_system_checks = ()  # what is wrong with the settings is one of the findings

    def add_arguments(self, parser: ArgumentParser) -> None:
        names = [check.name for check in CHECKS]
        parser.add_argument("only", nargs="*", metavar="PART", help=f"of: {', '.join(names)}; all if none is named")
        parser.add_argument("--json", action="store_true", help="for programs")
        parser.add_argument("--quick", action="store_true", help="without looking at each stored file")

    def handle(self, *args: Any, **options: Any) -> None:
        only = set(options["only"])
        if unknown := only - {check.name for check in CHECKS}:
            sys.exit(f"There is no part {', '.join(sorted(unknown))}; see --help.")
        skipped = SLOW_CHECKS if options["quick"] else ()
        findings = run([check for check in CHECKS if check.name not in skipped and (not only or check.name in only)])
        self.stdout.write(_as_json(findings) if options["json"] else _as_text(findings))
        if any(finding.is_bad for finding in findings):
            sys.exit(1)


def _as_json(findings: list[Finding]) -> str:
    is_well = not any(finding.is_bad for finding in findings)
    report = {"ok": is_well, "time": timezone.now().isoformat(), "findings": [asdict(finding) for finding in findings]}
    return json.dumps(report, indent=2, default=str)


def _as_text(findings: list[Finding]) -> str:
    lines = []
    for finding in findings:
        lines.append(f"{SIGNS[finding.state]}  {finding.check:10}  {finding.said}")
        if finding.remedy:
            lines.append(f"{'':21}-> {finding.remedy}")
    counts = Counter(finding.state for finding in findings)
    labels = {State.WRONG: "wrong", State.WARNING: "to be looked at", State.UNKNOWN: "not known"}
    end = ", ".join(f"{counts[state]} {words}" for state, words in labels.items() if counts[state])
    return "\n".join([*lines, "", f"{end or 'All is well'}."])
