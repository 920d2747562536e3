"""Names of files are words, never paths: every way in, names that would lead elsewhere, and all that lies about."""

import io
import os
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings as site
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from PIL import Image

from evalsite.accounts.models import Team, User
from evalsite.base.file_names import plain_name, require_plain_name
from evalsite.challenges.gold.services import add_gold
from evalsite.challenges.models import Download, Gold, Phase, Picture, Task, WaitingGold
from evalsite.challenges.storage.uploads import SparingUploadHandler
from evalsite.desk.making.cloning import clone
from evalsite.submissions.models import KeptUpload, Submission
from tests.evalsite.api.conftest import calling  # noqa: F401 - a fixture
from tests.factories import (
    PARTLY_RIGHT,
    SENTENCES,
    make_gold,
    make_phase,
    make_scenario,
    make_submission,
    make_task,
    run_files,
    scored,
    work_off,
    zip_of,
)
from tests.forms import filled

pytestmark = pytest.mark.django_db

NAMES = [
    "{elsewhere}/new.csv",
    "{elsewhere}/there.csv",
    "../../../../../../../../../../../../../../..{elsewhere}/new.csv",
    "..\\..\\..\\new.csv",
    "C:\\Windows\\new.csv",
    "nul\0byte.csv",
    "line\r\nX-Evil: feed.csv",
    "...",
    "..",
    "a" * 300 + ".csv",
    "\N{RIGHT-TO-LEFT OVERRIDE}vsc.exe",
    "CON",
    "-rf.csv",
    "a/b/c.csv",
    "trailing/",
    "theme.js",
]
# Of names only the beginning and the ending are ours to choose, and folders are keys of rows.
STORED = re.compile(
    r"kept/[0-9a-f-]{36}|(submissions|gold|waiting-gold|downloads|pictures|background|results)/[0-9a-f-]{36}/"
    r"(upload|gold|download|picture|job|evaluation)(\.[a-z0-9]{2,7})?"
)
NAMED = [(Submission, "file_name"), (KeptUpload, "name"), (Gold, "file_name"), (WaitingGold, "file_name")]
NAMED += [(Download, "file_name"), (Picture, "name")]
CODE = ("evalsite", "scoring", "static", "templates", "demo")


@dataclass(frozen=True)
class World:
    """This is who sends files where, and what lies beside it."""

    client: Client
    program: Client
    task: Task
    phase: Phase
    team: Team
    alice: User
    olga: User
    names: list[str]

    @property
    def place(self) -> list[str]:
        return [self.task.slug, self.phase.slug]


@pytest.fixture
def elsewhere(tmp_path) -> Path:
    """A folder beside those of the site, with a file that nobody shall overwrite."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "there.csv").write_text("ours")
    return folder


@pytest.fixture
def world(client, calling, phase, team, alice, olga, elsewhere, tmp_path, monkeypatch, settings) -> World:  # noqa: F811
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    settings.FILE_UPLOAD_TEMP_DIR = None
    Phase.objects.filter(pk=phase.pk).update(upload_megabytes=1)
    names = [name.format(elsewhere=elsewhere) for name in NAMES]
    return World(client, calling(alice), phase.task, phase, team, alice, olga, names)


def body(field: str, name: str, content: bytes, **fields: str) -> dict[str, object]:
    """A form with a file of this very name, which the test client would shorten."""
    lines = [f'--x\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n' for key, value in fields.items()]
    about = f"Content-Disposition: form-data; name=\"{field}\"; filename*=UTF-8''{quote(name, safe='')}"
    head = "".join([*lines, f"--x\r\n{about}\r\nContent-Type: text/csv\r\n\r\n"]).encode()
    return {"data": head + content + b"\r\n--x--\r\n", "content_type": "multipart/form-data; boundary=x"}


def given(client: Client, address: str) -> int:
    """A file that is sent whole, under a name that says nothing else."""
    answer = client.get(address)
    b"".join(answer.streaming_content)
    assert "X-Evil" not in answer.headers
    assert not re.search(r"[\r\n\0]|filename=\"[^\"]*[/\\\\]", answer["Content-Disposition"])
    return answer.status_code


def run(number: int) -> bytes:
    """A run that is in order, and other bytes for each number."""
    return zip_of(PARTLY_RIGHT | {"README.txt": str(number)})


def by_form(world: World) -> Iterator[int]:
    world.client.force_login(world.alice)
    for number, name in enumerate(world.names):
        said = {"team": str(world.team.pk), "method": f"Rules {number}"}
        yield world.client.post(
            reverse("submit", args=world.place), **body("files", name, run(number), **said)
        ).status_code


def by_form_in_one_go(world: World) -> Iterator[int]:
    """All files at once, which the site packs."""
    world.client.force_login(world.alice)
    whole = b"".join(body("files", name, b"x")["data"].removesuffix(b"--x--\r\n") for name in world.names)
    sent = {"data": whole + b"--x--\r\n", "content_type": "multipart/form-data; boundary=x"}
    yield world.client.post(reverse("submit", args=world.place), **sent).status_code


def by_check_without_an_account(world: World) -> Iterator[int]:
    for number, name in enumerate(world.names):
        yield Client().post(reverse("open_check", args=world.place), **body("files", name, run(number))).status_code


def by_program(world: World) -> Iterator[int]:
    address = f"/api/v1/tasks/{world.task.slug}/{world.phase.slug}/submissions"
    for number, name in enumerate(world.names):
        yield world.program.post(address, **body("files", name, run(number), method="x")).status_code


def as_gold(world: World) -> Iterator[int]:
    world.client.force_login(world.olga)
    for number, name in enumerate(world.names):
        content = zip_of(run_files(sentences=SENTENCES + f"Frase {number}\n"))
        asked = world.client.post(reverse("desk_gold_add", args=world.place), **body("file", name, content))
        yield asked.status_code
        if waiting := WaitingGold.objects.first():
            address = reverse("desk_gold_waiting", args=[world.task.slug, waiting.pk])
            yield world.client.post(address, {"take": "yes"}).status_code


def as_scores(world: World) -> Iterator[int]:
    world.client.force_login(world.olga)
    task = make_task("judged", world.olga)
    make_gold(make_phase(task), make_scenario(task, family="given", options={}), {"units.csv": "unit\nu1\nu2\n"})
    for number, name in enumerate(world.names):
        content = f"run,unit,score\nx,u1,0.{number + 1}\nx,u2,0.7\n".encode()
        kept = world.client.post(
            reverse("desk_runs_scores", args=[task.slug, "test"]), **body("table", name, content, scenario="1")
        )
        yield kept.status_code
        if kept.status_code == 302:
            yield world.client.get(kept.url).status_code
            yield world.client.post(kept.url, {"run-0": "baseline"}).status_code
    work_off()


def as_picture(world: World) -> Iterator[int]:
    world.client.force_login(world.olga)
    content = io.BytesIO()
    Image.new("L", (1, 1)).save(content, "PNG")
    address = reverse("desk_texts_picture_add", args=[world.task.slug])
    for name in world.names:
        yield world.client.post(address, **body("file", name, content.getvalue())).status_code


def as_download(world: World) -> Iterator[int]:
    world.client.force_login(world.olga)
    address = reverse("desk_texts_download_add", args=[world.task.slug])
    fields = filled(world.client.get(address), "form-download", **{"download-title": "Input", "download-sure": "yes"})
    for name in world.names:
        yield world.client.post(address, **body("download-file", name, b"x", **fields)).status_code
        for each in Download.objects.all():
            yield given(world.client, reverse("download", args=[each.pk]))


def as_gold_that_is_cloned_and_given_out(world: World) -> Iterator[int]:
    path = Path(tempfile.gettempdir(), "mine")
    world.client.force_login(world.olga)
    for number, name in enumerate(world.names):
        task = make_task(f"task-{number}", world.olga)
        phase, scenario = make_phase(task), make_scenario(task)
        path.write_bytes(zip_of(run_files()))
        gold = add_gold(phase, scenario, path, name, by=world.olga)
        path.unlink()
        yield given(world.client, reverse("gold", args=[gold.pk]))
        yield world.client.get(reverse("kit", args=[task.slug, phase.slug])).status_code
        made = clone(task, f"Again {number}", None, with_gold=True, by=world.olga)
        assert Gold.objects.get(phase__task=made).file_name == plain_name(name)


def inside_an_archive(world: World) -> Iterator[int]:
    world.client.force_login(world.alice)
    for name in world.names:
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as archive:
            archive.writestr(zipfile.ZipInfo(name), "x")
        said = {"team": str(world.team.pk), "method": "Rules"}
        sent = body("files", "run.zip", content.getvalue(), **said)
        yield world.client.post(reverse("submit", args=world.place), **sent).status_code


WAYS_IN = [
    *(by_form, by_form_in_one_go, by_check_without_an_account, by_program),
    *(as_gold, as_scores, as_picture, as_download, as_gold_that_is_cloned_and_given_out, inside_an_archive),
]


def files_below(folder: Path) -> dict[str, tuple[int, int]]:
    """All files and folders with what tells that one was written to, but for the interpreter's own."""
    found = {}
    for place, folders, files in os.walk(folder):
        folders[:] = [each for each in folders if each != "__pycache__"]
        for each in (*folders, *files):
            about = os.stat(path := os.path.join(place, each))
            found[path] = (about.st_size, about.st_mtime_ns) if each in files else (0, 0)
    return found


def code() -> dict[str, tuple[int, int]]:
    return {path: about for name in CODE for path, about in files_below(Path(site.BASE_DIR, name)).items()}


@pytest.mark.parametrize("way", WAYS_IN, ids=[way.__name__ for way in WAYS_IN])
def test_no_name_leads_anywhere(world, elsewhere, tmp_path, way: Callable[[World], Iterator[int]]):
    before, around = code(), sorted(os.listdir(tmp_path))
    statuses = list(way(world))
    assert not [status for status in statuses if status >= 500]
    assert code() == before
    assert set(os.listdir(tmp_path)) <= {*around, "files", "cache"}
    assert {each.name: each.read_text() for each in elsewhere.iterdir()} == {"there.csv": "ours"}
    assert os.listdir(tmp_path / "temporary") == []
    stored = [Path(path).relative_to(site.MEDIA_ROOT).as_posix() for path in files_below(site.MEDIA_ROOT)]
    odd = [path for path in stored if Path(site.MEDIA_ROOT, path).is_file() and not STORED.fullmatch(path)]
    assert odd == []
    for model, column in NAMED:
        for name in model.objects.values_list(column, flat=True):
            require_plain_name(name)


@pytest.mark.thorough
def test_files_of_any_name_are_taken_and_given_back_under_the_last_part(world):
    list(by_program(world))
    runs = list(Submission.objects.order_by("created"))
    assert len(runs) == len(NAMES) - 2  # ".." is no file of a form, nor is what is called as a folder
    world.client.force_login(world.alice)
    assert {given(world.client, reverse("submission_file", args=[each.pk])) for each in runs} == {200}
    assert {"new.csv", "there.csv", "CON", "-rf.csv", "c.csv"} <= {each.file_name for each in runs}
    assert scored(runs[0]).scorings.get().state == "scored"


def test_not_even_the_temporary_file_of_a_request_ends_as_its_sender_says(rf, settings):
    kept: list[str] = []

    class Watching(SparingUploadHandler):
        def file_complete(self, file_size):
            kept.append(self.file.temporary_file_path())
            return super().file_complete(file_size)

    request = rf.post("/", **body("file", "x.sh -rf", b"x"))
    request.upload_handlers = [Watching(request)]
    assert request.FILES["file"].name == "x.sh -rf"
    assert kept[0].endswith(".upload")
    request.FILES["file"].close()


def test_a_validator_stands_at_each_column_of_names():
    for model, column in NAMED:
        assert require_plain_name in model._meta.get_field(column).validators
    for name in NAMES:
        assert plain_name(plain_name(name)) == plain_name(name)
        if plain_name(name) != name:
            with pytest.raises(ValidationError):
                require_plain_name(name)
    assert plain_name("\N{DEVANAGARI LETTER KA}\N{ZERO WIDTH JOINER}.txt") == "\u0915\u200d.txt"


def test_an_archive_of_runs_has_names_of_ours_alone(as_olga, phase, team, alice):
    made = make_submission(phase, team, alice, method="../../x")
    Submission.objects.filter(pk=made.pk).update(file_name="../../x.csv/../evil.sh")
    address = reverse("desk_runs_files", args=[phase.task.slug])
    answer = as_olga.get(address, {"which": "all"})
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert all(re.fullmatch(r"test/[a-z0-9-]+/[a-z0-9-]+|runs\.csv", name) for name in archive.namelist())
