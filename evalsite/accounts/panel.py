"""What all lists of the admin pages share."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst

from evalsite.accounts.long_lists import LongListPaginator

LONGEST_SEARCH = 100  # characters; each word of a search is a condition on each column


class NamedList:
    """In front of a ModelAdmin: its list has the name of what it lists, and opens at once however long it is.

    Django's is called "Select team to change", and counts all rows twice.
    """

    paginator: type = LongListPaginator
    show_full_result_count = False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        title = capfirst(str(self.opts.verbose_name_plural))  # type: ignore[attr-defined]
        shown = {"title": title, **(extra_context or {})}
        response: HttpResponse = super().changelist_view(request, shown)  # type: ignore[misc]
        return response

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        found: tuple[QuerySet[Any], bool] = super().get_search_results(  # type: ignore[misc]
            request, queryset, search_term[:LONGEST_SEARCH]
        )
        return found
