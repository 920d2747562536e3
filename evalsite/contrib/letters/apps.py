"""Letters of organisers: a section of the desk, and links to it from the pages of teams."""

from django.utils.translation import gettext_lazy, pgettext_lazy

from evalsite.base.contrib import ContribConfig, DeskSection, Panel, Place


class LettersConfig(ContribConfig):
    name = "evalsite.contrib.letters"
    verbose_name = gettext_lazy("letters")
    desk_sections = (DeskSection("desk_letters", pgettext_lazy("page of the desk", "Letters"), after="desk_teams"),)
    waiting = "evalsite.contrib.letters.waiting.not_delivered"
    panels = (
        Panel(Place.DESK_TEAM, "contrib/letters/_to_team.html"),
        Panel(Place.DESK_TEAMS, "contrib/letters/_to_teams.html"),
    )
