"""Receives large files in parts, one request each, which resume after a broken connection."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_noop
from ninja import Form, Router, Schema, Status
from pydantic import Field

from evalsite.api.auth import Uploading, owner
from evalsite.api.problems import Refusal
from evalsite.api.schemas import KeptDescribed, Problem
from evalsite.challenges.access import visible_phase
from evalsite.submissions.models import KeptUpload
from evalsite.submissions.receiving import kept_uploads, parts
from evalsite.submissions.receiving.parts import read_part

router = Router(tags=["Runs"])
REFUSALS = {status: Problem for status in (401, 403, 404, 422)}


class _Announced(Schema):
    name: str = Field(description=gettext_noop("Of the file."))
    size: int = Field(description=gettext_noop("In bytes."))
    mark: str = Field(
        "", description=gettext_noop("What distinguishes it from others of the same name and size, such as a digest.")
    )


@router.post(
    "/tasks/{task}/{phase}/parts",
    response={201: KeptDescribed, **REFUSALS},
    auth=Uploading(),
    url_name="kept_begin",
    summary=gettext_noop("Start sending a large file in parts"),
    description=gettext_noop(
        "Or continue: the same name, size and mark find the upload that was begun. `received` "
        "says where the next part begins. Once the file is complete, upload or check it by its "
        "ID, as `kept`. If other unfinished uploads leave no room, `under_way` names them, and "
        "`POST /kept/{id}/remove` drops one."
    ),
)
def kept_begin(request: HttpRequest, task: str, phase: str, form: Form[_Announced]) -> Status[Any]:
    user = owner(request)
    found = visible_phase(user, task, phase)
    try:
        return Status(201, _state(parts.begin(user, found, form.name, form.size, form.mark)))
    except parts.PartRefused as error:
        raise Refusal(422, str(error)) from error
    except kept_uploads.NoRoom as error:
        under_way = [KeptDescribed(**_state(each)).model_dump(mode="json") for each in error.under_way]
        raise Refusal(422, str(error), under_way=under_way) from error


@router.get(
    "/kept/{id}",
    response={200: KeptDescribed, **REFUSALS},
    auth=Uploading(),
    url_name="kept",
    summary=gettext_noop("How much of a file has arrived"),
)
def kept(request: HttpRequest, id: UUID) -> dict[str, Any]:
    return _state(_own(request, id))


@router.post(
    "/kept/{id}/part",
    response={200: KeptDescribed, 400: Problem, 409: Problem, **REFUSALS},
    auth=Uploading(),
    url_name="kept_part",
    summary=gettext_noop("Send the next part"),
    description=gettext_noop(
        "The bytes are the body, and `Content-Range: bytes 0-5242879/188743680` says which ones. "
        "If a part is in the wrong place (409), `received` says where to continue."
    ),
)
def kept_part(request: HttpRequest, id: UUID) -> dict[str, Any]:
    own = _own(request, id)
    try:
        first, content = read_part(request, own)
    except parts.PartRefused as error:
        raise Refusal(400, str(error)) from error
    try:
        return _state(parts.append(own, first, content))
    except parts.WrongOffset as error:
        raise Refusal(409, str(error), received=error.received) from error
    except (parts.PartRefused, kept_uploads.NoRoom) as error:
        raise Refusal(422, str(error)) from error


@router.post(
    "/kept/{id}/remove",
    response={204: None, **REFUSALS},
    auth=Uploading(),
    url_name="kept_remove",
    summary=gettext_noop("Drop a file"),
)
def kept_remove(request: HttpRequest, id: UUID) -> Status[None]:
    _own(request, id).delete()
    return Status(204, None)


def _own(request: HttpRequest, id: UUID) -> KeptUpload:
    return get_object_or_404(kept_uploads.kept_by(owner(request)), pk=id)


def _state(kept: KeptUpload) -> dict[str, Any]:
    own = ("id", "name", "size", "received", "expires")
    return {name: getattr(kept, name) for name in own} | {"part_bytes": settings.PART_BYTES}
