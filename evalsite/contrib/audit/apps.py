"""The audit of a table: a page of the site, to which front page, Help and the page on how to read a board lead."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import ContribConfig, Panel, Place, Trait


class AuditConfig(ContribConfig):
    name = "evalsite.contrib.audit"
    verbose_name = gettext_lazy("Is that a ranking?")
    panels = (
        Panel(Place.HOME, "contrib/audit/_home.html"),
        Panel(Place.HELP, "contrib/audit/_help.html"),
        Panel(Place.HOW_TO_READ, "contrib/audit/_how_to_read.html"),
    )
    addresses = {"audit": {Trait.TAKES_FILES, Trait.LISTED}}
