"""Tests what participants try the way with: an example that is valid and scored, the engine, and commands that run."""

import os
import re
import subprocess
import sys
from base64 import urlsafe_b64encode
from datetime import timedelta
from email import message_from_bytes
from hashlib import sha256
from html import unescape
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

import scoring
from evalsite.challenges.models import Download
from evalsite.challenges.starter_kit import kit, wheel
from evalsite.submissions.models import Submission
from tests.evalsite.conftest import logged_in
from tests.evalsite.families import make_annotated, make_answered, make_chained, make_listed, make_parsed
from tests.factories import make_gold, make_phase, make_run, make_scenario, make_submission, scored
from tests.own_pieces import seen

pytestmark = pytest.mark.django_db
MAKERS = (make_annotated, make_answered, make_chained, make_listed, make_parsed)


def example(client, task, number: int, query: str = "") -> dict[str, bytes]:
    response = client.get(f"/tasks/{task.slug}/scenarios/{number}/example.zip{query}")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/zip"
    with ZipFile(BytesIO(response.content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(params=["make_run", *(maker.__name__ for maker in MAKERS)])
def made(request, phase, team, alice, olga) -> Submission:
    """A run of each family, in an open phase of a task of its own."""
    if request.param == "make_run":
        return make_submission(phase, team, alice)
    return next(maker for maker in MAKERS if maker.__name__ == request.param)(olga, team, alice)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_before_a_phase_opens_the_example_is_made_up_and_follows_the_scenarios_options(client, task, number):
    make_scenario(task, number)
    files = example(client, task, number)
    assert f"output_a_scenario{number}.txt" in files
    family = scoring.FAMILIES["ehealthkd"]
    assert files == family.example(family.configure({"scenario": number}))


def test_the_example_that_the_upload_page_offers_uploads_and_is_scored_as_it_is(as_alice, made, team):
    page = reverse("submit", args=[made.phase.task.slug, made.phase.slug])
    [link] = set(re.findall(r'href="([^"]*example\.zip[^"]*)"', as_alice.get(page).content.decode()))
    content = as_alice.get(unescape(link)).content
    upload = SimpleUploadedFile("example.zip", content)
    form = {"files": [upload], "team": str(team.pk), "method": "Example"}
    response = as_alice.post(page, form)
    assert response.status_code == 302
    scoring = scored(Submission.objects.get(method="Example")).scorings.get()
    assert (scoring.state, scoring.error) == ("scored", "")
    assert scoring.result.headline is not None


@pytest.mark.thorough
def test_a_run_that_is_the_sample_is_marked_so_for_team_and_organisers_and_no_other_is(as_alice, olga, team, alice):
    made = make_parsed(olga, team, alice)
    [sample] = example(as_alice, made.phase.task, 1).items()
    form = {"files": [SimpleUploadedFile(*sample)], "team": str(team.pk), "method": "Example"}
    as_alice.post(reverse("submit", args=[made.phase.task.slug, "test"]), form)
    assert list(Submission.objects.filter(is_sample=True).values_list("method", flat=True)) == ["Example"]
    runs = logged_in(olga).get(reverse("desk_runs", args=[made.phase.task.slug])).content.decode()
    assert unescape(runs).count("the starter kit's sample") == 1
    page = as_alice.get(Submission.objects.get(is_sample=True).get_absolute_url()).content.decode()
    assert "These files are the sample of the starter kit" in page


@pytest.mark.thorough
def test_a_check_says_that_odd_files_are_the_example(as_alice, olga, team, alice):
    task = make_parsed(olga, team, alice).phase.task
    [sample] = example(as_alice, task, 1).items()
    page = reverse("submit", args=[task.slug, "test"])
    upload = SimpleUploadedFile(*sample)
    checked = as_alice.post(page, {"files": [upload], "check": "only"}).content.decode()
    assert "How to fix it" not in checked
    assert "This is the sample as it is." in checked


def test_the_example_of_an_open_phase_is_for_people_with_an_account_while_the_gold_is_kept(client, as_alice, made):
    task = made.phase.task
    made_up = scoring.FAMILIES[made.scorings.get().scenario.family].example(task.scenarios.get().configured)
    assert example(client, task, 1) == made_up
    assert example(as_alice, task, 1) != made_up
    task.phases.update(gold_released=True)
    assert example(client, task, 1) != made_up


def test_no_example_is_made_from_the_input_of_a_phase_that_has_not_opened(as_alice, phase, scenario):
    later = make_phase(phase.task, "later", opens=timezone.now() + timedelta(hours=1), closes=None)
    make_gold(later, scenario)
    made_up = scoring.FAMILIES["ehealthkd"].example(scenario.configured)
    assert example(as_alice, phase.task, 1, "?phase=later") == made_up
    assert example(as_alice, phase.task, 1, "?phase=test") == example(as_alice, phase.task, 1) != made_up


@pytest.mark.thorough
def test_there_is_no_example_of_a_scenario_that_does_not_exist_or_is_hidden(client, task, scenario):
    assert client.get(f"/tasks/{task.slug}/scenarios/9/example.zip").status_code == 404
    type(task).objects.update(is_published=False)
    assert client.get(f"/tasks/{task.slug}/scenarios/1/example.zip").status_code == 404


@pytest.mark.thorough
def test_the_task_page_and_the_upload_form_lead_to_it(as_alice, team, phase):
    for page, query in (("/tasks/health/", ""), ("/tasks/health/test/submit/", "?phase=test")):
        html = seen(as_alice, page)
        assert f'href="/tasks/health/scenarios/1/example.zip{query}"' in html
        assert "It is valid for Test" in html


@pytest.fixture
def machine(tmp_path, client) -> Path:
    """A participant's folder with the engine of the site unpacked in it, and its command under the name of pages."""
    with ZipFile(BytesIO(client.get("/engine.zip").content)) as archive:
        archive.extractall(tmp_path / "home")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "evalsite").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m scoring "$@"\n')
    (tmp_path / "bin" / "evalsite").chmod(0o755)
    return tmp_path / "home"


def test_the_command_that_the_upload_page_prints_runs_as_it_is_printed(as_alice, made, machine):
    made.phase.task.phases.update(gold_released=True)
    page = as_alice.get(reverse("submit", args=[made.phase.task.slug, made.phase.slug])).content.decode()
    [_, command] = re.findall(r'<pre class="command">(.*?)</pre>', page, re.DOTALL)
    [gold] = re.findall(r'href="(/gold/[^"]+)"', page)
    download = as_alice.get(gold)
    [name] = re.findall(r'filename="([^"]+)"', download.headers["Content-Disposition"])
    (machine / name).write_bytes(b"".join(download.streaming_content))
    put_run(machine, unescape(command), as_alice.get(f"/tasks/{made.phase.task.slug}/scenarios/1/example.zip").content)
    assert typed(unescape(command), machine).startswith("No problem found.\n")


def typed(command: str, machine: Path) -> str:
    """Return what the command says that is typed into a shell in the folder."""
    environment = {"PATH": f"{machine.parent / 'bin'}:{os.environ['PATH']}", "LANG": "C.UTF-8"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=machine, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def put_run(folder: Path, command: str, archive: bytes) -> None:
    """The example under the name that the command gives to a run."""
    [run] = re.findall(r"--system (\S+)", command)
    if run.endswith(".zip"):
        (folder / run).write_bytes(archive)
        return
    with ZipFile(BytesIO(archive)) as packed:
        [name] = packed.namelist()
        (folder / run).write_bytes(packed.read(name))


@pytest.mark.thorough
def test_while_the_gold_is_kept_the_command_runs_beside_the_input_of_the_starter_kit(as_alice, made, machine):
    page = as_alice.get(reverse("submit", args=[made.phase.task.slug, made.phase.slug])).content.decode()
    [_, command] = re.findall(r'<pre class="command">(.*?)</pre>', page, re.DOTALL)
    [kit] = re.findall(r'href="([^"]+kit\.zip)"', page)
    unpack_kit(as_alice.get(kit).content, machine)
    assert typed(unescape(command), machine).startswith("No problem found.\n")


def unpack_kit(content: bytes, folder: Path) -> None:
    """Unpack a kit without the folder that encloses all of it."""
    with ZipFile(BytesIO(content)) as archive:
        for name in archive.namelist():
            path = folder / name.partition("/")[2]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(name))


@pytest.mark.thorough
def test_the_commands_of_a_kit_s_readme_run_and_its_sample_is_scored_as_it_is(as_alice, made, team, machine):
    address = reverse("kit", args=[made.phase.task.slug, made.phase.slug])
    unpack_kit(as_alice.get(address).content, machine)
    readme = (machine / "README.md").read_text()
    [install, *_, check, upload] = re.findall(r"```\n(.*?)```", readme, re.DOTALL)
    [offered] = re.findall(r"\./(\S+\.whl)", install)
    with ZipFile(machine / offered) as package:
        assert "scoring/remote/commands.py" in package.namelist()
    assert typed(check, machine).startswith("No problem found.\n")
    assert f"evalsite submit {made.phase.task.slug}/{made.phase.slug} sample --method Sample --wait" in upload
    files = {path.name: path.read_bytes() for path in sorted((machine / "sample").iterdir())}
    scored_sample = make_run(made.phase, team, files, method="Sample")
    assert scored_sample.scorings.get().state == "scored"


@pytest.mark.thorough
def test_a_kit_is_the_same_whenever_it_is_made_and_another_when_the_phase_moves(as_alice, phase):
    made = as_alice.get("/tasks/health/test/kit.zip").content
    cache.clear()
    assert as_alice.get("/tasks/health/test/kit.zip").content == made
    type(phase).objects.update(closes=timezone.now() + timedelta(days=9))
    assert as_alice.get("/tasks/health/test/kit.zip").content != made


def test_a_kit_brings_the_data_of_its_phase_and_links_to_what_is_too_large(as_alice, phase, scenario, monkeypatch):
    later = make_phase(phase.task, "later", opens=timezone.now() - timedelta(hours=1))
    for name, own in (("texts.zip", phase), ("rules.txt", None), ("health-notes.txt", phase), ("other.txt", later)):
        file = ContentFile(b"12345", name)
        Download.objects.create(task=phase.task, phase=own, title=f"Title of {name}", file=file)
    make_gold(phase, scenario)
    assert data_in(as_alice) == {"health-texts.zip", "health-rules.txt", "health-notes.txt"}
    monkeypatch.setattr(kit, "_MOST_DATA", 9)
    cache.clear()
    [left] = data_in(as_alice)
    with ZipFile(BytesIO(as_alice.get("/tasks/health/test/kit.zip").content)) as archive:
        readme = archive.read("health-test-kit/README.md").decode()
    assert f"- `data/{left}`: " in readme
    assert readme.count("- <http://testserver/downloads/") == 2


def data_in(client) -> set[str]:
    """Return the names of the organisers' files in the kit."""
    with ZipFile(BytesIO(client.get("/tasks/health/test/kit.zip").content)) as archive:
        parts = [name.split("/") for name in archive.namelist()]
    return {name for _, folder, *names in parts if folder == "data" for name in names}


def test_there_is_no_kit_of_a_phase_that_has_not_opened_or_has_no_gold(as_alice, task, scenario):
    later = make_phase(task, "later", opens=timezone.now() + timedelta(hours=1), closes=None)
    make_gold(later, scenario)
    make_phase(task, "empty")
    assert as_alice.get("/tasks/health/later/kit.zip").status_code == 404
    assert as_alice.get("/tasks/health/empty/kit.zip").status_code == 404


@pytest.mark.thorough
def test_the_command_package_builds_the_very_wheel_that_the_site_offers(client, tmp_path):
    call_command("package", output=tmp_path, stdout=StringIO())
    [built] = tmp_path.iterdir()
    assert built.read_bytes() == client.get(f"/engine/{built.name}").content


@pytest.mark.thorough
def test_the_wheel_is_offered_under_the_name_of_the_running_engine(client):
    name = f"evalsite-{scoring.__version__}-py3-none-any.whl"
    with ZipFile(BytesIO(client.get(f"/engine/{name}").content)) as archive:
        names = archive.namelist()
        entry_points = archive.read(f"evalsite-{scoring.__version__}.dist-info/entry_points.txt").decode()
    assert "evalsite = scoring.__main__:run" in entry_points
    assert {each.split("/")[0] for each in names} == {"scoring", f"evalsite-{scoring.__version__}.dist-info"}
    assert client.get("/engine/evalsite-0.1.0-py3-none-any.whl").status_code == 404


def test_the_wheel_says_what_is_in_it_and_what_it_needs(client):
    info = f"evalsite-{scoring.__version__}.dist-info"
    with ZipFile(BytesIO(client.get(f"/engine/{wheel.NAME}").content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    recorded = [line.split(",") for line in files[f"{info}/RECORD"].decode().splitlines()]
    assert [name for name, _, _ in recorded] == list(files)
    for name, digest, size in recorded[:-1]:
        assert digest == "sha256=" + urlsafe_b64encode(sha256(files[name]).digest()).decode().rstrip("=")
        assert int(size) == len(files[name])
    described = message_from_bytes(files[f"{info}/METADATA"])
    assert (described["Name"], described["Version"]) == ("evalsite", scoring.__version__)
    assert {"numpy>=2.0", "scipy>=1.13", 'rapidfuzz>=3.0; extra == "text"'} <= set(described.get_all("Requires-Dist"))
    assert described.get_payload().startswith("# The scoring engine")


@pytest.mark.thorough
def test_the_wheel_brings_the_examples_of_all_families(client, tmp_path):
    with ZipFile(BytesIO(client.get(f"/engine/{wheel.NAME}").content)) as archive:
        archive.extractall(tmp_path)
    listed = "import scoring\nfor name, one in scoring.FAMILIES.items(): print(name, *one.example(one.configure({})))"
    done = subprocess.run([sys.executable, "-c", listed], cwd=tmp_path, capture_output=True, text=True, check=True)
    found = {name: paths for name, *paths in (line.split() for line in done.stdout.splitlines())}
    own = {name: [*family.example(family.configure({}))] for name, family in scoring.FAMILIES.items()}
    assert found == own
    assert all(own.values())


@pytest.mark.thorough
def test_the_engine_is_offered_with_nothing_but_its_own_files(client):
    with ZipFile(BytesIO(client.get("/engine.zip").content)) as archive:
        names = archive.namelist()
    assert {"scoring/__main__.py", "scoring/__init__.pyi", "LICENSE"} <= set(names)
    assert not [name for name in names if not name.startswith("scoring/") and name != "LICENSE"]
    assert not [name for name in names if "__pycache__" in name or "/." in name]
