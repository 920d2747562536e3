"""Runs are collected before there is gold: the desk's page of a phase that does so, and its pools for judges."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import ContribConfig, Panel, Place


class CollectingConfig(ContribConfig):
    name = "evalsite.contrib.collecting"
    verbose_name = gettext_lazy("collecting runs before the gold")
    panels = (
        Panel(Place.DESK_GOLD, "contrib/collecting/_link.html", context="evalsite.contrib.collecting.views.link"),
    )
    waiting = "evalsite.contrib.collecting.waiting.waiting_for_gold"
    jobs = {"pool": "evalsite.contrib.collecting.pools.make_pool"}
