import pytest

from evalsite.public_pages import middleware as public_pages
from tests.evalsite.public_pages.places import refresh_all
from tests.factories import make_user


@pytest.fixture(autouse=True)
def _as_on_a_site(monkeypatch, _private_files):
    monkeypatch.setattr(public_pages, "MAX_AGE", 20.0)


@pytest.fixture
def ranked(scored_submission):
    """A board with one run, made and at rest."""
    refresh_all()
    return scored_submission


@pytest.fixture
def dave(db):
    """Has no team."""
    return make_user("Dave")
