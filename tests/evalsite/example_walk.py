"""Looks at the app of docs/contrib.md in a process in which it is installed.

`contrib/test_extension_points.py` makes it out of the page.
"""

import pytest

from tests.factories import make_run, run_files

pytestmark = pytest.mark.django_db


def test_the_app_of_the_example_has_its_line_on_the_page_of_a_task_and_a_page_of_its_own(client, task, phase, team):
    make_run(phase, team, run_files())
    address = f"/tasks/{task.slug}/runs-so-far/"
    assert f'<p><a href="{address}">1 runs so far</a></p>' in client.get(task.get_absolute_url()).content.decode()
    assert client.get(address).content == b"1 runs"
