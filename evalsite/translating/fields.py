"""Fields of models in which the engine's messages keep what they are made of, so that each reader's language says them.

What was stored as plain text comes back as such.
"""

import json
from typing import Any

from django.db import models

from scoring.messages import TEXT, Message, from_data, to_data


class MessagesField(models.JSONField):
    """JSON with messages anywhere in its lists and objects."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return from_data(super().from_db_value(value, expression, connection))

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        return super().get_db_prep_value(_data(value), connection, prepared)

    def value_to_string(self, obj: models.Model) -> Any:
        return _data(self.value_from_object(obj))


class MessageField(models.TextField):
    """One message or other text."""

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        return from_data(json.loads(value)) if value and value.startswith(_BEGINNING) else value

    def get_prep_value(self, value: Any) -> Any:
        return json.dumps(to_data(value), ensure_ascii=False) if isinstance(value, Message) else value

    def value_to_string(self, obj: models.Model) -> Any:
        return self.get_prep_value(self.value_from_object(obj))


_BEGINNING = f'{{"{TEXT}": '


def _data(value: Any) -> Any:
    """Return the data; an expression of the database stays one."""
    return to_data(value) if isinstance(value, list | dict | str) else value
