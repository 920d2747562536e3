"""Everything that the site keeps of a person, as an archive of JSON and of the files that the person has uploaded."""

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

from allauth.socialaccount.models import SocialAccount

from evalsite.accounts.models import OrganiserRequest, User
from evalsite.api.models import AccessToken
from evalsite.challenges.models import Agreement, Application, Event, Participation
from evalsite.challenges.storage.zip_streams import zipped
from evalsite.mailing.models import Delivery
from evalsite.mailing.switches import kinds_on
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.files import members_of

INDEX = "account.json"
MOST_EVENTS = 10_000  # the newest ones


def archive(user: User) -> Iterator[bytes]:
    """Yield the archive in chunks; scores are not in it, as some are hidden: they are on the pages of the runs."""
    text = json.dumps(_everything(user), ensure_ascii=False, indent=2, default=str)
    return zipped(chain([(INDEX, [text.encode()])], members_of(Submission.objects.filter(uploader=user), "runs/")))


def _everything(user: User) -> dict[str, Any]:
    return {
        "account": _account(user),
        "teams": [
            {"team": row.team.name, "affiliation": row.team.affiliation, "owner": row.is_owner, "joined": row.joined}
            for row in user.memberships.select_related("team")
        ],
        "takes_part_in": [
            {"task": row.task.slug, "team": row.team.name, "since": row.created, "banned": row.ban_reason}
            for row in Participation.objects.filter(team__members=user).select_related("task", "team")
        ],
        "answers": [
            {"task": row.task.slug, "team": row.team.name, "sent": row.created, "state": row.state} | _asked(row)
            for row in Application.objects.filter(user=user).select_related("task__entry_rules", "team")
        ],
        "agreed_to": [
            {"task": row.task.slug, "team": row.team.name, "version": row.version, "at": row.created, "text": row.text}
            for row in Agreement.objects.filter(user=user).select_related("task", "team")
        ],
        "organises": [
            {"task": row.task.slug, "role": row.role, "added": row.added}
            for row in user.organiser_rows.select_related("task")
        ],
        "letters": [
            {"task": row.letter.task.slug, "kind": row.letter.kind, "subject": row.subject, "to": row.email}
            | {"written": row.letter.created, "state": row.state, "text": row.letter.text}
            for row in Delivery.objects.filter(user=user).select_related("letter__task")
        ],
        "kinds_of_mail": kinds_on(user),
        "did": [
            {"at": row.created, "what": row.kind, "task": row.task.slug if row.task else "", "detail": row.detail}
            for row in Event.objects.filter(actor=user).select_related("task")[:MOST_EVENTS]
        ],
    }


def _asked(application: Application) -> dict[str, Any]:
    rules = getattr(application.task, "entry_rules", None)
    texts = {question["key"]: question["text"] for question in (rules.questions if rules else [])}
    return {"answers": {texts.get(key, key): value for key, value in application.answers.items()}}


def _account(user: User) -> dict[str, Any]:
    asked = OrganiserRequest.objects.filter(user=user).first()
    return {
        "name": user.name,
        "affiliation": user.affiliation,
        "language": user.language,
        "joined": user.date_joined,
        "last_login": user.last_login,
        "may_create_tasks": user.may_create_tasks,
        "asked_to_organise": asked.purpose if asked else "",
        "addresses": list(user.emailaddress_set.values("email", "verified")),  # type: ignore[attr-defined]
        "connected": list(
            SocialAccount.objects.filter(user=user).values("provider", "uid", "extra_data", "date_joined")
        ),
        "access_tokens": list(AccessToken.objects.filter(user=user).values("name", "scopes", "created", "last_used")),
    }
