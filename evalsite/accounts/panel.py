"""What all lists of the admin pages share."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst


class NamedList:
    """In front of a ModelAdmin: its list has the name of what it lists. Django's is "Select team to change"."""

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        title = capfirst(str(self.opts.verbose_name_plural))  # type: ignore[attr-defined]
        shown = {"title": title, **(extra_context or {})}
        response: HttpResponse = super().changelist_view(request, shown)  # type: ignore[misc]
        return response
