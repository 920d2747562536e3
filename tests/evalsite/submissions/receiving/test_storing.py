"""The file of an upload goes to the storage before anybody else waits for it, and what comes to nothing leaves none."""

import pytest
from django.core.files.storage import default_storage
from django.db import connection

from evalsite.challenges.storage.files import DurableStorage
from evalsite.submissions.lifecycle import scorer
from evalsite.submissions.lifecycle.transitions import complete
from evalsite.submissions.models import Result, Submission
from evalsite.submissions.receiving import admission
from tests.factories import make_submission


@pytest.fixture
def in_transactions(monkeypatch):
    """Tell whether a transaction was open, for each file that was stored."""
    found: list[bool] = []
    store = DurableStorage._save

    def save(self, name, content):
        found.append(connection.in_atomic_block)
        return store(self, name, content)

    monkeypatch.setattr(DurableStorage, "_save", save)
    return found


def stored(folder: str) -> list[str]:
    try:
        return default_storage.listdir(folder)[0]
    except FileNotFoundError:
        return []


def n_files(folder: str) -> int:
    return sum(len(default_storage.listdir(f"{folder}/{each}")[1]) for each in stored(folder))


@pytest.mark.django_db(transaction=True)
def test_no_transaction_waits_for_the_storage(phase, team, alice, in_transactions):
    in_transactions.clear()
    submission = make_submission(phase, team, alice)
    scorer.score(submission.scorings.get().pk)
    assert in_transactions == [False, False]
    assert Result.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_repeated_upload_leaves_no_file(phase, team, alice):
    make_submission(phase, team, alice)
    with pytest.raises(admission.Repetition):
        make_submission(phase, team, alice)
    assert n_files("submissions") == Submission.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_result_that_comes_too_late_leaves_no_file(submission, tmp_path):
    evaluation = tmp_path / "evaluation.npz"
    evaluation.write_bytes(b"numbers")
    numbers = {"tables": {}, "table_intervals": {}}
    assert complete(submission.scorings.get(), numbers, evaluation) == ""  # its lease is another's
    assert n_files("results") == 0
