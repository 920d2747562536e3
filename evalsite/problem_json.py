"""An error as programs read it: RFC 9457, `application/problem+json`."""

import json
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse


def problem(status: int, detail: str, **more: Any) -> HttpResponse:
    """`detail` says what a page would say; `more` are further members, such as `problems`."""
    said = {"title": HTTPStatus(status).phrase, "status": int(status), "detail": str(detail)} | more
    content = json.dumps(said, ensure_ascii=False, default=str)
    return HttpResponse(content, status=status, content_type="application/problem+json")
