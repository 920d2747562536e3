"""Filters beside the organisers' lists, whose choices are found without reading the list itself."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef
from django.http import HttpRequest

from evalsite.challenges.access import organised_tasks
from evalsite.challenges.models import Task
from evalsite.challenges.wording import EVENTS, event_in_words


class OwnFilter(admin.RelatedFieldListFilter):
    """Offers those of the own tasks, or phases, that have a row in the list.

    Django's RelatedOnlyFieldListFilter reads all rows for it; here each task or phase is looked up once.
    """

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        model = field.remote_field.model
        path = "pk" if model is Task else "task"
        listed = model_admin.model.objects.filter(**{self.field_path: OuterRef("pk")})
        own = model.objects.filter(Exists(listed.order_by()), **{f"{path}__in": organised_tasks(request.user)})
        related = () if model is Task else ("task",)
        ordered = own.select_related(*related).order_by(*self.field_admin_ordering(field, request, model_admin))
        return [(each.pk, str(each)) for each in ordered]


class KindFilter(admin.AllValuesFieldListFilter):
    """By kind of event, in the visitor's words: all kinds that there are, by their words."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lookup_choices = sorted(EVENTS, key=event_in_words)  # type: ignore[assignment]

    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            yield {**choice, "display": event_in_words(str(choice["display"]))}
