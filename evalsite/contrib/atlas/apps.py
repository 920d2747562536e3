"""The error atlas: a page of each board whose gold the visitor may see, with a link on the page of a run."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import BoardPage, ContribConfig, Panel, Place, Trait


class AtlasConfig(ContribConfig):
    name = "evalsite.contrib.atlas"
    board_pages = (BoardPage("board_atlas", gettext_lazy("Error atlas"), "evalsite.contrib.atlas.views.is_open"),)
    panels = (Panel(Place.RUN_LINKS, "contrib/atlas/_run_link.html"),)
    addresses = {"board_atlas": {Trait.PREVIEWED, Trait.STATIC_PAGE}}
