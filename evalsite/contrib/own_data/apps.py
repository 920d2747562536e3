"""One's own data: a link on the profile."""

from django.utils.translation import gettext_lazy

from evalsite.base.contrib import ContribConfig, Panel, Place


class OwnDataConfig(ContribConfig):
    name = "evalsite.contrib.own_data"
    verbose_name = gettext_lazy("own data")
    panels = (Panel(Place.PROFILE, "contrib/own_data/_profile.html"),)
