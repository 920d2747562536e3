"""Web, worker and database on machines of their own, with an object store and no folder between them."""

import os
import re
import shutil
import sys
from contextlib import ExitStack
from html import unescape

import pytest
import requests

from evalsite.base import broker
from tests.factories import PARTLY_RIGHT, PASSWORD, run_files, zip_of
from tests.hosts import machines, postgresql, postgresql_programs, redis_server
from tests.mail_server import mail_server
from tests.object_store import moto_server
from tests.workers import wait_for

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(
        not (postgresql_programs() and shutil.which("redis-server")), reason="needs PostgreSQL and Redis"
    ),
]


@pytest.fixture
def site(tmp_path, monkeypatch):
    """The site's address, that of its gold, the folders of its machines `web` and `worker`, and its mail server."""
    # What they ask each other for goes by no proxy of the environment.
    monkeypatch.setenv("NO_PROXY", "*")
    with ExitStack() as stack:
        shared, hosts = stack.enter_context(machines(tmp_path, "web", "worker"))
        web, worker = hosts["web"], hosts["worker"]
        mails = stack.enter_context(mail_server(shared))
        environ = os.environ | {
            "EMAIL_URL": mails.url,
            "DATABASE_URL": stack.enter_context(postgresql(tmp_path / "postgresql", shared)),
            "REDIS_URL": stack.enter_context(redis_server(shared)),
            "STORAGE_URL": stack.enter_context(moto_server(shared)),
            "SECRET_KEY": "the same on all machines",
            "ALLOWED_HOSTS": web.address,
            "N_RESAMPLES": "200",
            "DJANGO_SETTINGS_MODULE": "evalsite.settings",
        }
        with web.runs([sys.executable, "-m", "tests.seeding"], environ, tmp_path / "seeding.log") as seeding:
            assert seeding.wait(120) == 0, (tmp_path / "seeding.log").read_text()
        celery = [sys.executable, "-m", "celery", "-A", "tests.impatient"]
        port = broker.free_port()
        gunicorn = ["-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "--workers", "1"]
        pages = [sys.executable, *gunicorn, "--bind", f"{web.address}:{port}", "evalsite.wsgi"]
        for host, name, command in (
            (web, "web", pages),
            (web, "beat", [*celery, "beat"]),
            (worker, "worker", [*celery, "worker", "--concurrency", "1"]),
        ):
            stack.enter_context(host.runs(command, environ, tmp_path / f"{name}.log"))
        gold = (tmp_path / "seeding.log").read_text().split()[-1]
        yield f"http://{web.address}:{port}", gold, web.folder, worker.folder, mails


class Browser(requests.Session):
    """Somebody's browser, which sends forms with their token."""

    def __init__(self, site: str) -> None:
        super().__init__()
        self.site = site

    def page(self, path: str) -> str:
        answer = self.get(self.site + path)
        assert answer.ok, (path, answer.status_code)
        return unescape(answer.text)

    def fill_in(self, path: str, data: dict[str, str], **files) -> requests.Response:
        token = re.search('name="csrfmiddlewaretoken" value="(.*?)"', self.page(path))
        answer = self.post(self.site + path, {**data, "csrfmiddlewaretoken": token[1]}, files=files or None)
        assert answer.ok, (path, answer.status_code)
        return answer


def logged_in(site: str, email: str) -> Browser:
    browser = Browser(site)
    browser.fill_in("/accounts/login/", {"login": email, "password": PASSWORD})
    return browser


def is_up(site: str) -> bool:
    try:
        return requests.get(site, timeout=10).ok
    except requests.RequestException:
        return False


def files_of(folder) -> set[str]:
    """Return what lies in the data folder of a machine."""
    return {str(path.relative_to(folder / "data")) for path in (folder / "data").rglob("*") if path.is_file()}


def test_an_upload_is_scored_ranked_and_given_back_though_no_machine_sees_the_disk_of_another(site):
    address, gold, web, worker, mails = site
    wait_for(lambda: is_up(address))
    alice = logged_in(address, "alice@example.org")
    submit = "/tasks/health/test/submit/"
    team = re.search(r'name="team"[^>]*value="(.*?)"|<option value="(.*?)"', alice.page(submit))
    run = zip_of(PARTLY_RIGHT)
    sent = alice.fill_in(submit, {"team": team[1] or team[2], "method": "Rules"}, files=("run.zip", run))
    path = sent.url.removeprefix(address)
    assert path.startswith("/submissions/")
    wait_for(lambda: "F1" in alice.page(path) and "Waiting" not in alice.page(path))
    board = "/tasks/health/test/board/1/"
    wait_for(lambda: "Rules" in Browser(address).page(board))
    assert alice.get(f"{address}{path}file/").content == run
    olga = logged_in(address, "olga@example.org")
    assert olga.get(address + gold).content == zip_of(run_files())
    assert alice.get(address + gold).status_code == 404
    Browser(address).fill_in("/accounts/password/reset/", {"email": "alice@example.org"})
    wait_for(lambda: any(b"/accounts/password/reset/key/" in mail for mail in mails.taken))
    kept = files_of(worker)
    assert kept, "the worker has cached nothing"
    caches = ("cache/files/", "cache/draws/")
    assert all(name.startswith(caches) for name in kept)
    assert not [name for name in files_of(web) if not name.startswith(caches)]
