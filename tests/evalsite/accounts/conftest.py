"""Passwords cost time on purpose; tests of accounts use many and need no such cost."""

import pytest


@pytest.fixture(autouse=True)
def _quick_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
