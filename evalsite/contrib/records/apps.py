"""Records for other sites: in the heads of a task's and a board's page, below an entry, and as files of a board."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import ContribConfig, Panel, Place


class RecordsConfig(ContribConfig):
    name = "evalsite.contrib.records"
    verbose_name = gettext_lazy("records")
    panels = (
        Panel(Place.TASK_HEAD, "contrib/records/_task_head.html", "evalsite.contrib.records.views.task_panel"),
        Panel(Place.BOARD_HEAD, "contrib/records/_board_head.html"),
        Panel(Place.ENTRY_CITATION, "contrib/records/_entry.html"),
    )
    board_formats = {
        "jsonl": "evalsite.contrib.records.every_eval_ever.RECORDS",
        "png": "evalsite.contrib.records.picture.PICTURE",
    }
