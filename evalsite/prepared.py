"""Queries whose text is made once, for what pages and scorings ask again and again: making it takes as long as asking.

PostgreSQL plans them once on each connection too, where connections stay: planning takes it longer than looking up.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet, UUIDField
from django.db.models.query import get_related_populators
from django.db.models.sql import UpdateQuery

Found = TypeVar("Found")
_PLACE = re.compile(r"(?<!%)%s")


@dataclass(frozen=True)
class _Made:
    """The text with a place for each of `parameters`, of which stand-ins are named."""

    text: str
    parameters: tuple[Any, ...]
    names: Mapping[Any, str]

    def with_values(self, given: Mapping[str, Any]) -> list[Any]:
        names = self.names
        return [_adapted(given[names[each]]) if each in names else each for each in self.parameters]

    @cached_property
    def with_names(self) -> str:
        """The text with a named place for each stand-in, and all else written out, as a server takes it that plans."""
        given = [f"%({self.names[each]})s" if each in self.names else _written(each) for each in self.parameters]
        pairs = zip(_PLACE.split(self.text), [*given, ""], strict=True)
        return "".join(part for pair in pairs for part in pair)


class Prepared(Generic[Found]):
    """The query that `make` makes of `stand_ins`, values unlike any others in it, in whose places others are asked."""

    def __init__(self, make: Callable[..., QuerySet[Any, Found]], **stand_ins: Any) -> None:
        self._make: Callable[..., Any] = make
        self._stand_ins = stand_ins

    @cached_property
    def _compiler(self) -> Any:
        return self._make(**self._stand_ins).query.get_compiler(DEFAULT_DB_ALIAS)

    @cached_property
    def _made(self) -> _Made:
        text, parameters = self._compiler.as_sql()
        return _Made(text, tuple(parameters), {_adapted(value): name for name, value in self._stand_ins.items()})

    def rows(self, **given: Any) -> list[tuple[Any, ...]]:
        """As they come from the database."""
        with connection.cursor() as cursor:
            self._ask(cursor, given)
            return list(cursor.fetchall())

    def has_any(self, **given: Any) -> bool:
        return bool(self.rows(**given))

    def values(self, **given: Any) -> list[tuple[Any, ...]]:
        """Of the columns, as their fields have them in Python."""
        rows = self.rows(**given)
        return [tuple(row) for row in self._compiler.apply_converters(rows, self._converters)]

    def instances(self, **given: Any) -> Iterator[Found]:
        """Of the model, with what the query selects beside them."""
        rows = self.values(**given)
        model, columns, names, related, annotations = self._model
        for row in rows:
            found = model.from_db(DEFAULT_DB_ALIAS, names, row[columns])
            for each in related:
                each.populate(row, found)
            for name, column in annotations.items():
                setattr(found, name, row[column])
            yield found

    def first(self, **given: Any) -> Found | None:
        return next(self.instances(**given), None)

    def count(self, **given: Any) -> int:
        """How many rows it finds, or changes."""
        with connection.cursor() as cursor:
            self._ask(cursor, given)
            return int(cursor.rowcount)

    def _ask(self, cursor: Any, given: Mapping[str, Any]) -> None:
        if connection.vendor == "postgresql" and connection.settings_dict["CONN_MAX_AGE"] != 0:
            _ask_planned(cursor, self._made.with_names, {name: _adapted(value) for name, value in given.items()})
        else:
            cursor.execute(self._made.text, self._made.with_values(given))

    @cached_property
    def _converters(self) -> Any:
        return self._compiler.get_converters([each[0] for each in self._compiler.select])

    @cached_property
    def _model(self) -> tuple[Any, slice, list[str], list[Any], dict[str, int]]:
        """The model, its columns in a row, their names, who makes the related models, and columns of annotations.

        The compiler knows them once it has made the text.
        """
        select, info = self._compiler.select, self._compiler.klass_info
        columns = slice(info["select_fields"][0], info["select_fields"][-1] + 1)
        names = [each[0].target.attname for each in select[columns]]
        related = get_related_populators(info, select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]  # stubs of Django 6
        return info["model"], columns, names, related, self._compiler.annotation_col_map or {}


class PreparedUpdate(Prepared[Any]):
    """The same of a change: `make` gives the rows, and by name of the field what they get."""

    def __init__(self, make: Callable[..., tuple[QuerySet[Any], dict[str, Any]]], **stand_ins: Any) -> None:
        super().__init__(make, **stand_ins)  # type: ignore[arg-type]

    @cached_property
    def _compiler(self) -> Any:
        rows, changes = self._make(**self._stand_ins)
        query = rows.query.chain(UpdateQuery)
        query.add_update_values(changes)
        return query.get_compiler(DEFAULT_DB_ALIAS)


def _ask_planned(cursor: Any, text: str, given: Mapping[str, Any]) -> None:
    """By a cursor of the server's own: for it alone plans are kept, since Django's sends each query as another text."""
    driver: Any = connection
    server = driver.connection
    cursor.cursor = _Planned(driver.Database.Cursor(server))
    server.prepare_threshold = 0
    try:
        cursor.execute(text, given)
    finally:
        server.prepare_threshold = None


class _Planned:
    """A cursor that says its text where Django looks for it, to log it: of a query with a plan psycopg forgets it."""

    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor

    def execute(self, text: str, given: Mapping[str, Any]) -> None:
        self._query = SimpleNamespace(query=text.encode())
        self._cursor.execute(text, given)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)


def _written(value: Any) -> str:
    operations: Any = connection.ops
    return str(operations.compose_sql("%s", [value])).replace("%", "%%")


def _adapted(value: Any) -> Any:
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return UUIDField().get_db_prep_value(value, connection) if isinstance(value, UUID) else value
