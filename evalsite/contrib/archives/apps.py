"""Finished tasks as archives that can be computed again, and as static pages: on the desk's page of files to take."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import ContribConfig, Panel, Place


class ArchivesConfig(ContribConfig):
    name = "evalsite.contrib.archives"
    verbose_name = gettext_lazy("archives")
    panels = (Panel(Place.DESK_ENDING, "contrib/archives/_ending.html", "evalsite.contrib.archives.views.panel"),)
    event_words = {
        "archive made": gettext_lazy("archive made"),
        "static pages made": gettext_lazy("static pages made"),
    }
    requires = ("bundles", "receipts")
    jobs = {
        "archive": "evalsite.contrib.archives.job.make_archive",
        "static pages": "evalsite.contrib.archives.job.make_pages",
    }
