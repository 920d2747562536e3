"""Hashing a password keeps nobody else's request waiting, and hashes stay as Django writes them."""

from django.contrib.auth import hashers as django_hashers

from evalsite.accounts.hashers import PBKDF2PasswordHasher
from evalsite.lanes import Lane, turns


def test_hashes_are_those_of_django():
    own = PBKDF2PasswordHasher().encode("a long word", "salt", 1000)
    assert own == django_hashers.PBKDF2PasswordHasher().encode("a long word", "salt", 1000)


def test_the_turn_is_others_meanwhile(monkeypatch):
    seen = []

    def hashed(*_args, **_options):
        seen.append(turns._turns._is_taken)
        return b"x" * 32

    monkeypatch.setattr(django_hashers, "pbkdf2", hashed)
    with turns.answering(Lane.SENT):
        turns.wait()
        PBKDF2PasswordHasher().encode("a long word", "salt", 1000)
        assert turns._turns._is_taken
    assert seen == [False]
