"""A transaction of a request ends in time, whatever it does: else nobody could write meanwhile."""

import json
import logging
import os
import subprocess
import sys
from itertools import count

import pytest
from django.conf import settings
from django.db import transaction

from evalsite.challenges.models import Event, Task, record
from evalsite.desk.making import drafts
from tests.factories import make_task
from tests.hosts import postgresql, postgresql_programs

WITHOUT_END = {"title": "Hunt 2026", "summary": "Find names."}


@pytest.mark.django_db(transaction=True)
def test_a_transaction_without_end_is_ended_and_told_as_any_fault_of_the_database(
    as_olga, settings, monkeypatch, caplog
):
    """Act as a clone that tried one address after the other for ever."""
    task = make_task()
    settings.TRANSACTION_SECONDS = 0.2
    monkeypatch.setattr(drafts, "_free_slugs", lambda title: (task.slug for _ in count()))
    monkeypatch.setattr(drafts, "MOST_TRIES", None)
    as_olga.raise_request_exception = False
    with caplog.at_level(logging.ERROR):
        answer = as_olga.post("/organise/new/", WITHOUT_END)
    assert answer.status_code == 503
    assert "The database of this site is not responding." in answer.content.decode()
    assert [row.exc_info[1].args[0] for row in caplog.records if row.exc_info] == [
        "a transaction of a request took longer than 0.2 seconds"
    ]
    assert Task.objects.get() == task
    with transaction.atomic():  # whoever comes next
        record(task, "task changed")
    assert Event.objects.count() == 1


TOLD = """
import json, sys, django
from django.db import connection
if sys.argv[1] == "web":
    import evalsite.wsgi
else:
    django.setup()
from evalsite.base.faults import fault_of
with connection.cursor() as cursor:
    told = {}
    for name in ("statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout", "jit"):
        cursor.execute(f"SHOW {name}")
        told[name] = cursor.fetchone()[0]
    cursor.execute("SET statement_timeout = '50ms'")
    try:
        cursor.execute("SELECT pg_sleep(5)")
    except Exception as error:
        told["fault"] = fault_of(error)
print(json.dumps(told))
"""


@pytest.mark.thorough
@pytest.mark.skipif(not postgresql_programs(), reason="PostgreSQL is not installed here")
def test_postgresql_ends_what_takes_long_for_pages_and_not_for_workers(tmp_path):
    with postgresql(tmp_path / "server", "127.0.0.1") as url:
        environment = os.environ | {
            "DATABASE_URL": url,
            "EVALSITE_DATA_DIR": str(tmp_path / "data"),
            "DJANGO_SETTINGS_MODULE": "evalsite.settings",
            "TRANSACTION_SECONDS": "12",
        }
        told = {}
        for process in ("web", "worker"):
            command = [sys.executable, "-c", TOLD, process]
            ended = subprocess.run(
                command, cwd=settings.BASE_DIR, env=environment, capture_output=True, check=False, text=True
            )
            assert ended.returncode == 0, ended.stderr
            told[process] = json.loads(ended.stdout.splitlines()[-1])
    common = {"jit": "off", "fault": "database away"}
    names = ("statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout")
    assert told["web"] == dict(zip(names, ("12s", "12s", "4s"), strict=True)) | common
    assert told["worker"] == dict.fromkeys(names, "0") | common
