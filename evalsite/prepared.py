"""Queries whose text is made once, for what nearly every request asks: making it would take as long as asking it."""

from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet, UUIDField


class Prepared:
    """The query that `make` makes of `stand_ins`, values unlike any others in it, in whose places others are asked."""

    def __init__(self, make: Callable[..., QuerySet[Any]], **stand_ins: Any) -> None:
        self._make = make
        self._stand_ins = stand_ins

    @cached_property
    def _made(self) -> tuple[str, tuple[Any, ...], dict[Any, str]]:
        sql, parameters = self._make(**self._stand_ins).query.sql_with_params()
        return sql, parameters, {_adapted(value): name for name, value in self._stand_ins.items()}

    def asked(self, **given: Any) -> tuple[str, list[Any]]:
        """As a database takes it."""
        sql, parameters, names = self._made
        return sql, [_adapted(given[names[value]]) if value in names else value for value in parameters]

    def rows(self, **given: Any) -> list[tuple[Any, ...]]:
        """As they come from the database."""
        with connection.cursor() as cursor:
            cursor.execute(*self.asked(**given))
            return list(cursor.fetchall())


def _adapted(value: Any) -> Any:
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return UUIDField().get_db_prep_value(value, connection) if isinstance(value, UUID) else value
