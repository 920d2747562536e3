"""Tells the lists of the administration in which there is work from those that only show what the site has stored."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.template import Library

register = Library()


@register.filter
def work_lists(apps: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lists of the index that are work, of all apps; they stand in the order of `is_work`."""
    models = [model for app in apps for model in app["models"]]
    ranks = [(getattr(admin.site.get_model_admin(model["model"]), "is_work", 0), model) for model in models]
    return [model for _, model in sorted((pair for pair in ranks if pair[0]), key=lambda pair: pair[0])]
