"""Badges of boards and entries as pictures, a table for a frame, and the page and panel that hand them out."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import ContribConfig, Panel, Place, Trait

_BADGE = {Trait.EMBEDDED, Trait.STATIC_FILE}


class BadgesConfig(ContribConfig):
    name = "evalsite.contrib.badges"
    verbose_name = gettext_lazy("badges")
    panels = (
        Panel(Place.BOARD_CITATION, "contrib/badges/_board.html", "evalsite.contrib.badges.views.board_panel"),
        Panel(Place.ENTRY_CITATION, "contrib/badges/_entry.html", "evalsite.contrib.badges.views.entry_panel"),
    )
    addresses = {
        "board_badge": _BADGE,
        "board_badge_of_day": _BADGE,
        "entry_badge": _BADGE,
        "entry_badge_of_day": _BADGE,
        "board_embed": {Trait.FRAMED},
        "board_embed_of_day": {Trait.FRAMED},
    }
