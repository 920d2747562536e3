"""A judge of one's own scores uploads elsewhere: its page on the desk, its part of the API, and what waits for it."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import Ability, ContribConfig, Panel, Place, Trait


class JudgingConfig(ContribConfig):
    name = "evalsite.contrib.judging"
    verbose_name = gettext_lazy("judging")
    abilities = (Ability.JUDGING,)
    api_router = "evalsite.contrib.judging.endpoints.router"
    addresses = {"api:judge_scores": {Trait.TAKES_SCORES}}
    panels = (Panel(Place.DESK_SCENARIO, "contrib/judging/_link.html"),)
    waiting = "evalsite.contrib.judging.waiting.silent_judges"
    event_words = {
        "scores posted": gettext_lazy("scores posted by a judge"),
        "scores replaced": gettext_lazy("scores of a judge replaced"),
    }
