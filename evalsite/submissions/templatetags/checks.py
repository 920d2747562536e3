"""Which phases of a task have files checked for anybody."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.conf import settings

from evalsite.challenges.models import Phase

register = template.Library()


@register.simple_tag
def opened_stages(stages: Iterable[Any]) -> list[Phase]:
    """Those that take or took uploads, and have gold to check them with; where scores are told before the others."""
    opened = [stage.phase for stage in stages if stage.entered and stage.phase.state != "upcoming"]
    return sorted(opened, key=lambda phase: not phase.gold_released)


@register.simple_tag
def most_to_check() -> dict[str, int]:
    """How much is checked without an account."""
    return {"bytes": settings.MAX_OPEN_CHECK_BYTES, "files": settings.DATA_UPLOAD_MAX_NUMBER_FILES}
