"""Base classes of the models: rows whose saves are counted, a field that only counts up, and DOIs."""

import re
from collections.abc import Iterable
from typing import Any

from django.core.validators import RegexValidator
from django.db import models, transaction
from django.db.models import F
from django.utils.translation import gettext_lazy

from evalsite.base.fields import CountField

_BEFORE_DOI = re.compile(r"\A(https?://(dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)


class Versioned(models.Model):
    """A row that counts its saves, so that nobody saves over changes that they have not seen."""

    version = CountField(default=1, editable=False)

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self._state.adding:
            return super().save(*args, **kwargs)
        self.version = F("version") + 1
        if (fields := kwargs.get("update_fields")) is not None:
            kwargs["update_fields"] = {*fields, "version"}
        super().save(*args, **kwargs)
        self.refresh_from_db(fields=["version"])

    def save_over(self, fields: Iterable[str]) -> bool:
        """Save these fields and return True, unless somebody has saved the row since it was read."""
        with transaction.atomic():
            as_read = type(self)._base_manager.filter(pk=self.pk, version=self.version)
            if not as_read.update(version=F("version") + 1):
                return False
            self.save(update_fields=list(fields))
        return True


class Counter(models.PositiveBigIntegerField):
    """A number that is raised by `update(name=F("name") + 1)` alone: saving the row, whenever it was read, keeps it."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        return super().pre_save(model_instance, add) if add else F(self.attname)


def members_only(help_text: Any) -> Any:
    """Return a field that keeps something for the teams that take part."""
    return models.BooleanField(
        gettext_lazy("members only"),
        default=False,
        db_default=False,  # for programs of the version before, while a site is upgraded
        help_text=help_text,
    )


class DoiField(models.CharField):
    """A DOI such as 10.5281/zenodo.1234567; an address at doi.org is taken too, and stored as the DOI alone."""

    default_validators = [
        RegexValidator(
            r"\A10\.[0-9]{4,9}/[A-Za-z0-9._;()/:-]+\Z", gettext_lazy("Write a DOI, such as 10.5281/zenodo.1234567.")
        ),
    ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **({"max_length": 200, "blank": True} | kwargs))

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return _BEFORE_DOI.sub("", text.strip()) if isinstance(text, str) else text
