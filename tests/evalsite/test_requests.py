"""Tests what a request may bring, and what an answer says of how it may be kept."""

import gzip
import io
import time

import pytest
from django.test import Client
from django.urls import reverse

from evalsite.submissions.models import Submission
from tests.evalsite.test_access import addresses, world  # noqa: F401 - fixtures
from tests.factories import PARTLY_RIGHT, zip_upload
from tests.forms import filled

pytestmark = pytest.mark.django_db

URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=B"
FORMS_OF_STRANGERS = ("/accounts/signup/", "/accounts/login/", "/accounts/password/reset/", "/", "/no/such/page/")
FORMS_OF_MEMBERS = ("profile", "team_create", "team_edit", "submission_withdraw")


def test_an_address_that_takes_a_form_alone_is_a_page_that_leads_on(client, olga, task):
    client.force_login(olga)
    answer = client.get(reverse("desk_entry_link", args=[task.slug]))
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert f'href="{reverse("desk_entry", args=[task.slug])}"' in answer.text
    assert client.delete(reverse("desk_entry_link", args=[task.slug])).content == b""


def form(fields: dict[str, str]) -> bytes:
    part = '--B\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
    return "".join(part.format(*field) for field in fields.items()).encode() + b"--B--\r\n"


@pytest.mark.parametrize("address", FORMS_OF_STRANGERS)
@pytest.mark.parametrize("n_marks", [30_000, 1_250_000])
def test_a_stranger_s_form_of_accents_is_answered_at_once(client, address, n_marks):
    fields = {"name": "a" + "\u0301" * (n_marks // 2) + "\u0316" * (n_marks // 2), "email": "a@example.org"}
    began = time.process_time()
    response = client.post(address, form(fields), content_type=MULTIPART)
    assert time.process_time() - began < 1
    assert response.status_code in ((413,) if n_marks > 30_000 else (200, 302, 404, 405))


@pytest.mark.parametrize("address", ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"])
def test_a_page_to_come_to_next_that_is_made_of_accents_is_answered_at_once(client, address):
    fields = {"next": "//a" + "\u0301" * 15_000 + "\u0316" * 15_000, "email": "a@example.org", "login": "a@example.org"}
    began = time.process_time()
    client.post(address, form(fields | {"name": "A", "password": "x" * 10}), content_type=MULTIPART)
    assert time.process_time() - began < 0.5


def test_a_member_s_form_of_accents_is_answered_at_once(as_alice, addresses):  # noqa: F811
    for n_marks in (30_000, 1_250_000):
        marks = "a" + "\u0301" * (n_marks // 2) + "\u0316" * (n_marks // 2)
        for name in FORMS_OF_MEMBERS:
            began = time.process_time()
            as_alice.post(addresses[name], form({"name": marks, "reason": marks}), content_type=MULTIPART)
            assert time.process_time() - began < 1, name


def test_the_words_of_an_upload_are_bounded_while_its_files_may_be_large(as_alice, phase, team):
    page = reverse("submit", args=[phase.task.slug, phase.slug])
    data = {"team": str(team.pk), "method": "Rules", "description": "Words."}
    long = data | {"files": [zip_upload(PARTLY_RIGHT)], "description": "x" * 100_000}
    assert as_alice.post(page, long).status_code == 413
    assert not Submission.objects.exists()
    padded = PARTLY_RIGHT | {"README": "\n" * 200_000}
    assert as_alice.post(page, data | {"files": [zip_upload(padded)]}).status_code == 302


@pytest.mark.parametrize(
    ("role", "address", "most"),
    [
        ("stranger", "submit", 64 * 1024),
        ("stranger", "/tasks/health/organise/gold/add/test/", 64 * 1024),
        ("alice", "team_create", 64 * 1024),
        ("alice", "/tasks/health/organise/gold/add/test/", 64 * 1024),
        ("alice", "submit", 61 * 1024**2),
        ("olga", "/tasks/health/organise/gold/add/test/", 61 * 1024**2),
        ("olga", "/admin/submissions/submission/", 1024**2),
    ],
)
def test_a_body_longer_than_the_address_needs_is_not_read(client, request, addresses, role, address, most):  # noqa: F811
    if role != "stranger":
        client.force_login(request.getfixturevalue(role))
    unread = Unread()
    for length, is_taken in ((most, True), (most + 1, False)):
        answer = client.generic(
            "POST", addresses.get(address, address), CONTENT_LENGTH=str(length), **{"wsgi.input": unread}
        )
        assert (answer.status_code != 413) is is_taken
    assert not unread.n_read


class Unread(io.BytesIO):
    """A body that notices when it is read."""

    n_read = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.n_read += 1
        return b""


def test_a_body_without_a_length_is_not_read(client):
    answer = client.generic("POST", "/accounts/login/", HTTP_TRANSFER_ENCODING="chunked")
    assert answer.status_code == 411


def test_the_desk_takes_long_markdown_and_a_thousand_ticked_rows(as_olga, task):
    rows = "&".join(f"run={task.pk}" for _ in range(1_100))
    ticked = as_olga.post(reverse("desk_runs_act", args=[task.slug]), f"action=cancel&{rows}", content_type=URLENCODED)
    assert ticked.status_code == 302
    page = reverse("desk_texts", args=[task.slug])
    typed = {"section": "description", "description-description": "Größe\n" * 60_000}
    assert as_olga.post(page, form(typed), content_type=MULTIPART).status_code == 422


def test_markdown_is_bounded_before_it_is_made_into_html(as_olga, task):
    page = reverse("desk_texts", args=[task.slug])
    for length, is_taken in ((50_000, True), (50_001, False)):
        typed = filled(as_olga.get(page), "form-description", **{"description-description": "[" * length})
        assert (as_olga.post(page, typed).status_code == 302) is is_taken
    task.refresh_from_db()
    assert len(task.description) == 50_000


ODD_ENCODINGS = ("utf-7", "utf-16", "zlib", "idna", "nonsense", "rot13", "é", "x" * 3_000)


@pytest.mark.parametrize("encoding", ODD_ENCODINGS)
@pytest.mark.parametrize("kind", [URLENCODED, MULTIPART, "text/plain"])
def test_a_form_in_an_odd_encoding_is_refused_without_a_traceback(client, caplog, kind, encoding):
    body = form({"name": "Dana"}) if kind == MULTIPART else b"name=Dana%80"
    answer = client.generic("POST", "/accounts/signup/", body, content_type=f"{kind}; charset={encoding}")
    assert answer.status_code == 400
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("encoding", ["utf-7", "zlib", "idna", "nonsense"])
def test_a_part_that_names_an_odd_encoding_costs_no_traceback(client, caplog, encoding):
    body = f"--B\r\nContent-Disposition: form-data; name*={encoding}''%80\r\n\r\nDana\r\n--B--\r\n".encode()
    assert client.post("/accounts/signup/", body, content_type=MULTIPART).status_code in (200, 400)
    assert not [record for record in caplog.records if record.exc_info]


def test_a_form_in_utf_8_says_so_or_not(client):
    for kind in (URLENCODED, f"{URLENCODED}; charset=UTF-8", f'{URLENCODED}; charset="utf-8"'):
        assert client.post("/accounts/login/", b"login=x", content_type=kind).status_code == 200


def test_a_page_that_is_not_there_is_kept_by_nobody_either(as_alice):
    for address in ("/no/such/page/", "/accounts/2fa/", "/accounts/email/", "/admin/"):
        assert as_alice.get(address)["Cache-Control"] == "private, no-store"


def test_boards_are_the_same_for_all_strangers_who_ask_each_time_whether_theirs_still_is(addresses):  # noqa: F811
    answer = Client().get(addresses["board"])
    assert answer["Cache-Control"] == "no-cache"
    assert answer["ETag"]


def test_the_proxy_keeps_boards_for_two_seconds_and_nothing_of_who_is_logged_in(addresses, as_alice):  # noqa: F811
    assert Client().get(addresses["board"])["X-Accel-Expires"] == "2"
    assert "X-Accel-Expires" not in Client().get("/accounts/login/")
    assert "X-Accel-Expires" not in as_alice.get(addresses["board"])
    piece = f"/mine/?page={addresses['board']}"
    assert Client().get(piece)["X-Accel-Expires"] == "2", "a stranger has nothing of their own there"
    assert "X-Accel-Expires" not in as_alice.get(piece)


def test_a_page_is_compressed_for_a_browser_and_plain_for_others(client, phase):
    compressed = client.get("/", headers={"accept-encoding": "gzip, br"})
    plain = client.get("/")

    assert compressed["Content-Encoding"] == "gzip"
    assert "Task health" in gzip.decompress(compressed.content).decode()
    assert len(compressed.content) < len(plain.content) / 2
    assert "Content-Encoding" not in plain
    assert "Accept-Encoding" in plain["Vary"]


def test_two_answers_with_the_same_page_of_somebody_differ_in_length_at_random(as_alice):
    lengths = {len(as_alice.get("/teams/", headers={"accept-encoding": "gzip"}).content) for _ in range(12)}

    assert len(lengths) > 1


def test_a_style_sheet_is_compressed_and_a_font_is_not(client, db):
    sheet = client.get("/static/css/base.css", headers={"accept-encoding": "gzip"})
    face = "/static/vendor/source-sans-3/source-sans-3-latin-wght-normal.woff2"
    font = client.get(face, headers={"accept-encoding": "gzip"})

    assert b"".join(sheet.streaming_content)[:2] == b"\x1f\x8b"
    assert "Content-Encoding" not in font
    assert b"".join(font.streaming_content)[:4] == b"wOF2"
