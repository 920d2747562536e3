"""A deposit on Zenodo, prepared as files: what it is called, whose it is, and what is still to be decided by people."""

import json
from collections.abc import Iterator
from datetime import datetime
from html import escape
from typing import Any

from django.conf import settings

from evalsite.accounts.sign_in.orcids import orcids_of
from evalsite.challenges.models import Task
from evalsite.drawer.readme import Text

_STEPS = """\
# A deposit on Zenodo

`.zenodo.json` describes this folder to Zenodo: a repository on GitHub that has it at its top is archived with these
words at each release. `zenodo-deposit.json` is the same for the API: `POST https://zenodo.org/api/deposit/depositions`.

Before you deposit anything

1. choose a licence (`license`), which is the organisers' to give: none is named here;
2. write names as `family, given`, add who is missing, and affiliations; ORCID iDs are those that people have connected
   here;
3. take out what is not to be public: `teams.csv` and `fact-sheets.csv` name people and say what teams told you,
   `runs/` has their files, and boards of a phase whose results are not released have real names;
4. add the DOI of the overview, once there is one, as a related identifier.
"""


def deposit_of(task: Task, made: datetime) -> Iterator[Text]:
    metadata = _metadata(task, made)
    about = "the deposit on Zenodo, as a repository on GitHub describes itself"
    yield Text(".zenodo.json", _as_json(metadata), about=about)
    yield Text("zenodo-deposit.json", _as_json({"metadata": metadata}), about="the same for Zenodo's API")
    yield Text("zenodo.md", _STEPS.encode(), about="how to make the deposit, and what is to be decided before")


def _as_json(content: dict[str, Any]) -> bytes:
    return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode()


def _metadata(task: Task, made: datetime) -> dict[str, Any]:
    address = settings.SITE_URL + task.get_absolute_url()
    said = [f"Results of the shared task {task.title}: boards with intervals and tests of all pairs.", task.summary]
    return {
        "upload_type": "dataset",
        "title": f"Results of {task.title}",
        "publication_date": str(made.date()),
        "description": "".join(f"<p>{escape(each)}</p>" for each in said if each),
        "creators": _creators(task),
        "keywords": ["shared task", "evaluation", "natural language processing"],
        "access_right": "open",
        "related_identifiers": [{"identifier": address, "relation": "isDescribedBy", "resource_type": "other"}],
    }


def _creators(task: Task) -> list[dict[str, str]]:
    people = task.named_organisers
    orcids = orcids_of(people)
    creators = []
    for person in people:
        known = {"affiliation": person.affiliation, "orcid": orcids.get(person.pk, "")}
        creators.append({"name": str(person), **{name: value for name, value in known.items() if value}})
    return creators or [{"name": settings.SITE_NAME}]
