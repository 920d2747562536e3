"""Lists of the admin pages whose rows may be millions: what is counted, and how their last pages are read."""

import json
from typing import Any, cast

from django.core.paginator import Page, Paginator
from django.db import connections
from django.db.models import QuerySet
from django.utils.functional import cached_property

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
        # Keys alone are counted off in an index, and the rows of the page fetched by them.
        keys = rows.values_list("pk", flat=True)
        is_near = stop <= self.count / 2
        found = keys[start:stop] if is_near else keys.reverse()[self.count - stop : self.count - start]
        return Page(rows.filter(pk__in=list(found)), number, self)


def _may_be_estimated(rows: Any) -> bool:
    return isinstance(rows, QuerySet) and connections[rows.db].vendor == "postgresql"


def _estimate(rows: QuerySet[Any]) -> int:
    """How many rows the planner expects: from its statistics, in no time, rounded so that it looks like what it is."""
    [plan] = json.loads(rows.order_by().explain(format="json"))
    expected = max(plan["Plan"]["Plan Rows"], MOST_COUNTED + 1)
    return ROUNDED_TO * -(-expected // ROUNDED_TO)
