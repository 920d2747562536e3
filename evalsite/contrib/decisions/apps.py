"""The public list of a task's decisions: links on its page and below its boards."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import ContribConfig, Panel, Place, Trait


class DecisionsConfig(ContribConfig):
    name = "evalsite.contrib.decisions"
    verbose_name = gettext_lazy("decisions")
    panels = (
        Panel(Place.TASK_PHASES, "contrib/decisions/_task_link.html"),
        Panel(Place.BOARD_SOURCE, "contrib/decisions/_board_link.html"),
    )
    addresses = {"decisions": {Trait.STATIC_PAGE}, "decisions_csv": {Trait.STATIC_FILE}}
