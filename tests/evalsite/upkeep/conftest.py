"""What tests of upkeep share."""

import tempfile

import pytest


@pytest.fixture
def own_temporary_folder(monkeypatch, tmp_path):
    """A folder that may be tidied: that of the machine has what other processes of the tests are working on."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
