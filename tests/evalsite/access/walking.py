"""Walks the addresses of the site: a browser and a token for each person, for every address of the table."""

from django.db import transaction
from django.http import HttpResponse
from django.test import Client

from evalsite.accounts.models import User
from evalsite.api import tokens
from tests.evalsite.access.cast import addresses

PACKAGES = (
    "account_",
    "mfa_",
    "admin:",
    "socialaccount_",
    "orcid_",
    "github_",
    "openid_connect_",
)  # with tests of their own
WANTED = {name: wanted for name, wanted in addresses() if not name.startswith(PACKAGES)}


class Browsers:
    """One for each role; what is asked is undone, so that each finds what the one before has found."""

    def __init__(self, people: dict[str, User | None], scopes: str = "read upload organise") -> None:
        self.clients = {role: Client() for role in people}
        self.bearers: dict[str, dict[str, str]] = {}
        self.kept: set[str] = set()  # addresses whose answer to somebody a proxy or a browser would keep
        self.answers: list[HttpResponse] = []
        for role, user in people.items():
            if user is None:
                self.bearers[role] = {}
                continue
            self.clients[role].force_login(user)
            self.bearers[role] = {"Authorization": f"Bearer {tokens.make(user, 'test', scopes, None)[1]}"}

    def ask(self, role: str, method: str, name: str, asked: str) -> int:
        # Cookies open nothing in the API, and it takes no message against forgery for one.
        client, headers = (Client(), self.bearers[role]) if name.startswith("api:") else (self.clients[role], {})
        with transaction.atomic():
            answer = getattr(client, method)(asked, headers=headers)
            transaction.set_rollback(True)
        self.answers.append(answer)
        is_somebodys = role != "stranger" and method == "get" and not name.startswith("api:")
        if is_somebodys and answer["Cache-Control"] != "private, no-store":
            self.kept.add(name)
        return answer.status_code
