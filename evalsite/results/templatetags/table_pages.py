"""What pages say of tables whose columns are more than names in a heading."""

from collections.abc import Sequence
from typing import Any

from django import template

from scoring.families import FAMILIES
from scoring.readers.tables import ROW_NUMBER, list_of, numbered_places

register = template.Library()


@register.simple_tag
def special_example(family: str, options: dict[str, Any], columns: str | Sequence[str]) -> str:
    """Return a run in small where names lead into lists or mean parts, or rows and columns have numbers; else "".

    `columns` is the name of the column that holds what is scored, or several of them.
    """
    names = [*options["id"], *([columns] if isinstance(columns, str) else columns)]
    is_special = any(ROW_NUMBER in name for name in names) or list_of(names) is not None
    if not is_special and (options["header"] or numbered_places(names) is None):
        return ""
    example = FAMILIES[family].example({key: value for key, value in options.items() if key not in ("folder", "rows")})
    return b"".join(example.values()).decode()
