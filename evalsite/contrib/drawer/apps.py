"""The paper drawer: on the desk's page of a task's end, and linked from the pages of a team's runs and entries."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import ContribConfig, Panel, Place


class DrawerConfig(ContribConfig):
    name = "evalsite.contrib.drawer"
    verbose_name = gettext_lazy("results packages")
    panels = (
        Panel(Place.DESK_ENDING, "contrib/drawer/_ending.html", context="evalsite.contrib.drawer.views.panel"),
        Panel(Place.OWN_RUNS, "contrib/drawer/_own_runs.html"),
        Panel(Place.ENTRY, "contrib/drawer/_entry.html"),
    )
    jobs = {"paper drawer": "evalsite.contrib.drawer.job.make_drawer"}
