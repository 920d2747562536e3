"""Queries whose text is made once, for what nearly every request asks: making it would take as long as asking it.

PostgreSQL plans them once on each connection too, where connections stay: planning takes it longer than looking up.
"""

import re
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import QuerySet, UUIDField
from django.db.models.sql.compiler import SQLCompiler
from django.db.models.sql.query import Query

Found = TypeVar("Found")
_PLACE = re.compile(r"(?<!%)%s")


@dataclass(frozen=True)
class _Made:
    """A query as it is asked: the text has a place for each of `parameters`, of which stand-ins are named."""

    queryset: QuerySet[Any, Any]
    compiler: SQLCompiler
    text: str
    parameters: tuple[Any, ...]
    names: Mapping[Any, str]

    @cached_property
    def with_names(self) -> str:
        """The text with a named place for each stand-in, and all else written out, as a server takes it that plans."""
        texts = _PLACE.split(self.text)
        given = [f"%({self.names[value]})s" if value in self.names else _written(value) for value in self.parameters]
        return "".join(part for pair in zip(texts, [*given, ""], strict=True) for part in pair)


class Prepared(Generic[Found]):
    """The query that `make` makes of `stand_ins`, values unlike any others in it, in whose places others are asked."""

    def __init__(self, make: Callable[..., QuerySet[Any, Found]], **stand_ins: Any) -> None:
        self._make = make
        self._stand_ins = stand_ins

    @cached_property
    def _made(self) -> _Made:
        queryset = self._make(**self._stand_ins)
        compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        text, parameters = compiler.as_sql()
        names = {_adapted(value): name for name, value in self._stand_ins.items()}
        return _Made(queryset, compiler, text, tuple(parameters), names)

    def rows(self, **given: Any) -> list[tuple[Any, ...]]:
        """As they come from the database."""
        adapted = {name: _adapted(value) for name, value in given.items()}
        made = self._made
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql" and connection.settings_dict["CONN_MAX_AGE"] != 0:
                _ask_planned(cursor, made.with_names, adapted)
            else:
                names = made.names
                cursor.execute(made.text, [adapted[names[each]] if each in names else each for each in made.parameters])
            return list(cursor.fetchall())

    def found(self, **given: Any) -> list[Found]:
        """As the query set has them: rows of models with what belongs to them."""
        compiler = copy(self._made.compiler)
        compiler.connection = connections[DEFAULT_DB_ALIAS]  # this thread's
        rows = self.rows(**given)
        vars(compiler)["execute_sql"] = lambda *args, **options: [rows]
        queryset: Any = self._made.queryset.all()
        queryset._query = known = queryset.query.chain(_Known)  # `query` would make dictionaries of lists of values
        known.known = compiler
        return list(queryset)

    def first(self, **given: Any) -> Found | None:
        return next(iter(self.found(**given)), None)

    def has_any(self, **given: Any) -> bool:
        return bool(self.rows(**given))


class _Known(Query):
    """A query whose rows have been read."""

    known: SQLCompiler

    def get_compiler(self, *args: Any, **options: Any) -> SQLCompiler:
        return self.known


def _ask_planned(cursor: Any, text: str, given: Mapping[str, Any]) -> None:
    """By a cursor of the server's own: for it alone plans are kept, since Django's sends each query as another text."""
    driver: Any = connection
    server = driver.connection
    cursor.cursor = driver.Database.Cursor(server)
    server.prepare_threshold = 0
    try:
        cursor.execute(text, given)
    finally:
        server.prepare_threshold = None


def _written(value: Any) -> str:
    operations: Any = connection.ops
    return str(operations.compose_sql("%s", [value])).replace("%", "%%")


def _adapted(value: Any) -> Any:
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return UUIDField().get_db_prep_value(value, connection) if isinstance(value, UUID) else value
