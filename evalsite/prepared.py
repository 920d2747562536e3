"""Queries whose text is made once, for what nearly every request or scoring asks: making it takes as long as asking."""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet, UUIDField
from django.db.models.query import get_related_populators
from django.db.models.sql import UpdateQuery


class Prepared:
    """The query that `make` makes of `stand_ins`, values unlike any others in it, in whose places others are asked."""

    def __init__(self, make: Callable[..., QuerySet[Any]], **stand_ins: Any) -> None:
        self._make = make
        self._stand_ins = stand_ins

    @cached_property
    def _compiler(self) -> Any:
        return self._make(**self._stand_ins).query.get_compiler(DEFAULT_DB_ALIAS)

    @cached_property
    def _made(self) -> tuple[str, tuple[Any, ...], dict[Any, str]]:
        sql, parameters = self._compiler.as_sql()
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

    def values(self, **given: Any) -> list[tuple[Any, ...]]:
        """Of the columns, as their fields have them in Python."""
        rows = self.rows(**given)
        return [tuple(row) for row in self._compiler.apply_converters(rows, self._converters)]

    def instances(self, **given: Any) -> Iterator[Any]:
        """Of the model, with what the query selects beside them."""
        rows = self.values(**given)
        model, columns, names, related = self._model
        for row in rows:
            found = model.from_db(DEFAULT_DB_ALIAS, names, row[columns])
            for each in related:
                each.populate(row, found)
            yield found

    def count(self, **given: Any) -> int:
        """How many rows it finds, or changes."""
        with connection.cursor() as cursor:
            cursor.execute(*self.asked(**given))
            return int(cursor.rowcount)

    @cached_property
    def _converters(self) -> Any:
        return self._compiler.get_converters([each[0] for each in self._compiler.select])

    @cached_property
    def _model(self) -> tuple[Any, slice, list[str], list[Any]]:
        """The model, its columns in a row, their names, and who makes the related models of the others.

        The compiler knows them once it has made the text.
        """
        select, info = self._compiler.select, self._compiler.klass_info
        columns = slice(info["select_fields"][0], info["select_fields"][-1] + 1)
        names = [each[0].target.attname for each in select[columns]]
        related = get_related_populators(info, select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]  # stubs of Django 6
        return info["model"], columns, names, related


class PreparedUpdate(Prepared):
    """The same of a change: `make` gives the rows, and by name of the field what they get."""

    def __init__(self, make: Callable[..., tuple[QuerySet[Any], dict[str, Any]]], **stand_ins: Any) -> None:
        super().__init__(make, **stand_ins)  # type: ignore[arg-type]

    @cached_property
    def _compiler(self) -> Any:
        rows, changes = self._make(**self._stand_ins)  # type: ignore[misc]
        query = rows.query.chain(UpdateQuery)
        query.add_update_values(changes)
        return query.get_compiler(DEFAULT_DB_ALIAS)


def _adapted(value: Any) -> Any:
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return UUIDField().get_db_prep_value(value, connection) if isinstance(value, UUID) else value
