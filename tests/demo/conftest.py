"""The demo is made on the site's test database, with files and broker kept apart as in the site's tests."""

from functools import cache

import pytest

from demo import coreference, ehealthkd, languages, mat, numbers, qac, ranking, spacy, text, transcripts
from tests.evalsite.conftest import (
    _no_foreign_broker,
    _no_heart_in_a_transaction,
    _private_files,
    django_db_modify_db_settings,
)

__all__ = ["_no_foreign_broker", "_no_heart_in_a_transaction", "_private_files", "django_db_modify_db_settings"]


@pytest.fixture(autouse=True, scope="session")
def _generated_once():
    """The data of a phase are the same at each call, which tests in other processes show; to make them takes long."""
    with pytest.MonkeyPatch.context() as patch:
        for family in (coreference, ehealthkd, languages, mat, numbers, qac, ranking, spacy, text, transcripts):
            patch.setattr(family, "gold", cache(family.gold))
            patch.setattr(family, "systems", cache(family.systems))
        yield
