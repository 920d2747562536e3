"""The next season of a task: a link on the desk's page of a phase that has opened."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import ContribConfig, Panel, Place


class SeasonsConfig(ContribConfig):
    name = "evalsite.contrib.seasons"
    verbose_name = gettext_lazy("seasons")
    panels = (Panel(Place.DESK_PHASE, "contrib/seasons/_phase.html"),)
