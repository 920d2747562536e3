"""Passwords are hashed as Django does it, and other requests are answered meanwhile."""

from django.contrib.auth import hashers

from evalsite.lanes.turns import aside


class PBKDF2PasswordHasher(hashers.PBKDF2PasswordHasher):
    """It takes a third of a second, in which Python computes nothing else for this request."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        with aside():
            return super().encode(password, salt, iterations)
