"""Sends stored files to visitors whom a view has let in.

They come through the site, or if STORAGE_LINKS is set by a signed link to the object store, which frees the site's
thread at once: the link holds for a minute, and names one object.
"""

from typing import Any

from django.conf import settings
from django.db.models.fields.files import FieldFile
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.http import content_disposition_header

from evalsite.base.file_names import plain_name

AGAIN_IN = 30  # seconds, when files cannot be reached


def file_response(file: FieldFile, name: str) -> HttpResponseBase:
    """Return the file as a download; its type is not told, so that no browser opens it on this site.

    It raises FileNotFoundError if the file is not stored, another OSError if the storage cannot be reached.
    """
    storage: Any = file.storage
    name = plain_name(name)
    if settings.STORAGE_LINKS:
        # For a missing object the store would answer in XML.
        if not storage.exists(file.name):
            raise FileNotFoundError(f"{file.name} is not stored")
        return HttpResponseRedirect(storage.link(file.name, content_disposition_header(True, name)))
    content = storage.open(file.name)
    return FileResponse(content, as_attachment=True, filename=name, content_type="application/octet-stream")


def file_or_error_page(request: HttpRequest, file: FieldFile, name: str) -> HttpResponseBase:
    """Return the file as `sent` does, or a page that says why it cannot be had."""
    try:
        return file_response(file, name)
    except FileNotFoundError:
        return _error_page(request, 410)
    except OSError:
        answer = _error_page(request, 503)
        answer["Retry-After"] = str(AGAIN_IN)
        return answer


def _error_page(request: HttpRequest, status: int) -> HttpResponse:
    return render(request, "challenges/no_file.html", {"is_gone": status == 410}, status=status)
