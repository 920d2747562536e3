"""Help: guides whose links and pictures are there, in the visitor's language where it is written; and the footer."""

import re
from html import unescape

import pytest
from django.contrib.staticfiles import finders

from demo.pictures.shots import FOLDER as PICTURES
from demo.pictures.shots import MOST_BYTES, SHOTS
from evalsite.challenges.texts.markdown import render_page
from evalsite.help import guides

pytestmark = pytest.mark.django_db


def page(client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, path
    return response.content.decode()


def pictures(html: str) -> list[str]:
    return re.findall(r'<img [^>]*src="([^"]+)"', html)


@pytest.mark.parametrize("name", guides.GUIDES)
def test_a_guide_has_a_title_and_leads_to_each_of_its_parts(client, name):
    html = page(client, f"/help/{name}/")

    assert re.search(r"<h1>Guide for \w+</h1>", html)
    parts = re.findall(r'<h2 id="([^"]+)">', html)
    assert len(parts) >= 7
    assert re.findall(r'<li><a href="#([^"]+)">', html) == parts


@pytest.mark.parametrize("name", guides.GUIDES)
def test_every_link_of_a_guide_answers(client, name):
    html = page(client, f"/help/{name}/").partition("<article")[2].partition("</article>")[0]

    for address in re.findall(r'href="([^"]+)"', html):
        path, _, anchor = unescape(address).partition("#")
        found = page(client, path) if path else html
        assert not anchor or f'id="{anchor}"' in found, address


@pytest.mark.parametrize("name", guides.GUIDES)
def test_every_picture_of_a_guide_is_served_light_and_described(client, name):
    html = page(client, f"/help/{name}/")

    assert pictures(html)
    for address in pictures(html):
        served = finders.find(address.removeprefix("/static/"))
        assert served, address
        with open(served, "rb") as file:
            assert 1_000 < len(file.read()) < MOST_BYTES
    assert 'alt=""' not in html


def test_the_command_makes_the_pictures_that_the_guides_show_and_no_others(client):
    shown = {address for name in guides.GUIDES for address in pictures(page(client, f"/help/{name}/"))}

    assert shown == {f"/static/guides/{name}.webp" for name in SHOTS}
    assert {path.stem for path in PICTURES.iterdir()} == set(SHOTS)


def test_an_unknown_guide_is_not_found(client):
    assert client.get("/help/nobody/").status_code == 404


def test_a_guide_is_read_in_the_visitors_language_where_there_is_one(tmp_path, monkeypatch):
    monkeypatch.setattr(guides, "FOLDER", tmp_path)
    (tmp_path / "participants.md").write_text("# Guide\n\n## First\n")
    (tmp_path / "participants.es.md").write_text("# Guía\n\n## Lo primero\n")

    spanish = guides.guide_of("participants", "es-mx")
    french = guides.guide_of("participants", "fr")

    assert (spanish.language, spanish.page.title, spanish.page.contents) == (
        "es",
        "Guía",
        [("lo-primero", "Lo primero")],
    )
    assert (french.language, french.page.title) == ("en", "Guide")


def shape(language: str, name: str) -> dict[str, list[str]]:
    """Return what a guide is made of, whatever its language."""
    html = guides.guide_of(name, language).page.html
    parts = {
        "elements": r"<(h[23]|p|ul|ol|li|table|tr|th|td|img|pre)\b",
        "links": r'href="([^"]+)"',
        "pictures": r'src="([^"]+)"',
        "commands": r"<pre>(.*?)</pre>",
    }
    return {part: re.findall(pattern, html, re.DOTALL) for part, pattern in parts.items()}


@pytest.mark.parametrize("name", guides.GUIDES)
def test_both_languages_have_the_same_parts_links_and_pictures(name):
    assert guides.guide_of(name, "es").language == "es"
    assert shape("es", name) == shape("en", name)
    anchors = [anchor for anchor, _words in guides.guide_of(name, "es").page.contents]
    assert len(anchors) == len(set(anchors))


@pytest.mark.parametrize("name", guides.GUIDES)
def test_a_guide_is_served_in_spanish(client, name):
    html = client.get(f"/help/{name}/", HTTP_ACCEPT_LANGUAGE="es").content.decode()

    article = html.partition("<article")[2].partition("</article>")[0]
    assert re.search(r"<h1>Guía para .+</h1>", article)
    assert 'lang="es"' in article[:60]
    told = re.sub(r"<(pre|code)>.*?</\1>", "", article, flags=re.DOTALL)
    assert re.findall(r"\b(?:the|and|with|board|submission|upload)\b", re.sub("<[^>]+>", "", told)) == []
    for address in re.findall(r'href="([^"#][^"]*)"', article):
        assert client.get(address).status_code == 200


def test_the_contents_of_help_are_in_spanish(client):
    html = client.get("/help/", HTTP_ACCEPT_LANGUAGE="es").content.decode()

    shown = html.partition("<h1>")[2].partition("</main>")[0]
    assert shown.startswith("Ayuda</h1>")
    assert "Para participantes" in shown
    assert "Copias de seguridad" in shown
    assert re.findall(r"\b(?:the|and|For|board|How|its)\b", re.sub("<[^>]+>", " ", shown)) == []


def test_a_page_of_ones_own_has_anchors_pictures_and_no_script():
    made = render_page(
        "# Title\n\nOne [way](other.md).\n\n## Set *it* up\n\n![A board](pictures/a.webp)\n\n### Further\n\n"
        "<script>alert(1)</script>\n\n[bad](javascript:alert(1))",
        lambda address: f"/there/{address}",
    )

    assert made.title == "Title"
    assert made.contents == [("set-it-up", "Set it up")]
    assert '<h2 id="set-it-up">Set <em>it</em> up</h2>' in made.html
    assert '<h3 id="further">' in made.html
    assert '<a href="/there/other.md">way</a>' in made.html
    assert re.search(r'<img [^>]*alt="A board"', made.html)
    assert "<script" not in made.html
    assert "javascript:" not in re.sub(r">[^<]*<", "><", made.html)


# The footer


def test_the_footer_leads_to_help_from_every_page(client):
    footer = page(client, "/").partition("<footer")[2]

    assert 'href="/help/"' in footer
    assert 'href="/how-to-read/"' in footer
    assert "Contact" not in footer
    assert "Source" not in footer
    assert "About<" not in footer


@pytest.mark.parametrize(
    ("contact", "address"),
    [("help@example.org", "mailto:help@example.org"), ("https://example.org/contact", "https://example.org/contact")],
)
def test_the_owner_of_the_site_is_in_the_footer(client, settings, contact, address):
    settings.CONTACT = contact
    settings.SOURCE_URL = "https://example.org/code"

    footer = page(client, "/").partition("<footer")[2]

    assert f'href="{address}"' in footer
    assert 'href="https://example.org/code"' in footer


def test_the_owners_text_is_a_page(client, settings, tmp_path):
    text = tmp_path / "about.md"
    text.write_text("## Privacy\n\nWe keep **little**.\n")
    settings.ABOUT_FILE = str(text)

    html = page(client, "/about/")

    assert "We keep <strong>little</strong>." in html
    assert 'href="/about/"' in html.partition("<footer")[2]
