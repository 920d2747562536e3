"""Large files in parts: begun, gone on with, and uploaded by their ID."""

import pytest

from evalsite.challenges.models import Phase
from evalsite.submissions.models import KeptUpload, Submission
from tests.factories import PARTLY_RIGHT, zip_of, zip_upload

pytestmark = pytest.mark.django_db
PHASE = "/api/v1/tasks/health/test"
RUN = zip_of(PARTLY_RIGHT)


@pytest.fixture(autouse=True)
def _small_parts(settings, phase, team):
    settings.PART_BYTES = 300
    settings.MAX_UPLOAD_BYTES = 400
    Phase.objects.update(upload_megabytes=1)


def begin(caller, size: int = 0):
    return caller.post(f"{PHASE}/parts", {"name": "run.zip", "size": size or len(RUN), "mark": "1"})


def send(caller, key: str, start: int, content: bytes):
    headers = {"Content-Range": f"bytes {start}-{start + len(content) - 1}/{len(RUN)}"}
    address = f"/api/v1/kept/{key}/part"
    return caller.post(address, content, content_type="application/octet-stream", headers=headers)


def test_a_file_that_is_too_large_for_one_request_comes_in_parts_and_is_uploaded_by_its_id(calling, alice):
    caller = calling(alice)
    limits = caller.get(PHASE).json()["limits"]
    assert (limits["bytes"], limits["bytes_at_once"]) == (1024**2, 400)
    refused = caller.post(f"{PHASE}/submissions", {"method": "Rules", "files": [zip_upload(PARTLY_RIGHT)]})
    assert refused.status_code == 413
    assert "in parts" in refused.json()["detail"]
    kept = begin(caller).json()
    assert (kept["received"], kept["part_bytes"]) == (0, 300)
    assert caller.post(f"{PHASE}/submissions", {"method": "Rules", "kept": kept["id"]}).status_code == 422
    for start in range(0, len(RUN), 300):
        assert caller.get(f"/api/v1/kept/{kept['id']}").json()["received"] == start
        assert send(caller, kept["id"], start, RUN[start : start + 300]).status_code == 200
    assert caller.post(f"{PHASE}/check", {"kept": kept["id"]}).status_code == 200
    assert caller.post(f"{PHASE}/submissions", {"method": "Rules", "kept": kept["id"]}).status_code == 201
    assert Submission.objects.get().size == len(RUN)
    assert not KeptUpload.objects.exists()


def test_after_a_broken_line_it_goes_on_where_it_was(calling, alice):
    caller = calling(alice)
    key = begin(caller).json()["id"]
    send(caller, key, 0, RUN[:300])
    again = begin(caller).json()
    assert (again["id"], again["received"]) == (key, 300)
    misplaced = send(caller, key, 310, RUN[310:400])
    assert (misplaced.status_code, misplaced.json()["received"]) == (409, 300)


def test_more_than_the_phase_takes_is_refused_before_a_byte_comes(calling, alice):
    refused = begin(calling(alice), 1024**2 + 1)
    assert refused.status_code == 422
    assert "may have at most 1 MB" in refused.json()["detail"]


def test_those_that_leave_no_room_for_another_are_named_and_can_be_given_up(calling, alice, settings):
    settings.MAX_KEPT = 1
    caller = calling(alice)
    begun = begin(caller).json()
    refused = begin(caller, 500)
    assert refused.status_code == 422
    assert "unfinished uploads: run.zip (Test)" in refused.json()["detail"]
    assert [each["id"] for each in refused.json()["under_way"]] == [begun["id"]]
    assert caller.post(f"/api/v1/kept/{begun['id']}/remove").status_code == 204
    assert begin(caller, 500).status_code == 201


def test_a_file_is_nobody_else_s_and_can_be_given_up(calling, alice, bob):
    caller = calling(alice)
    key = begin(caller).json()["id"]
    assert calling(bob).get(f"/api/v1/kept/{key}").status_code == 404
    assert send(calling(bob), key, 0, RUN[:300]).status_code == 404
    assert calling(alice, "read").post(f"{PHASE}/parts", {"name": "x", "size": 1}).status_code == 403
    assert caller.post(f"/api/v1/kept/{key}/remove").status_code == 204
    assert not KeptUpload.objects.exists()
