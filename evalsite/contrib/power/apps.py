"""The size of a test: the organisers' page of each board, and what their form of gold says."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import BoardPage, ContribConfig, Panel, Place, Trait


class PowerConfig(ContribConfig):
    name = "evalsite.contrib.power"
    board_pages = (BoardPage("board_size", gettext_lazy("Test size"), "evalsite.contrib.power.views.is_open"),)
    panels = (
        Panel(Place.DESK_GOLD_ADD, "contrib/power/_gold.html", context="evalsite.contrib.power.views.plans_of_gold"),
    )
    addresses = {"board_size": {Trait.TAKES_RUNS}}
