"""A large upload comes in parts, and goes on where it was."""

import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from evalsite.challenges.models import Phase
from evalsite.submissions.models import KeptPart, KeptUpload, Submission
from evalsite.submissions.receiving import kept_uploads, parts
from tests.factories import PARTLY_RIGHT, make_phase, zip_of

pytestmark = pytest.mark.django_db

RUN = zip_of(PARTLY_RIGHT)


@pytest.fixture(autouse=True)
def _small_parts(settings, phase):
    settings.PART_BYTES = 300
    settings.MAX_UPLOAD_BYTES = 400
    Phase.objects.filter(pk=phase.pk).update(upload_megabytes=1)
    phase.refresh_from_db()


def content_of(kept: KeptUpload) -> bytes:
    with kept_uploads.opened(kept) as upload:
        return upload.path.read_bytes()


def stored() -> bytes:
    return Path(Submission.objects.get().file.path).read_bytes()


def pieces(content: bytes, length: int = 300):
    return [(start, content[start : start + length]) for start in range(0, len(content), length)]


def test_parts_make_the_file_again(alice, phase):
    kept = parts.begin(alice, phase, "run.zip", len(RUN))
    for start, piece in pieces(RUN):
        assert not kept.is_whole
        kept = parts.append(kept, start, piece)
    assert kept.is_whole
    assert content_of(kept) == RUN


def test_a_part_whose_answer_was_lost_may_come_twice(alice, phase):
    kept = parts.begin(alice, phase, "run.zip", len(RUN))
    parts.append(kept, 0, RUN[:300])
    assert parts.append(kept, 0, RUN[:300]).received == 300
    assert KeptPart.objects.count() == 1


def test_a_part_in_the_wrong_place_is_told_where_to_go_on(alice, phase):
    kept = parts.begin(alice, phase, "run.zip", len(RUN))
    parts.append(kept, 0, RUN[:300])
    with pytest.raises(parts.WrongOffset) as told:
        parts.append(kept, 400, RUN[400:500])
    assert told.value.received == 300


def test_what_was_begun_is_found_again_by_the_same_file_alone(alice, phase):
    begun = parts.begin(alice, phase, "run.zip", len(RUN), "17")
    parts.append(begun, 0, RUN[:300])
    assert parts.begin(alice, phase, "run.zip", len(RUN), "17").received == 300
    assert parts.begin(alice, phase, "run.zip", len(RUN), "18").received == 0


def test_more_than_the_phase_takes_is_refused_before_a_byte_is_sent(alice, phase):
    with pytest.raises(parts.PartRefused, match="may have at most 1 MB"):
        parts.begin(alice, phase, "run.zip", 1024**2 + 1)
    with pytest.raises(parts.PartRefused):
        parts.begin(alice, phase, "run.zip", 0)


def test_nothing_is_begun_in_a_phase_that_takes_no_uploads(alice, phase):
    Phase.objects.filter(pk=phase.pk).update(is_paused=True)
    phase.refresh_from_db()
    with pytest.raises(parts.PartRefused, match="does not accept uploads now"):
        parts.begin(alice, phase, "run.zip", 500)


def test_no_more_comes_than_was_announced_and_no_part_is_larger_than_it_may_be(alice, phase):
    kept = parts.begin(alice, phase, "run.zip", 400)
    for content in (RUN[:301], b""):
        with pytest.raises(parts.PartRefused):
            parts.append(kept, 1 if not content else 0, content)
    parts.append(kept, 0, RUN[:300])
    with pytest.raises(parts.PartRefused):
        parts.append(kept, 300, RUN[300:500])
    assert KeptUpload.objects.get().received == 300


def test_what_a_person_has_announced_is_bounded(alice, bob, phase, settings):
    settings.MAX_KEPT_BYTES = 1000
    parts.begin(alice, phase, "one.zip", 600)
    with pytest.raises(kept_uploads.NoRoom, match=r"You have other unfinished uploads: one\.zip \(Test\)"):
        parts.begin(alice, phase, "two.zip", 600)
    parts.begin(bob, phase, "two.zip", 600)


def test_files_that_wait_whole_make_room_for_a_large_one(alice, phase, settings):
    settings.MAX_KEPT_BYTES = 1000
    parts.append(parts.begin(alice, phase, "one.zip", 300), 0, RUN[:300])
    parts.begin(alice, phase, "two.zip", 900)
    assert [kept.name for kept in KeptUpload.objects.all()] == ["two.zip"]


def test_the_disk_of_the_site_is_bounded(alice, phase, settings):
    kept = parts.begin(alice, phase, "run.zip", len(RUN))
    settings.MAX_KEPT_IN_ALL_BYTES = 500
    parts.append(kept, 0, RUN[:300])
    with pytest.raises(kept_uploads.NoRoom, match="Try again in an hour"):
        parts.append(kept, 300, RUN[300:600])


class TestByRequests:
    @pytest.fixture
    def begun(self, client, alice, phase):
        client.force_login(alice)
        address = reverse("kept_begin", args=[phase.task.slug, phase.slug])
        return client.post(address, {"name": "run.zip", "size": len(RUN), "mark": "17"}).json()

    def send(self, client, begun, start, content, last=None, whole=None):
        last = start + len(content) - 1 if last is None else last
        headers = {"Content-Range": f"bytes {start}-{last}/{whole or len(RUN)}"}
        return client.post(begun["parts"], content, content_type="application/octet-stream", headers=headers)

    def test_a_run_larger_than_a_form_takes_comes_in_parts_and_is_queued(self, client, begun, phase, team):
        for start, piece in pieces(RUN, begun["part_bytes"]):
            answer = self.send(client, begun, start, piece)
            assert answer.status_code == 200
        assert answer.json()["received"] == len(RUN) > 400
        address = reverse("submit", args=[phase.task.slug, phase.slug])
        response = client.post(address, {"team": str(team.pk), "method": "Rules", "kept": begun["token"]})
        assert response.status_code == 302
        assert stored() == RUN

    def test_it_is_told_how_much_has_come(self, client, begun, phase, team):
        self.send(client, begun, 0, RUN[:300])
        assert client.get(reverse("kept", args=[begun["token"]])).json()["received"] == 300
        page = client.get(reverse("submit", args=[phase.task.slug, phase.slug])).content.decode()
        assert "under-way" in page
        assert "run.zip" in page

    def test_half_a_file_is_not_taken_for_a_whole_one(self, client, begun, phase, team):
        self.send(client, begun, 0, RUN[:300])
        address = reverse("submit", args=[phase.task.slug, phase.slug])
        response = client.post(address, {"team": str(team.pk), "method": "Rules", "kept": begun["token"]})
        assert response.status_code == 422
        assert not Submission.objects.exists()

    def test_what_does_not_fit_its_range_is_refused_and_stored_nowhere(self, client, begun):
        assert self.send(client, begun, 0, RUN[:200], last=299).status_code == 400
        assert self.send(client, begun, 0, RUN[:200], last=99).status_code == 400
        assert self.send(client, begun, 0, RUN[:200], whole=5000).status_code == 400
        assert client.post(begun["parts"], RUN[:10], content_type="application/octet-stream").status_code == 400
        assert self.send(client, begun, 300, RUN[300:400]).status_code == 409
        assert not KeptPart.objects.exists()

    def test_a_body_larger_than_a_part_is_not_read(self, client, begun):
        assert self.send(client, begun, 0, RUN[:301]).status_code == 413

    def test_a_part_as_a_form_s_file_is_none(self, client, begun):
        answer = client.post(begun["parts"], {"file": SimpleUploadedFile("x", b"x")})
        assert answer.status_code == 400

    def test_those_that_leave_no_room_are_named_each_with_a_button_to_give_it_up(
        self, client, alice, phase, team, settings
    ):
        client.force_login(alice)
        other = make_phase(phase.task, "final", upload_megabytes=1)
        for number in range(settings.MAX_KEPT):
            parts.begin(alice, other if number else phase, f"{number}.zip", 500)
        address = reverse("kept_begin", args=[phase.task.slug, phase.slug])
        answer = client.post(address, {"name": "run.zip", "size": 500})
        assert answer.status_code == 422
        assert all(f"{number}.zip (" in answer.json()["error"] for number in range(settings.MAX_KEPT))
        page = client.get(reverse("submit", args=[phase.task.slug, phase.slug])).content.decode()
        for shown in (answer.json()["under_way"], page):
            gives_up = re.findall(r'action="(/kept/[^"]+)"', shown)
            assert len(gives_up) == settings.MAX_KEPT
            assert shown.count("data-go-on") == 1  # of the others another page goes on
            assert (
                shown.count(f'href="{reverse("submit", args=[other.task.slug, other.slug])}"') == settings.MAX_KEPT - 1
            )
        client.post(gives_up[0])
        assert client.post(address, {"name": "run.zip", "size": 500}).status_code == 201

    def test_nobody_else_sees_or_sends_it(self, client, begun, charlie):
        client.force_login(charlie)
        assert client.get(reverse("kept", args=[begun["token"]])).status_code == 404
        assert self.send(client, begun, 0, RUN[:300]).status_code == 404
        assert client.post(reverse("kept_remove", args=[begun["token"]])).status_code == 404

    @pytest.mark.parametrize("size", ["", "many", "-5", "9" * 400, "٣"])
    def test_a_size_that_is_no_number_is_refused(self, client, begun, phase, size):
        address = reverse("kept_begin", args=[phase.task.slug, phase.slug])
        assert client.post(address, {"name": "run.zip", "size": size}).status_code == 400


def test_organisers_raise_the_limit_as_far_as_the_site_allows(phase):
    phase.upload_megabytes = 200
    phase.full_clean()
    phase.upload_megabytes = 201
    with pytest.raises(Exception, match="at most 200 MB"):
        phase.full_clean()
