"""The texts of a task: pages in their order, own pictures, files for participants, and looking before saving."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from evalsite.challenges.models import Download, Event, Page, Picture
from tests.forms import filled

pytestmark = pytest.mark.django_db
PAGE = b"<html><script>alert(1)</script></html>"


def picture(form="PNG", width=2, height=2, **options) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (width, height), "teal").save(written, form, **options)
    return written.getvalue()


PNG = picture()


@pytest.fixture
def desk(as_olga, task):
    return reverse("desk_texts", args=[task.slug])


def add_picture(client, task, content=PNG, name="Figure 1.gif"):
    address = reverse("desk_texts_picture_add", args=[task.slug])
    return client.post(address, {"file": SimpleUploadedFile(name, content)})


def add_page(client, task, title):
    address = reverse("desk_texts_page_add", args=[task.slug])
    return client.post(address, filled(client.get(address), "form-page", **{"page-title": title}))


def test_a_text_is_looked_at_before_it_is_saved(as_olga, desk, task):
    typed = {"description-description": "## Rules\n\n![logo](https://example.org/x.png)", "preview": "yes"}
    page = as_olga.post(desk, filled(as_olga.get(desk), "form-description", **typed)).content.decode()
    assert "<h3>Rules</h3>" in page
    assert "Not shown, because other servers would learn who reads the page: logo." in page
    task.refresh_from_db()
    assert task.description == ""


def test_the_closed_description_has_its_words_without_marks(as_olga, desk, task):
    task.description = "## Rules\n\nFind **all** names & [dates](https://example.org)."
    task.save()
    assert "Rules Find all names &amp; dates." in as_olga.get(desk).content.decode()


def test_an_own_picture_shows_in_the_text_and_a_foreign_one_is_named(as_olga, desk, task):
    assert add_picture(as_olga, task).status_code == 302
    text = "![A curve](figure-1.png) ![Theirs](https://example.org/x.png)"
    sent = filled(as_olga.get(desk), "form-description", **{"description-description": text})
    told = as_olga.post(desk, sent, follow=True).content.decode()
    assert "Theirs" in told
    public = as_olga.get(task.get_absolute_url()).content.decode()
    assert '<img src="/tasks/health/pictures/figure-1.png" alt="A curve">' in public
    assert '<a href="https://example.org/x.png"' in public
    shown = as_olga.get("/tasks/health/pictures/figure-1.png")
    assert shown["Content-Type"] == "image/png"
    assert Image.open(io.BytesIO(shown.content)).getpixel((1, 1)) == (0, 128, 128)


@pytest.mark.parametrize(
    "content",
    [
        b"<svg onload=x>",
        b"<html>",
        picture("GIF"),
        PNG[:16] + PAGE,
        PNG[:40],
        b"\xff\xd8\xff" + PAGE,
        b"RIFF\0\0\0\0WEBP" + PAGE,
        picture(width=8_000, height=2_001),
        PNG + b"\0" * 2 * 1024**2,
    ],
    ids=["svg", "page", "gif", "head alone", "cut off", "jpeg's head", "webp's head", "bomb", "too large"],
)
def test_what_is_no_picture_or_too_large_is_refused_whatever_it_is_called(as_olga, desk, task, content):
    assert add_picture(as_olga, task, content, "figure.png").status_code == 422
    assert not Picture.objects.exists()


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_of_a_picture_nothing_is_kept_but_its_pixels(as_olga, desk, task, form):
    about = Image.Exif()
    about[0x010E] = PAGE.decode()  # what the picture shows
    assert add_picture(as_olga, task, picture(form, exif=about) + PAGE).status_code == 302
    kept = Picture.objects.get()
    shown = as_olga.get(kept.get_absolute_url())
    assert PAGE not in shown.content
    with Image.open(io.BytesIO(shown.content)) as found:
        assert (found.format, found.size, not found.getexif()) == (form, (2, 2), True)
        assert kept.name.removeprefix("figure-1") == kept.file.name.rpartition("/picture")[2]


def test_pictures_and_pages_of_a_draft_are_its_organisers_alone(as_olga, desk, task, as_alice):
    add_picture(as_olga, task)
    add_page(as_olga, task, "Rules")
    type(task).objects.update(is_published=False)
    addresses = ["/tasks/health/pictures/figure-1.png", "/tasks/health/pages/rules/"]
    assert [as_olga.get(address).status_code for address in addresses] == [200, 200]
    assert [as_alice.get(address).status_code for address in addresses] == [404, 404]


def test_pages_stand_on_the_task_s_page_in_the_order_that_organisers_give_them(as_olga, desk, task):
    for title in ("Data", "Rules", "Dates"):
        assert add_page(as_olga, task, title).status_code == 302
    rules = Page.objects.get(slug="rules")
    as_olga.post(reverse("desk_texts_page_move", args=[task.slug, rules.pk]), {"up": ""})
    page = as_olga.get(task.get_absolute_url()).content.decode()
    places = [page.index(f"/pages/{slug}/") for slug in ("rules", "data", "dates")]
    assert places == sorted(places)
    as_olga.post(reverse("desk_texts_page_delete", args=[task.slug, rules.pk]))
    assert "/pages/rules/" not in as_olga.get(task.get_absolute_url()).content.decode()
    assert Event.objects.filter(kind="page deleted", detail__name="Rules").exists()


def test_a_file_for_participants_is_offered_from_its_time_on(as_olga, desk, task, as_alice):
    address = reverse("desk_texts_download_add", args=[task.slug])
    typed = {"title": "Texts", "zone": "AoE", "available_from_0": "2098-12-31", "available_from_1": "23:59"}
    sent = filled(as_olga.get(address), "form-download", **{f"download-{name}": text for name, text in typed.items()})
    sent["download-file"] = SimpleUploadedFile("texts.txt", b"words")
    assert as_olga.post(address, sent).status_code == 302
    offered = Download.objects.get()
    assert offered.available_from.isoformat() == "2099-01-01T11:59:00+00:00"
    assert as_alice.get(reverse("download", args=[offered.pk])).status_code == 404
