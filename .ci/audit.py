"""Asks whether a locked package has a known vulnerability: `python .ci/audit.py`.

Ends with 1 where one has. Where nobody could be asked, or the one who was asked knows too few of the packages, it says
so in its last line and ends with 0, as a check that cannot be made is none that has failed. pip-audit itself then says
"No known vulnerabilities found".
"""

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ["requirements-lock.txt", "requirements-production-lock.txt", "requirements-dev-lock.txt"]
TOOL = "pip-audit==2.10.1"
PATIENCE = 300  # seconds for each command


def main() -> int:
    try:
        answers = ask()
    except (subprocess.SubprocessError, OSError, ValueError) as error:
        return not_audited(f"pip-audit could not ask: {error}")
    vulnerable = [each for each in answers if each.get("vulns")]
    for package in vulnerable:
        for found in package["vulns"]:
            mended = ", ".join(found["fix_versions"]) or "no version yet"
            print(f"{package['name']} {package['version']}: {found['id']}, mended in {mended}")
    if vulnerable:
        return 1
    unknown = [each["name"] for each in answers if "skip_reason" in each]
    if unknown or not answers:
        return not_audited(f"{len(unknown)} of {len(answers)} packages are unknown to the registry's advisories")
    print(f"AUDITED: none of {len(answers)} packages has a known vulnerability.")
    return 0


def ask() -> list[dict[str, Any]]:
    """What the registry says of each package: its vulnerabilities, or why it was skipped."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        pip = [f"{folder}/bin/pip", "install", "--quiet", "--disable-pip-version-check", TOOL]
        subprocess.run(pip, check=True, timeout=PATIENCE)
        audit = [f"{folder}/bin/pip-audit", "--require-hashes", "--disable-pip", "--progress-spinner", "off"]
        done = subprocess.run(
            [*audit, "--format", "json", *(f"--requirement={ROOT / lock}" for lock in LOCKS)],
            timeout=PATIENCE,
            capture_output=True,
            text=True,
        )
    if not done.stdout:  # its status is 1 for a vulnerability as for a failure
        raise ValueError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "it said nothing")
    answers: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    return answers


def not_audited(reason: str) -> int:
    print(f"NOT AUDITED: {reason}. Nothing is known of the packages' vulnerabilities.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
