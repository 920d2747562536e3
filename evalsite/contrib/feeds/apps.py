"""The feed of a task's announcements, named in the head of the task's page and linked below them."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import ContribConfig, Panel, Place


class FeedsConfig(ContribConfig):
    name = "evalsite.contrib.feeds"
    verbose_name = gettext_lazy("feeds")
    panels = (Panel(Place.TASK_HEAD, "contrib/feeds/_head.html"), Panel(Place.TASK_NEWS, "contrib/feeds/_news.html"))
