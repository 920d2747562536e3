"""Files in an object store: the same site, other errors of the machine, and no copy fetched twice."""

import socket
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import reverse

from evalsite.base.storage_address import storage
from evalsite.challenges.gold.sealing import seal_all
from evalsite.challenges.storage import object_store as module
from evalsite.challenges.storage.files import StorageAway, local_path
from evalsite.challenges.storage.object_store import ObjectStore
from tests.factories import make_run
from tests.object_store import object_store, store_address, use_store

__all__ = ["object_store", "store_address"]
AWAY = "s3://key:secret@/evalsite?region=us-east-1&endpoint=http://127.0.0.1:1"


def test_an_address_names_host_bucket_folder_region_and_keys(monkeypatch):
    options = storage("s3://key:se%2Fcret@minio:9000/bucket/some/folder?region=eu-west-1")["OPTIONS"]
    assert options == {
        "access_key": "key",
        "secret_key": "se/cret",
        "security_token": None,
        "bucket_name": "bucket",
        "location": "some/folder",
        "region_name": "eu-west-1",
        "endpoint_url": "https://minio:9000",
        "addressing_style": "path",
    }
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "from the environment")
    store = ObjectStore(**storage("s3:///bucket")["OPTIONS"])
    assert (store.access_key, store.endpoint_url, store.addressing_style) == ("from the environment", None, "auto")


@pytest.mark.parametrize("address", ["s3://key:secret@host", "ftp://host/bucket", "s3://host/bucket?regoin=eu"])
def test_what_is_no_address_is_refused_without_telling_its_password(address):
    with pytest.raises(ImproperlyConfigured, match="STORAGE_URL has to look like s3://KEY") as refused:
        storage(address)
    assert "secret" not in str(refused.value)


def test_nothing_is_overwritten_and_names_are_those_of_a_folder(object_store):
    name = default_storage.generate_filename("some/Año nuevo.zip")
    first = default_storage.save(name, ContentFile(b"first"))
    second = default_storage.save(name, ContentFile(b"second"))
    assert first == name == "some/Año_nuevo.zip"
    assert first != second
    with default_storage.open(first) as file:
        assert file.read() == b"first"
    assert default_storage.size(second) == 6
    assert sorted(default_storage.listdir("some")[1]) == sorted(name.removeprefix("some/") for name in (first, second))
    default_storage.delete(first)
    assert not default_storage.exists(first)


@pytest.mark.django_db
def test_gold_in_a_store_is_sealed_and_found(object_store, phase, team):
    seal_all()
    gold = phase.golds.get()
    assert gold.file.name == f"sealed-gold/{gold.pk}/gold.zip"
    assert make_run(phase, team).scorings.get().state == "scored"


def test_a_missing_object_is_a_missing_file_and_a_store_that_is_away_is_not(object_store, settings):
    with pytest.raises(FileNotFoundError):
        default_storage.open("nowhere")
    use_store(settings, AWAY)
    for ask in (default_storage.open, default_storage.exists, default_storage.delete, default_storage.size):
        with pytest.raises(StorageAway):
            ask("nowhere")
    with pytest.raises(StorageAway):
        default_storage.save("somewhere", ContentFile(b"x"))


def test_a_store_that_says_nothing_is_not_waited_for(settings, monkeypatch):
    monkeypatch.setattr(module, "SECONDS_BETWEEN_BYTES", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        use_store(settings, f"s3://k:s@/b?region=us-east-1&endpoint=http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(StorageAway):
            default_storage.open("anything")


def test_a_store_that_refuses_the_key_or_lost_its_bucket_is_away(settings, store_address):
    use_store(settings, store_address.replace("/evalsite?", "/another?"))
    with pytest.raises(StorageAway):
        default_storage.open("anything")


def test_gold_is_fetched_for_each_use_and_no_copy_stays(object_store, phase, team):
    run = make_run(phase, team)
    assert run.scorings.get().result.headline is not None
    gold = phase.golds.get()
    with local_path(gold.file) as path:
        assert path.name == gold.file.name.rpartition("/")[2]
    assert not path.parent.exists()
    default_storage.delete(gold.file.name)
    with pytest.raises(FileNotFoundError), local_path(gold.file):
        pass


def test_a_run_is_scored_and_its_files_come_through_the_site(object_store, scored_submission, as_alice, tmp_path):
    answer = as_alice.get(reverse("submission_file", args=[scored_submission.pk]))
    with local_path(scored_submission.file) as path:
        assert b"".join(answer.streaming_content) == path.read_bytes()
    assert answer["Content-Disposition"].startswith("attachment")
    assert not (tmp_path / "files").exists()


def test_a_link_to_the_store_is_signed_short_and_for_those_who_may(
    object_store, settings, scored_submission, as_alice, as_charlie
):
    settings.STORAGE_LINKS = True
    address = reverse("submission_file", args=[scored_submission.pk])
    assert as_charlie.get(address).status_code == 404
    answer = as_alice.get(address)
    assert answer.status_code == 302
    assert "no-store" in answer["Cache-Control"]
    assert "X-Amz-Expires=60&" in answer["Location"]
    with urllib.request.urlopen(answer["Location"]) as given:
        assert given.headers["Content-Disposition"] == f'attachment; filename="{scored_submission.file_name}"'
        assert given.headers["Content-Type"] == "application/octet-stream"
    default_storage.delete(scored_submission.file.name)
    assert as_alice.get(address).status_code == 410


@pytest.mark.parametrize(
    ("name", "scenarios", "again", "words"),
    [
        ("submission_file", [], "30", "Nothing is lost"),
        ("submission_units", [1], "60", "The place where this site stores files is not responding"),
    ],
)
def test_pages_say_whether_a_file_is_gone_or_the_storage_away(
    object_store, settings, scored_submission, administering, client, name, scenarios, again, words
):
    client.force_login(administering)
    client.raise_request_exception = False
    address = reverse(name, args=[scored_submission.pk, *scenarios])
    use_store(settings, AWAY)
    away = client.get(address)
    assert (away.status_code, away["Retry-After"]) == (503, again)
    assert words in away.content.decode()
    settings.STORAGES = {**settings.STORAGES, "default": storage("")}
    gone = client.get(address)
    assert gone.status_code == 410
    assert "no longer there" in gone.content.decode()


@contextmanager
def store_that_says(words: bytes) -> Iterator[ObjectStore]:
    """Answer whatever it is asked, before it ends the connection."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer():
            with suppress(OSError):
                while True:
                    with server.accept()[0] as visitor:
                        visitor.recv(2**16)
                        visitor.sendall(words)

        threading.Thread(target=answer, daemon=True).start()
        endpoint = f"http://127.0.0.1:{server.getsockname()[1]}"
        yield ObjectStore(**storage(f"s3://key:secret@/bucket?region=us-east-1&endpoint={endpoint}")["OPTIONS"])


@pytest.mark.parametrize("head", [b"Content-Length: 5\r\nLast-Modified: ", b"Server: a store"])
def test_a_store_whose_answer_lacks_a_part_of_its_head_is_away(head):
    with store_that_says(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n") as store:
        for ask in (store.size, store.get_modified_time):
            with pytest.raises(StorageAway):
                ask("run.zip")


def test_a_store_whose_connection_ends_in_the_middle_of_an_answer_is_away():
    """It begins to say that the object may be sent, and says no more."""
    with store_that_says(b"HTTP/1.1 100 Continue\r\n") as store:
        errors: list[Exception] = []

        def save():
            try:
                store._save("run.zip", ContentFile(b"a run"))
            except OSError as error:
                errors.append(error)

        saving = threading.Thread(target=save, daemon=True)
        saving.start()
        saving.join(60)
        assert [type(error) for error in errors] == [StorageAway]
