"""Who may make a bundle of a task, and a task of a bundle."""

from evalsite.background.models import Job
from evalsite.contrib.bundles.importing import KIND
from tests.evalsite.access.rows import LOGIN, Row, lookers, owners

TABLE = {
    "organise_bundle": Row((LOGIN, *[403] * 4, *[200] * 4), (LOGIN, *[403] * 4, *[422] * 4)),
    # Who imports it; back to the page where nothing is asked.
    "organise_bundle_job": Row((LOGIN, *[404] * 5, 200, 404, 404), (LOGIN, *[404] * 5, 302, 404, 404)),
    "desk_bundle": Row(lookers(302), owners(200)),
}


def _job_of(world):
    done = {"state": "done", "result": {"problems": []}, "arguments": {"name": "x"}}
    return Job.objects.get_or_create(kind=KIND, made_by=world.owner, defaults=done)[0]


PARTS = {"organise_bundle_job": {"pk": lambda world: _job_of(world).pk}}
