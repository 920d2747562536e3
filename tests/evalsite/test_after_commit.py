"""Tests what follows once a transaction is stored."""

from functools import partial

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from evalsite.accounts.models import Team
from evalsite.base.after_commit import after_commit, delete_after_commit
from evalsite.challenges.models import Picture

pytestmark = pytest.mark.django_db(transaction=True)


def fail(what):
    raise OSError(what)


class Failing:
    """It has no name of its own, as a partial function has none."""

    def __call__(self):
        raise OSError("no name")


@pytest.mark.parametrize(
    ("do", "arguments"),
    [(fail, ["plain"]), (partial(fail, "in part"), []), (Failing(), [])],
    ids=["a function", "a partial one", "an object"],
)
def test_what_is_stored_is_not_called_failed_because_of_what_follows(do, arguments, caplog):
    followed = []
    with transaction.atomic():
        Team.objects.create(name="Stored")
        after_commit(do, *arguments)
        after_commit(followed.append, "the next")
        assert followed == []
    assert Team.objects.filter(name="Stored").exists()
    assert followed == ["the next"]
    assert "on_commit" in caplog.text
    assert "OSError" in caplog.text


def test_nothing_follows_what_is_not_stored():
    followed = []
    with transaction.atomic():
        after_commit(followed.append, 1)
        transaction.set_rollback(True)
    assert followed == []


def test_without_a_transaction_it_is_done_at_once():
    followed = []
    after_commit(followed.append, 1)
    assert followed == [1]


def test_a_file_that_cannot_be_deleted_keeps_no_other_one(monkeypatch):
    names = [default_storage.save(f"pictures/{name}", ContentFile(b"x")) for name in ("first", "second")]
    delete = default_storage.delete
    monkeypatch.setattr(default_storage, "delete", lambda name: fail(name) if name == names[0] else delete(name))
    delete_after_commit(Picture(file=name).file for name in names)
    assert [default_storage.exists(name) for name in names] == [True, False]
