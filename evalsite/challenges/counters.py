"""A number in a row that is only ever counted up, in the database."""

from typing import Any

from django.db import models
from django.db.models import F


class Counter(models.PositiveBigIntegerField):
    """Raised by `update(name=F("name") + 1)` alone: a row that is saved, whenever it was read, keeps what is stored."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        return super().pre_save(model_instance, add) if add else F(self.attname)
