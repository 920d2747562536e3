"""Two people who choose the same name for a team in the same moment."""

import threading

import pytest
from django.db import connection
from django.test import Client

from evalsite.accounts.models import Team


@pytest.mark.django_db(transaction=True)
def test_one_gets_the_name_and_the_other_is_told(alice, bob):
    start, statuses = threading.Barrier(2), []

    def found(user):
        client = Client()
        client.force_login(user)
        start.wait()
        statuses.append(client.post("/teams/new/", {"name": "The same", "affiliation": ""}).status_code)
        connection.close()

    threads = [threading.Thread(target=found, args=[user]) for user in (alice, bob)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [302, 422]
    assert Team.objects.filter(name="The same").count() == 1
