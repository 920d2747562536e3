"""That every sentence of the site has its translation, and that each visitor reads the chosen language."""

import re
import runpy
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from babel.messages import Catalog, Message
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.core import mail
from django.template import engines
from django.test import Client
from django.urls import reverse
from django.utils import translation

from evalsite.accounts.models import User
from evalsite.board_pages.board.exports import FORMATS
from scoring.families import FAMILIES
from scoring.family import Package
from tests.factories import make_user

pytestmark = pytest.mark.django_db
SPANISH = {"HTTP_ACCEPT_LANGUAGE": "es-ES,es;q=0.9,en;q=0.5"}
# What one meets on the way to an account.
PAGES = ("home", "account_login", "account_signup", "account_reset_password")


CATALOGUES = sorted((settings.BASE_DIR / "evalsite/locale").glob("*/LC_MESSAGES/*.po"))
ENGINE = "engine"  # the context of what the engine says


def name_of(path: Path) -> str:
    return f"{path.parent.parent.name}-{path.stem}"


@pytest.fixture(scope="module")
def gathering():
    return runpy.run_path(str(settings.BASE_DIR / ".ci/catalogues.py"))


@pytest.fixture(scope="module")
def unmarked():
    return runpy.run_path(str(settings.BASE_DIR / ".ci/unmarked.py"))


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name)


def forms(text: str | tuple[str, ...]) -> tuple[str, ...]:
    """The one form of a message, or those for one and for many."""
    return (text,) if isinstance(text, str) else tuple(text)


def translations(catalog: Catalog) -> dict[tuple, tuple[str, ...]]:
    """By message and context, which Babel reads of a .mo as bytes."""
    known = [each for each in catalog if each.id]
    contexts = [each.context.decode() if isinstance(each.context, bytes) else each.context for each in known]
    return {(forms(each.id), context): forms(each.string) for each, context in zip(known, contexts, strict=True)}


def faults_of(message: Message) -> Iterator[str]:
    """What is wrong with one translation."""
    ids, strings = forms(message.id), forms(message.string)
    if not all(strings) or message.fuzzy:
        yield f"not translated, or fuzzy: {ids[0]!r}"
        return
    one, many = holes(ids[0], message.context), holes(ids[-1], message.context)
    for text in strings:
        own = holes(text, message.context)
        # The singular may say its number in a word.
        if own not in (one, many) and not (len(ids) > 1 and set(own) <= set(many)):
            yield f"other placeholders in {text!r}"
        if tags(text) != tags(ids[-1]):
            yield f"other HTML tags in {text!r}"
        if text[:1].isspace() != ids[-1][:1].isspace() or text[-1:].isspace() != ids[-1][-1:].isspace():
            yield f"other blanks at an end of {text!r}"


def holes(text: str, context: str | None) -> list[str]:
    pattern = (
        r"\{([a-z0-9_]+)(?:![rsa])?(?::[^{}]*)?\}"
        if context == ENGINE
        else r"%\([A-Za-z_0-9.]+\)[sd]|%[sd]|\{[A-Za-z_]*\}"
    )
    return sorted(re.findall(pattern, text))


def tags(text: str) -> list[str]:
    return sorted(re.findall(r"</?[a-z][^>]*>", text))


@pytest.mark.parametrize("path", CATALOGUES, ids=name_of)
def test_every_message_is_translated_and_fits_its_original(path):
    assert [wrong for message in read(path) if message.id for wrong in faults_of(message)] == []


@pytest.mark.parametrize("path", CATALOGUES, ids=name_of)
def test_what_the_site_reads_is_the_compiled_catalogue(path):
    with path.with_suffix(".mo").open("rb") as file:
        compiled = translations(read_mo(file))
    written = translations(read(path))
    assert compiled == written, "run .ci/catalogues"


@pytest.mark.parametrize("path", CATALOGUES, ids=name_of)
def test_a_catalogue_has_what_is_said_and_nothing_else(path, gathering):
    report = gathering["report_of"](path, gathering["texts_of"](path.stem))
    assert list(report.lines()) == [], "run .ci/catalogues, and translate what it names"


PAGE = """
<h1>{% translate "Your teams" %}</h1> {{ name|default:_("Nobody") }} <a title="{% translate "Off" context "factor" %}">
{% blocktranslate count n=runs|length context "of a team" %}{{ n }} run{% plural %}{{ n }} runs{% endblocktranslate %}
"""
MODULE = """
TITLE = pgettext_lazy("heading", "Runs")
# Translators: of one team.
words = f"{ngettext('%(n)s run', '%(n)s runs', n) % {'n': n}} {_('left')}" + settings.gettext(name)
"""


def test_what_a_page_or_module_says_is_gathered(gathering):
    texts = gathering["site_texts"]
    assert [text[:3] for text in texts.in_template(PAGE, "page.html")] == [
        (None, "Your teams", None),
        (None, "Nobody", None),
        ("factor", "Off", None),
        ("of a team", "%(n)s run", "%(n)s runs"),
    ]
    said = list(texts.in_python(MODULE, "module.py"))
    assert [text[:3] for text in said] == [
        ("heading", "Runs", None),
        (None, "%(n)s run", "%(n)s runs"),
        (None, "left", None),
    ]
    assert [text.note for text in said] == ["", "Translators: of one team.", "Translators: of one team."]


def test_a_sentence_without_a_translation_is_named(gathering, spanish):
    said = [*_said_in(gathering, spanish), gathering["Text"](None, "Nobody says this.", None, "templates/home.html")]
    [line] = gathering["report_of"](spanish, said).lines()
    assert line.endswith("new: 'Nobody says this.'")
    gathering["update"](spanish, said, None, {})
    [line] = gathering["report_of"](spanish, said).lines()
    assert line.endswith("not translated: 'Nobody says this.'")


@pytest.fixture
def spanish(tmp_path, monkeypatch, gathering):
    """A copy of the site's catalogue, beside its .mo."""
    folder = tmp_path / "evalsite/locale/es/LC_MESSAGES"
    folder.mkdir(parents=True)
    monkeypatch.setitem(gathering["update"].__globals__, "ROOT", tmp_path)
    shutil.copy(settings.BASE_DIR / "evalsite/locale/es/LC_MESSAGES/django.po", folder)
    return folder / "django.po"


def _said_in(gathering, path: Path) -> list:
    """What a catalogue has, as if it were said."""
    return [
        gathering["Text"](message.context, *(*forms(message.id), None)[:2], name)
        for message in gathering["read"](path).values()
        for name, _ in message.locations
    ]


def test_two_forms_for_many_of_one_message_are_an_error(gathering):
    text = gathering["Text"]
    said = [text(None, "%(n)s run", plural, f"{plural}.py") for plural in ("%(n)s runs", "%(n)s of runs")]
    with pytest.raises(ValueError, match="'%\\(n\\)s run' has two forms for many"):
        gathering["merged"](said)


def test_the_same_sources_give_the_same_bytes(gathering, spanish):
    gathering["update"](spanish, _said_in(gathering, spanish), None, {})
    first = spanish.read_bytes(), spanish.with_suffix(".mo").read_bytes()
    assert b"POT-Creation-Date" not in first[0]
    gathering["update"](spanish, _said_in(gathering, spanish), None, {})
    assert (spanish.read_bytes(), spanish.with_suffix(".mo").read_bytes()) == first


def test_of_one_file_only_its_own_messages_change(gathering, spanish):
    before, page = gathering["read"](spanish), "templates/home.html"
    text = gathering["Text"](None, "Nobody says this.", None, page)
    own = {key for key, message in before.items() if [name for name, _ in message.locations] == [page]}
    taken = {text[:2]: Message(text.singular, "Nadie dice esto.")}
    gathering["update"](spanish, [text], {page}, taken)
    after = gathering["read"](spanish)
    assert own
    assert after.keys() == before.keys() - own | {text[:2]}
    assert after[text[:2]].string == "Nadie dice esto."


def test_a_translation_that_is_taken_replaces_the_one_that_is_there(gathering, spanish):
    said = _said_in(gathering, spanish)
    text = next(each for each in said if each.plural is None)
    gathering["update"](spanish, said, None, {text[:2]: Message(text.singular, "Corregido.")})
    assert gathering["read"](spanish)[text[:2]].string == "Corregido."


def test_what_an_installed_package_says_is_not_gathered(gathering, monkeypatch):
    engine_texts = gathering["engine_texts"]
    toy = replace(FAMILIES["labels"], title="A toy of somebody else", package=Package("toy", "1.0"))
    monkeypatch.setattr(engine_texts, "FAMILIES", {"labels": FAMILIES["labels"], "toy": toy})
    assert FAMILIES["labels"].title in engine_texts.plain_texts()
    assert "A toy of somebody else" not in engine_texts.plain_texts()


def test_no_sentence_is_left_unmarked(unmarked):
    assert unmarked["unmarked"]() == {}, "mark them: docs/translating.md"


@pytest.mark.parametrize(
    "template",
    [
        "<p>Words here</p>",
        '<img alt="A picture">',
        '<button title="What it does">{{ name }}</button>',
        '{% translate "Marked" %} and more',
        "{{ n }} run{{ n|pluralize }}",
        '{{ name|default:"Nobody" }}',
        '{% empty_state "Nothing" %}',
        '<input type="submit" value="Send">',
    ],
)
def test_words_of_a_template_are_found(unmarked, template):
    assert list(unmarked["in_template"](template))


@pytest.mark.parametrize(
    "template",
    [
        '{% translate "Words" %}',
        "{% blocktranslate count n=n %}{{ n }} run{% plural %}{{ n }} runs{% endblocktranslate %}",
        "<code>evalsite check</code> {# a comment #}",
        '{% comment %}What it is for.{% endcomment %}<p class="lead small">{{ name }}</p>',
        '{{ name|default:_("Nobody") }} · 12 UTC',
    ],
)
def test_what_is_marked_is_no_finding(unmarked, template):
    assert list(unmarked["in_template"](template)) == []


@pytest.mark.parametrize("source", ['say("The team is saved.")', 'say(f"{team} was deleted.")'])
def test_sentences_of_python_are_found(unmarked, source):
    assert list(unmarked["in_python"](source))
    assert list(unmarked["in_python"](source.replace("say(f", "gettext(").replace("say(", "gettext("))) == []


@pytest.mark.parametrize(
    ("translation_", "wrong"),
    [
        ("", "not translated"),
        ("Hecho", "other placeholders"),
        ("<b>%(name)s</b> está hecho.", "other HTML tags"),
        ("%(name)s está hecho. ", "other blanks"),
        ("%(name)s está hecho.", ""),
    ],
)
def test_a_translation_has_the_holes_and_tags_of_its_original(translation_, wrong):
    found = " ".join(faults_of(Message("%(name)s is done.", translation_)))
    assert found.startswith(wrong)
    assert bool(found) == bool(wrong)


@pytest.mark.parametrize("page", PAGES)
def test_the_browser_s_language_is_spoken(client, page):
    response = client.get(reverse(page), **SPANISH)
    text = response.content.decode()
    assert '<html lang="es" dir="ltr"' in text
    assert "Iniciar sesión" in text
    assert ">English</button>" in text  # each language under its own name
    assert {"Accept-Language", "Cookie"} <= set(response["Vary"].split(", "))
    assert response["Content-Language"] == "es"


def test_a_browser_that_asks_for_no_language_of_the_site_gets_english(client):
    text = client.get(reverse("home"), HTTP_ACCEPT_LANGUAGE="fr").content.decode()
    assert '<html lang="en"' in text


def test_the_choice_in_the_footer_beats_the_browser_s(client):
    page = reverse("account_login")
    assert client.get(page).content.decode().count('name="language"') == len(settings.LANGUAGES)
    answer = client.post(reverse("choose_language"), {"language": "es", "next": page})
    assert (answer.status_code, answer["Location"]) == (302, page)
    assert '<html lang="es"' in client.get(page, HTTP_ACCEPT_LANGUAGE="en").content.decode()
    client.post(reverse("choose_language"), {"language": "en", "next": page})
    assert '<html lang="en"' in client.get(page, **SPANISH).content.decode()


@pytest.mark.parametrize(
    "foreign", ["https://example.org/", "//example.org", "javascript:alert(1)", "/\\example.org", "/" + "x" * 3000, ""]
)
def test_the_choice_leads_to_no_other_site(client, foreign):
    answer = client.post(reverse("choose_language"), {"language": "es", "next": foreign})
    assert answer["Location"] == reverse("home")


def test_a_language_that_there_is_not_is_refused(client):
    assert client.post(reverse("choose_language"), {"language": "xx"}).status_code == 400


def test_the_choice_is_kept_with_the_account(client):
    alice = make_user("alice")
    client.force_login(alice)
    client.post(reverse("choose_language"), {"language": "es"})
    assert User.objects.get(pk=alice.pk).language == "es"
    elsewhere = Client()
    elsewhere.force_login(alice)
    assert '<html lang="es"' in elsewhere.get(reverse("home"), HTTP_ACCEPT_LANGUAGE="en").content.decode()


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver"},
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
    ],
)
def test_a_page_of_another_site_changes_no_language(client, headers):
    user = make_user("Dora")
    client.force_login(user)
    answer = client.post(reverse("choose_language"), {"language": "es"}, headers=headers)
    assert (answer.status_code, "language" in answer.cookies) == (403, False)
    user.refresh_from_db()
    assert user.language == ""
    for own in ({"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://testserver"}):
        assert client.post(reverse("choose_language"), {"language": "es"}, headers=own).status_code == 302


def test_mail_comes_in_the_language_of_its_reader_whoever_causes_it(client):
    make_user("alice")
    User.objects.update(language="es")
    address = User.objects.get().email
    client.post(reverse("account_reset_password"), {"email": address}, HTTP_ACCEPT_LANGUAGE="en")
    assert mail.outbox[0].subject.endswith("Elija una contraseña nueva")
    assert "Hola:" in mail.outbox[0].body
    assert "El enlace vale tres días y un solo uso." in mail.outbox[0].body


def test_who_signs_up_in_spanish_is_written_to_in_spanish(client):
    form = {"name": "Ana", "email": "ana@example.org", "password1": "caballo grapa correcto"}
    client.post(reverse("account_signup"), form, **SPANISH)
    assert User.objects.get().language == "es"
    assert mail.outbox[0].subject.endswith("Confirme su dirección de correo")


def test_numbers_in_attributes_stay_numbers():
    page = engines["django"].from_string('<circle cx="{{ x }}"/> {% load evalsite_tags %}{{ x|score }}')
    with translation.override("es"):
        assert page.render({"x": 0.5}) == '<circle cx="0.5"/> 0,500'


def test_charts_are_drawn_alike_in_all_languages(client, phase, scenario, scored_submission, task):
    page = reverse("board", args=[task.slug, phase.slug, scenario.number])
    drawn = [
        re.findall(r' (?:c?x|c?y|x1|x2|d|viewBox|points)="([^"]*)"', client.get(page, **headers).content.decode())
        for headers in ({}, SPANISH)
    ]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("suffix", FORMATS)
def test_files_for_programs_are_the_same_in_all_languages(client, phase, scenario, scored_submission, task, suffix):
    page = reverse("board_export", args=[task.slug, phase.slug, scenario.number, suffix])
    english, spanish = (client.get(page, **headers).content for headers in ({}, SPANISH))
    assert english == spanish


def test_errors_are_told_in_the_visitor_s_language(client):
    assert "Esta página no existe" in client.get("/nowhere/", **SPANISH).content.decode()


def test_django_and_its_packages_speak_the_language_too(client):
    form = {"name": "Ana", "email": "ana@example.org", "password1": "12345678"}
    assert "demasiado común" in client.post(reverse("account_signup"), form, **SPANISH).content.decode()


def test_another_language_needs_nothing_but_its_folder(tmp_path, monkeypatch):
    languages = runpy.run_path(str(settings.BASE_DIR / "evalsite/translating/languages.py"))
    (tmp_path / "pt_BR/LC_MESSAGES").mkdir(parents=True)
    monkeypatch.setitem(languages["languages"].__globals__, "LOCALE", tmp_path)
    assert languages["languages"]() == [("en", "English"), ("pt-br", "Português Brasileiro")]
