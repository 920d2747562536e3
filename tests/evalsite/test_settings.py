"""What the settings refuse, before a site starts that would not work or would tell secrets."""

import os
import subprocess
import sys

import pytest
from django.conf import settings


def start(tmp_path, **environ: str) -> subprocess.CompletedProcess[str]:
    """The settings, as another process loads them."""
    variables = {name: value for name, value in os.environ.items() if name not in ("EMAIL_URL", "DEBUG")}
    variables |= {"EVALSITE_DATA_DIR": str(tmp_path), "SECRET_KEY": "x" * 60} | environ
    command = [sys.executable, "-c", "import evalsite.settings"]
    return subprocess.run(command, cwd=settings.BASE_DIR, env=variables, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("address", [None, "consolemail://"])
def test_a_server_without_a_mail_server_says_how_to_name_one(tmp_path, address):
    given = {"EMAIL_URL": address} if address else {}
    ended = start(tmp_path, EVALSITE_PRODUCTION="1", **given)
    assert ended.returncode != 0
    assert "EMAIL_URL=smtp+tls://user:password@host:587" in ended.stderr


def test_a_server_with_one_starts(tmp_path):
    ended = start(tmp_path, EVALSITE_PRODUCTION="1", EMAIL_URL="smtp+tls://mail.example.org:587")
    assert ended.returncode == 0, ended.stderr
