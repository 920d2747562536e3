"""The API's page, its tokens, its errors and the starter kits in Spanish; keys and states stay English."""

import re
from html import unescape
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.urls import reverse

from evalsite.accounts.models import User
from evalsite.api import tokens
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db
SPANISH = {"Accept-Language": "es"}
CODE = re.compile(r"<(pre|code|script|style)\b.*?</\1>", re.DOTALL)
ENGLISH = re.compile(r"\b(the|of|is|are|with|your|token that|upload|run|board|what|null:)\b", re.IGNORECASE)


def english_on(page: str) -> list[str]:
    """Words that no Spanish sentence has, of what is read on the page's main part."""
    main = page[page.index("<main") : page.index("</main>")]
    return ENGLISH.findall(unescape(re.sub(r"<[^>]+>", " ", CODE.sub(" ", main))))


def test_the_reference_is_spanish_but_for_names_and_commands(client):
    page = client.get("/api/", headers=SPANISH).content.decode()
    assert "Subir una ejecución" in page
    assert "lista (objeto)" in page
    assert [word for word in english_on(page) if word != "null:"] == []
    assert "Upload a run" in str(client.get("/api/v1/openapi.json", headers=SPANISH).json())


def test_the_pages_and_the_letter_of_tokens_are_spanish(client, alice, mailoutbox):
    User.objects.filter(pk=alice.pk).update(language="es")
    client.post(reverse("account_login"), {"login": alice.email, "password": PASSWORD})
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    made = client.post(reverse("token_create"), {"name": "portátil", "scopes": "read", "lifetime": "0"})
    pages = [made, client.get(reverse("tokens")), client.get(reverse("token_create"))]
    assert [english_on(page.content.decode()) for page in pages] == [[], [], []]
    assert "Último uso:" in pages[1].content.decode() or "Nunca usado." in pages[1].content.decode()
    letter = mailoutbox[-1]
    assert "Un nuevo token de acceso de su cuenta" in letter.subject
    assert "Solo permite leer." in letter.body
    assert not ENGLISH.search(re.sub(r"\S+@\S+|https?:\S+", "", letter.body))


def test_errors_are_said_in_the_language_that_is_asked_for(client, calling, alice, phase, team):
    unknown = client.get("/api/v1/me", headers=SPANISH | {"Authorization": "Bearer evs_x"})
    assert unknown.json()["detail"].startswith("Este token no se conoce")
    refused = calling(alice).post("/api/v1/tasks/health/test/check", {"kept": "x"}, headers=SPANISH).json()
    assert refused["errors"] == {"kept": ["Estos archivos ya no se guardan, o nunca se guardaron: envíelos de nuevo."]}
    missing = client.get("/api/v1/tasks/nothing", headers=SPANISH).json()
    assert missing["detail"] == "En esta dirección no hay nada, o nada que usted pueda ver."
    assert client.get("/api/v1/tasks/health", headers=SPANISH).json()["phases"][0]["state"] == "open"


def test_a_kit_has_a_readme_in_each_language_whoever_fetches_it(as_alice, phase):
    kit = as_alice.get("/tasks/health/test/kit.zip").content
    assert as_alice.get("/tasks/health/test/kit.zip", headers=SPANISH).content == kit
    with ZipFile(BytesIO(kit)) as archive:
        english, spanish = (archive.read(f"health-test-kit/{name}").decode() for name in ("README.md", "LEEME.md"))
    assert "## Install the checker" in english
    assert "## Instalar el comprobador" in spanish
    commands = [re.findall(r"```\n(.*?)```", text, re.DOTALL) for text in (english, spanish)]
    assert commands[0] == commands[1]
    assert "2 oraciones, en la forma que necesita el comprobador" in spanish


def test_a_token_has_a_name_that_is_nobody_s_word_to_translate(as_alice, alice):
    tokens.make(alice, "Runs", "read", None)
    assert "Runs" in as_alice.get(reverse("tokens"), headers=SPANISH).content.decode()
