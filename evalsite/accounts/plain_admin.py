"""Base classes of the administration's pages, which only administrators see, and change only where a class says so."""

import json
from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.paginator import Page, Paginator
from django.db import connections
from django.db.models import FileField, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property
from django.utils.html import format_html_join
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from evalsite.accounts.organisers import may_administer

LONGEST_SEARCH = 100  # characters; each word of a search is a condition on each column
MOST_COUNTED = 10_000  # rows; of longer lists PostgreSQL's planner says how many there are
ROUNDED_TO = 1_000


class LongListPaginator(Paginator):
    """Counts short lists exactly, and takes the number of rows of long ones from the planner's estimate.

    Pages of the second half are read from the end of the list, so that its last page has its last rows, costs no more
    than the first one, and is right however wrong the estimate is.
    """

    @cached_property
    def count(self) -> int:
        rows = cast(QuerySet[Any], self.object_list)
        if not _may_be_estimated(rows):
            return super().count
        counted = rows.order_by()[: MOST_COUNTED + 1].count()
        return counted if counted <= MOST_COUNTED else _estimate(rows)

    @property
    def is_estimate(self) -> bool:
        return _may_be_estimated(self.object_list) and self.count > MOST_COUNTED

    def page(self, number: Any) -> Page:
        number, rows = self.validate_number(number), cast(QuerySet[Any], self.object_list)
        start, stop = self.per_page * (number - 1), min(self.per_page * number, self.count)
        if not self.is_estimate:
            return Page(rows[start:stop], number, self)
        # An index is enough to skip to the keys, by which the rows of the page are fetched.
        keys = rows.values_list("pk", flat=True)
        is_near = stop <= self.count / 2
        page_keys = keys[start:stop] if is_near else keys.reverse()[self.count - stop : self.count - start]
        return Page(rows.filter(pk__in=list(page_keys)), number, self)


def _may_be_estimated(rows: Any) -> bool:
    return isinstance(rows, QuerySet) and connections[rows.db].vendor == "postgresql"


def _estimate(rows: QuerySet[Any]) -> int:
    """Return how many rows the planner expects, from its statistics and at once, rounded so that it looks estimated."""
    [plan] = json.loads(rows.order_by().explain(format="json"))
    expected = max(plan["Plan"]["Plan Rows"], MOST_COUNTED + 1)
    return ROUNDED_TO * -(-expected // ROUNDED_TO)


class NamedList:
    """A mixin for a ModelAdmin whose list has the name of what it lists, and opens at once however long it is.

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
        matching: tuple[QuerySet[Any], bool] = super().get_search_results(  # type: ignore[misc]
            request, queryset, search_term[:LONGEST_SEARCH]
        )
        return matching


class Administered:
    """A mixin for a ModelAdmin or an inline; nobody is given Django's model permissions."""

    may_add = may_change = may_delete = False
    is_work = 0  # place among the lists in which there is work, from 1; the index folds the others

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may_administer(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return may_administer(request.user)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.may_add and may_administer(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.may_change and may_administer(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.may_delete and may_administer(request.user)


class PlainAdmin(NamedList, Administered, admin.ModelAdmin):
    """Shows all fields of a row but `hidden` ones; of files it shows the names, as they leave by the site's own views.

    What is changed, a task above all, is changed on the site's own pages, which know the rules of it.
    """

    hidden: tuple[str, ...] = ()  # secrets, and what is too large to be read

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer(*self.hidden)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        if self.fields or self.fieldsets:
            return super().get_fields(request, obj)
        shown = [field.name for field in self.opts.fields if field.name not in (*self.hidden, *self._files)]
        return [*shown, "stored"] if self._files else shown

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        named = super().get_readonly_fields(request, obj)
        return named if self.may_add or self.may_change else (*named, *self.get_fields(request, obj))

    @property
    def _files(self) -> list[str]:
        return [field.name for field in self.opts.fields if isinstance(field, FileField)]

    @admin.display(description=gettext_lazy("stored file"))
    def stored(self, obj: Model) -> str:
        return format_html_join(", ", "{}", ((getattr(obj, name).name or "–",) for name in self._files))

    def get_view_on_site_url(self, obj: Model | None = None) -> str | None:
        address = getattr(obj, "get_absolute_url", None)
        return address() if obj is not None and callable(address) else None

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry | None:  # type: ignore[override]
        """Log nothing if nothing was changed; Django does nothing with what comes back."""
        return super().log_change(request, obj, message) if message else None

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Remove Django's deletion of any number of rows at once."""
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}


def show(
    model: type[Model],
    *columns: str,
    related: tuple[str, ...] = (),
    hidden: tuple[str, ...] = (),
    search: tuple[str, ...] = (),
) -> None:
    """Register a model of which the administration shows a list and each row; `related` is what the list names."""
    attributes = {
        "list_display": columns,
        "list_select_related": related or False,
        "hidden": hidden,
        "search_fields": search,
    }
    admin.site.register(model, type(f"{model.__name__}Admin", (PlainAdmin,), attributes))
