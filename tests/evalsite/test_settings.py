"""Tests what the settings refuse, before a site starts that would not work or would tell secrets."""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings


def start(tmp_path, **environ: str) -> subprocess.CompletedProcess[str]:
    """The settings, as another process loads them."""
    variables = {name: value for name, value in os.environ.items() if name not in ("EMAIL_URL", "DEBUG")}
    variables |= {"EVALSITE_DATA_DIR": str(tmp_path), "SECRET_KEY": "x" * 60} | environ
    command = [sys.executable, "-c", "import evalsite.settings"]
    return subprocess.run(command, cwd=settings.BASE_DIR, env=variables, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("address", [None, "consolemail://"])
def test_a_server_without_a_mail_server_says_how_to_name_one(tmp_path, address):
    given = {"EMAIL_URL": address} if address else {}
    ended = start(tmp_path, EVALSITE_PRODUCTION="1", **given)
    assert ended.returncode != 0
    assert "EMAIL_URL=smtp+tls://user:password@host:587" in ended.stderr


def test_a_server_with_one_starts(tmp_path):
    ended = start(tmp_path, EVALSITE_PRODUCTION="1", EMAIL_URL="smtp+tls://mail.example.org:587")
    assert ended.returncode == 0, ended.stderr


@pytest.mark.thorough
def test_what_a_server_serves_to_everybody_lies_outside_of_what_it_writes(tmp_path):
    told = "import evalsite.settings as s; print(s.STATIC_ROOT.is_relative_to(s.DATA_DIR), s.STATIC_ROOT)"
    variables = {"EVALSITE_DATA_DIR": str(tmp_path), "SECRET_KEY": "x" * 60, "EVALSITE_PRODUCTION": "1"}
    environ = os.environ | variables | {"EMAIL_URL": "smtp+tls://mail.example.org:587"}
    command = [sys.executable, "-c", told]
    ended = subprocess.run(command, cwd=settings.BASE_DIR, env=environ, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["False", str(settings.BASE_DIR / "collected")]


@pytest.mark.parametrize(
    "address", ["amqp://guest:secret@mq.example.org//", "sentinel://mq.example.org", "mq.example.org"]
)
def test_a_broker_that_is_no_redis_is_refused_without_its_password(tmp_path, address):
    ended = start(tmp_path, REDIS_URL=address)
    assert ended.returncode != 0
    assert "RabbitMQ and others are not supported" in ended.stderr
    assert "secret" not in ended.stderr.rpartition("ImproperlyConfigured")[2]


@pytest.mark.thorough
def test_a_server_takes_no_cache_whose_values_are_code_for_whoever_writes_into_it(tmp_path):
    server = {"EVALSITE_PRODUCTION": "1", "EMAIL_URL": "smtp+tls://mail.example.org:587"}
    ended = start(tmp_path, CACHE_URL="filecache:///var/tmp/secret", **server)
    assert ended.returncode != 0
    assert "CACHE_URL has to look like rediscache://" in ended.stderr
    assert "secret" not in ended.stderr.rpartition("ImproperlyConfigured")[2]
    assert start(tmp_path, CACHE_URL="rediscache://:secret@127.0.0.1/1", **server).returncode == 0


@pytest.mark.parametrize("address", ["redis://:secret@mq.example.org:6379/0", "rediss://mq.example.org/0"])
def test_a_redis_is_taken_as_broker(tmp_path, address):
    ended = start(tmp_path, REDIS_URL=address)
    assert ended.returncode == 0, ended.stderr


def test_a_command_beside_the_demo_finds_its_broker_and_a_server_looks_for_none(tmp_path):
    (tmp_path / "broker-address").write_text("redis://127.0.0.1:6390/0\n")
    command = [sys.executable, "-c", "import evalsite.settings as s; print(s.REDIS_URL)"]
    environ = os.environ | {"EVALSITE_DATA_DIR": str(tmp_path), "REDIS_URL": ""}
    server = {"EVALSITE_PRODUCTION": "1", "SECRET_KEY": "x" * 60, "EMAIL_URL": "smtp+tls://mail.example.org:587"}
    for variables, port in (({}, 6390), ({"REDIS_URL": "redis://127.0.0.1:6391/0"}, 6391), (server, 6379)):
        said = subprocess.run(
            command, cwd=settings.BASE_DIR, env=environ | variables, capture_output=True, text=True, check=True
        )
        assert said.stdout == f"redis://127.0.0.1:{port}/0\n"


@pytest.mark.thorough
def test_servers_that_went_without_a_word_are_not_waited_for_without_end(tmp_path):
    told = "s.DATABASES['default'], s.CELERY_BROKER_TRANSPORT_OPTIONS"
    code = f"import json, evalsite.settings as s; print(json.dumps([{told}]))"
    variables = {"EVALSITE_DATA_DIR": str(tmp_path), "DATABASE_URL": "postgres://site@db.example.org/site"}
    command = [sys.executable, "-c", code]
    ended = subprocess.run(command, cwd=settings.BASE_DIR, env=os.environ | variables, capture_output=True, check=True)
    connection, broker = json.loads(ended.stdout)
    assert connection["CONN_HEALTH_CHECKS"], "one that the server has ended is noticed before a page uses it"
    database = connection["OPTIONS"]
    unanswered = database["keepalives_idle"] + database["keepalives_interval"] * database["keepalives_count"]
    assert max(database["connect_timeout"], unanswered, database["tcp_user_timeout"] / 1000) <= 30
    assert max(broker["socket_connect_timeout"], broker["socket_timeout"]) <= 10


@pytest.mark.thorough
def test_what_is_collected_may_be_read_by_another_user_than_who_has_collected_it(tmp_path):
    variables = {"EVALSITE_PRODUCTION": "1", "EMAIL_URL": "smtp://mail.example.org", "SECRET_KEY": "x" * 60}
    collected = tmp_path / "collected"
    variables |= {"EVALSITE_DATA_DIR": str(tmp_path), "STATIC_ROOT": str(collected)}
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    subprocess.run(command, cwd=settings.BASE_DIR, env=os.environ | variables, umask=0o022, check=True)
    made = {path: path.stat().st_mode for path in (collected, *collected.rglob("*"))}
    assert (collected / "staticfiles.json") in made
    assert not [path for path, mode in made.items() if mode & 0o444 != 0o444 or path.is_dir() and mode & 0o111 != 0o111]
