"""The audit of the locked packages fails on a vulnerability, and never calls audited what nobody was asked about."""

import os
import subprocess

import pytest
from django.conf import settings

FOUND = """Found 1 known vulnerability in 1 package
Name Version ID      Fix Versions
nh3  0.3.7   PYSEC-1 0.3.8
"""
UNKNOWN = """No known vulnerabilities found
Name Skip Reason
nh3  Dependency not found on PyPI and could not be audited: nh3 (0.3.7)
"""


@pytest.mark.parametrize(
    ("answer", "status", "expected", "said"),
    [
        ("No known vulnerabilities found", 0, 0, "AUDITED: no package"),
        (UNKNOWN, 0, 0, "NOT AUDITED: 1 packages are unknown"),
        ("ConnectionError: no route to host", 1, 0, "NOT AUDITED: pip-audit could not ask"),
        (FOUND, 1, 1, "nh3  0.3.7   PYSEC-1 0.3.8"),
    ],
)
def test_it_says_what_is_known(tmp_path, answer, status, expected, said):
    uv = tmp_path / "uv"
    uv.write_text(f"#!/bin/sh\ncat <<'END'\n{answer}\nEND\nexit {status}\n")
    uv.chmod(0o755)
    command = [settings.BASE_DIR / ".ci/audit"]
    done = subprocess.run(command, env=os.environ | {"UV": str(uv)}, capture_output=True, text=True, check=False)
    assert done.returncode == expected
    assert done.stdout.strip().splitlines()[-1].startswith(said)
