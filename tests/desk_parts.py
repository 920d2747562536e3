"""A page of the desk whose parts are saved one by one, in somebody's browser."""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpResponse
from django.test import Client

from tests.forms import filled


class PartsPage:
    """Send the part as it stood when it was opened."""

    def __init__(self, user: AbstractBaseUser, address: str) -> None:
        self.client = Client()
        self.client.force_login(user)
        self.address = address
        self.shown = self.client.get(address)

    def save(self, part: str, **typed: Any) -> HttpResponse:
        """Sends one part as it stands, with what was typed; a page that refuses it is then the one that stands."""
        named = {f"{part}-{name}": value for name, value in typed.items()}
        response = self.client.post(self.address, filled(self.shown, f"form-{part}", **named))
        if response.status_code == 422:
            self.shown = response
        return response

    def save_all_the_same(self, part: str) -> HttpResponse:
        """Send the part with the tick that answers what was asked back."""
        [trouble] = self._troubles
        return self.save(part, **{trouble.sure_name.removeprefix(f"{part}-"): trouble.sure_value})

    @property
    def questions(self) -> list[str]:
        return [question for trouble in self._troubles for question in trouble.questions]

    @property
    def _troubles(self) -> list[Any]:
        context = self.shown.context
        forms = context["sections"].forms if "sections" in context else [context["form"]]
        return [form.trouble for form in forms if form.trouble]

    @property
    def text(self) -> str:
        return self.shown.content.decode()
