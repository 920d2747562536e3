"""Who uploads in Spanish reads Spanish: the form, what is wrong with files, what was read, and mail."""

import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils import translation

from evalsite.challenges.models import Phase
from evalsite.submissions import wording
from evalsite.submissions.checking import limits
from evalsite.submissions.lifecycle import transitions
from evalsite.translating.engine import from_engine
from scoring import Finding
from scoring.messages import Message
from scoring.readers.explanations import explain
from scoring.readers.problems import not_decoded
from tests.factories import PARTLY_RIGHT, PHRASES, make_submission, make_user, run_files, zip_upload

pytestmark = pytest.mark.django_db
SPANISH = {"HTTP_ACCEPT_LANGUAGE": "es"}
ENGLISH = re.compile(
    r"\b(?:the|your|you|files|upload|with|was|were|line|nothing|check|which|left|team)\b", re.IGNORECASE
)


def text_of(response, part: str = "main") -> str:
    """The words of a part of the page, without what is written in <code>, as names of files are."""
    page = unescape(response.content.decode())
    [inner] = re.findall(rf"<{part}[ >].*?</{part.split()[0]}>", page, re.DOTALL)
    return " ".join(re.sub(r"<code.*?</code>|<[^>]+>", " ", inner, flags=re.DOTALL).split())


@pytest.fixture
def check(client, phase, team, alice):
    def send(files, **fields):
        client.force_login(alice)
        address = reverse("submit", args=[phase.task.slug, phase.slug])
        return client.post(address, {"check": "only", "files": zip_upload(files), **fields}, **SPANISH)

    return send


def test_the_form_is_in_spanish(as_alice, phase, team):
    page = as_alice.get(reverse("submit", args=[phase.task.slug, phase.slug]), **SPANISH)
    form = text_of(page, 'form id="run"')
    assert "Nombre del método" in form
    assert "Subir y comprobar" in form
    assert "Solo comprobar" in form
    assert ENGLISH.findall(form) == []


def test_problems_are_told_in_whole_spanish_sentences(check):
    text = text_of(check(run_files(PHRASES.replace("\t", " "))))
    assert "Estos archivos no se pueden puntuar tal como están" in text
    assert "hacen falta 4 (ID, segmentos, etiqueta, texto). Sepárelas con un solo tabulador." in text
    assert "líneas 1 a 5 (todas)" in text
    assert "La línea 1 tiene espacios donde van tabuladores." in text
    assert "como podría ser" in text


def test_what_was_read_is_told_in_spanish_and_what_is_odd_asked_about(check):
    text = text_of(check(run_files(PHRASES.replace("Concept", "concept"))))
    assert "Esto es lo que hemos leído: los archivos se pueden puntuar, pero mire esto antes" in text
    assert re.search(r"5 frases y [0-9]+ relaci\w+ en 2 de 2 oraciones\.", text)
    assert "concept (4 veces); ¿quería decir Concept? Cómo arreglarlo: escriba las etiquetas" in text
    assert "No se ha puesto nada en cola ni se ha gastado ninguna subida." in text


def test_names_of_files_that_are_nearly_right_are_told(check):
    text = text_of(check({name.replace("output_", "output"): content for name, content in PARTLY_RIGHT.items()}))
    assert "No se ha encontrado ningún archivo del escenario 1, pero sí nombres casi correctos." in text
    assert "por output_a_scenario1.txt" in text


def test_without_an_account_the_score_is_told_with_a_comma(client, phase):
    Phase.objects.filter(pk=phase.pk).update(gold_released=True)
    address = reverse("open_check", args=[phase.task.slug, phase.slug])
    text = text_of(client.post(address, {"files": zip_upload(PARTLY_RIGHT)}, **SPANISH))
    assert "Comprobar y puntuar una ejecución" in text
    assert "4 frases y 1 relación en 2 de 2 oraciones. F1 0,500" in text
    assert "la puntuación sería 0,667 ( +0,167 )." in text
    assert "No se ha guardado nada de ello." in text


@pytest.mark.parametrize(
    ("suggestion", "said"),
    [("exchange source and target", "exchange source and target."), ("are they bytes?", "are they bytes?")],
)
def test_a_suggestion_ends_with_one_mark(suggestion, said):
    assert wording.suggested(Finding.odd("shifted", "Odd.", n=1, of=2, suggestion=suggestion)) == said


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([4], "línea 4, columna 2"),
        ([1, 2, 3], "líneas 1 a 3"),
        ([1, 2, 5], "líneas 1 a 2 y 5"),
        ([1, 2, 5, 7, 9, 11, 13], "líneas 1 a 2, 5, 7, 9, 11 y 1 más"),
    ],
)
def test_lines_are_said_in_spanish(lines, words):
    [cause] = explain([Finding("odd", "a", line, 2) for line in lines], {"a": b"x\n" * 20})
    with translation.override("es"):
        assert wording.cause_lines(cause.places[0]) == words


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            not_decoded(UnicodeDecodeError("utf-8", b"\xed", 0, 1, "?"), None).message,
            "No está en UTF-8: byte 0xed; guarde el archivo en UTF-8",
        ),
        (Message("document-missing", "document {name!r} is missing", name="x"), "Falta el documento 'x'"),
        (
            Message("encrypted", "is encrypted: pack the archive without a password"),
            "El archivo está cifrado: comprima sin contraseña",
        ),
    ],
)
def test_a_message_that_the_page_begins_anew_is_translated_whole(message, words):
    [cause] = explain([Finding(message, "a.txt")])
    with translation.override("es"):
        assert wording.cause_message(cause) == words


def test_what_breaks_the_limits_is_stored_in_english_and_read_in_spanish(settings):
    settings.SCORING_SECONDS = 120
    with translation.override("es"):
        stored = limits.broken_scoring("time").message
        assert stored.startswith("Scoring these files needs more time than it may take (2 minutes)")
        assert from_engine(stored).startswith("Puntuar estos archivos necesita más tiempo del permitido (2 minutos)")


def test_each_organiser_is_told_of_a_failure_in_the_own_language(phase, team, alice, mailoutbox):
    olivia = make_user("Olivia", may_create_tasks=True, language="es")
    phase.task.organisers.add(olivia)
    scoring = make_submission(phase, team, alice).scorings.get()
    assert transitions.fail(transitions.claim(scoring.pk), limits.took_too_long(), final=True) == "failed"
    mails = {mail.to[0]: mail for mail in mailoutbox}
    assert mails.keys() == {"olga@example.org", "olivia@example.org"}
    assert "Took longer than" in mails["olga@example.org"].body
    assert "Could not be scored" in mails["olga@example.org"].subject
    assert "No se pudo puntuar una ejecución" in mails["olivia@example.org"].body
    assert "Tardó más de" in mails["olivia@example.org"].body
    assert "No se pudo puntuar" in mails["olivia@example.org"].subject
