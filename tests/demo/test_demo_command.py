"""The demo as its visitors start it: a process of its own with a folder of its own."""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import urllib.error
from pathlib import Path

import pytest
import redis
from django.conf import settings
from django.core.management.base import CommandError

from demo.management.commands.demo import choose_port, fetch, fetch_board, only_one
from demo.task import TASKS


def demo(folder: Path, *options: str, **settings_of_server: str) -> subprocess.Popen[str]:
    environ = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    return subprocess.Popen(
        [sys.executable, "manage.py", "demo", "--port", "0", "--data-dir", str(folder), *options],
        cwd=settings.BASE_DIR,
        env=environ | {"EVALSITE_BOOTSTRAP": "0", "N_RESAMPLES": "200"} | settings_of_server,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def read_until(process: subprocess.Popen[str], start: str) -> str:
    """Return what it prints up to the line that begins so."""
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith(start):
            return "".join(lines)
    pytest.fail(f"no line begins with {start}: {''.join(lines)}")


def stop(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    assert process.stdout.read().endswith("Stopped.\n")
    assert process.wait() == 0


@pytest.fixture(scope="module")
def other_broker(broker_process):
    """One that runs already, at the address that a demo has left behind whose machine lost its power."""
    with redis.Redis.from_url(broker_process) as client:
        client.flushall()
        yield client


@pytest.fixture(scope="module")
def short_start(tmp_path_factory, other_broker) -> tuple[Path, str]:
    """One that is ended as soon as its first board is served."""
    folder = tmp_path_factory.mktemp("short")
    address = other_broker.connection_pool.connection_kwargs
    (folder / "broker-address").write_text(f"redis://{address['host']}:{address['port']}/0\n")
    with demo(folder) as process:
        output = read_until(process, "Ready")
        assert "<table" in fetch(re.search(r"The ranked page: (\S+)", output)[1])
        assert re.fullmatch(r"redis://127\.0\.0\.1:\d+/0\n", (folder / "broker-address").read_text())
        stop(process)
        assert not (folder / "broker-address").exists()
    return folder, output


@pytest.fixture(scope="module")
def whole_start(short_start) -> tuple[Path, str]:
    """One that goes on where the other was ended."""
    folder, _ = short_start
    with demo(folder, "--all", "--exit") as process:
        output = process.stdout.read()
    assert process.returncode == 0, output
    return folder, output


@pytest.mark.thorough
def test_it_names_the_board_that_it_serves_and_the_accounts(short_start):
    _, output = short_start
    assert re.search(r"The ranked page: http://127\.0\.0\.1:\d+/\S+\n", output)
    assert re.search(r"organiser +\S+@\S+ +\S+\n", output)


@pytest.mark.thorough
def test_what_it_writes_is_for_nobody_else(short_start):
    folder, _ = short_start
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    logs = list((folder / "logs").iterdir())
    assert {path.name for path in logs} >= {"worker.log", "upkeep.log", "web.log"}
    files = [folder / "evalsite.sqlite3", folder / "secret_key", *logs]
    assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in files} == {0}


@pytest.mark.thorough
def test_what_it_sends_comes_to_its_own_workers(short_start, other_broker):
    """Else each scoring would wait until the reaper sends it again, and another site's workers would get it."""
    assert other_broker.keys() == []


@pytest.mark.thorough
def test_it_scores_all_submissions(whole_start):
    folder, output = whole_start
    scored, submitted = re.findall(r"Scored (\d+) of (\d+)", output)[-1]
    assert int(scored) == int(submitted) > 0
    assert f"Data: {folder}\nLogs: {folder / 'logs'}\n" in output
    assert output.count("Also ranked: http://127.0.0.1:") == len(TASKS) - 1


@pytest.mark.thorough
def test_the_first_board_is_served_before_the_other_tasks_are_scored(short_start, whole_start):
    n_then, n_at_last = (int(re.findall(r"Scored (\d+) of \1\n", text)[-1]) for _, text in (short_start, whole_start))
    assert 0 < n_then < n_at_last / 2


@pytest.mark.thorough
def test_without_all_it_makes_no_other_task(short_start):
    folder, _ = short_start
    with demo(folder, "--exit") as process:
        output = process.stdout.read()
    assert process.returncode == 0, output
    assert "Also ranked" not in output


@pytest.mark.thorough
def test_a_second_start_serves_the_same_data_until_ctrl_c(whole_start):
    folder, first_output = whole_start
    with demo(folder, "--all") as process:
        output = read_until(process, "Ready")
        url = re.search(r"The ranked page: (\S+)", output)[1]
        assert "<table" in fetch(url)
        output += read_until(process, "Also ranked")
        stop(process)
    assert re.findall(r"Scored .*", output)[-1] == re.findall(r"Scored .*", first_output)[-1]
    with pytest.raises(urllib.error.URLError):
        fetch(url)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("variables", "words"),
    [
        (
            {"EVALSITE_PRODUCTION": "1", "SECRET_KEY": "x" * 60, "EMAIL_URL": "smtp://localhost"},
            "EVALSITE_PRODUCTION is set",
        ),
        ({"DATABASE_URL": "sqlite:///{folder}/other/site.sqlite3"}, "Unset DATABASE_URL"),
        ({"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}, "Unset DATABASE_URL"),
    ],
)
def test_it_does_not_run_with_the_settings_of_a_server(tmp_path, variables, words):
    (tmp_path / "other").mkdir()
    given = {name: value.format(folder=tmp_path) for name, value in variables.items()}
    with demo(tmp_path / "demo", "--exit", **given) as process:
        output = process.stdout.read()
    assert process.returncode == 1
    assert words in output
    assert not (tmp_path / "other/site.sqlite3").exists()


@pytest.mark.thorough
def test_it_does_not_fill_a_database_that_has_accounts_of_its_own(tmp_path):
    environ = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environ |= {"EVALSITE_BOOTSTRAP": "0", "EVALSITE_DATA_DIR": str(tmp_path)}
    made = (
        "from demo.database import create_database; create_database();"
        "from evalsite.accounts.models import User; User.objects.create_user('a@example.org', name='A')"
    )
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", made]
    subprocess.run(command, cwd=settings.BASE_DIR, env=environ, check=True)
    with demo(tmp_path, "--exit") as process:
        output = process.stdout.read()
    assert process.returncode == 1
    assert "was not made by the demo" in output


def test_a_page_without_a_ranking_is_an_error(live_server):
    with pytest.raises(CommandError, match="shows no ranking"):
        fetch_board(f"{live_server.url}/accounts/login/")


def test_a_taken_port_is_named_with_the_way_out():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(CommandError, match=f"Port {port} can't be used .*--port 0"):
            choose_port(port)
    assert choose_port(port) == port
    assert choose_port(0) > 0


def test_two_demos_on_the_same_data_are_kept_apart(tmp_path):
    with only_one(tmp_path), pytest.raises(CommandError, match=f"{tmp_path} already"), only_one(tmp_path):
        pytest.fail("both have started")
    with only_one(tmp_path):
        pass
