"""Tasks as bundles: given out on the desk's page of files to take along, and a way to begin a task."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import ContribConfig, Panel, Place


class BundlesConfig(ContribConfig):
    name = "evalsite.contrib.bundles"
    verbose_name = gettext_lazy("bundles")
    panels = (
        Panel(Place.DESK_NEW, "contrib/bundles/_new.html"),
        Panel(Place.DESK_ENDING, "contrib/bundles/_ending.html"),
    )
    event_words = {"task exported": gettext_lazy("task exported as a bundle")}
    jobs = {"import of a task": "evalsite.contrib.bundles.importing.import_in_background"}
