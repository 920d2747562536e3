"""Receipts of uploads: on the page of a run and in the API, and the heads of their chain on /status/."""

from importlib import import_module

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import ContribConfig, Panel, Place


class ReceiptsConfig(ContribConfig):
    name = "evalsite.contrib.receipts"
    verbose_name = gettext_lazy("receipts")
    panels = (
        Panel(Place.RUN_UPLOAD, "contrib/receipts/_run.html", "evalsite.contrib.receipts.views.run_panel"),
        Panel(Place.STATUS, "contrib/receipts/_status.html", "evalsite.contrib.receipts.views.status_panel"),
    )
    run_fields = {"receipt": "evalsite.contrib.receipts.api.RECEIPT"}

    def ready(self) -> None:
        import_module("evalsite.contrib.receipts.receivers")  # writes receipts, for which it needs the models
