"""A task as a class: a section of the desk, who may enter, and on a run's page whether it has reached the target."""

from django.utils.translation import gettext_lazy, pgettext_lazy

from evalsite.base.contrib import ContribConfig, DeskSection, Panel, Place


class ClassesConfig(ContribConfig):
    name = "evalsite.contrib.classes"
    verbose_name = gettext_lazy("classes")
    desk_sections = (DeskSection("desk_class", pgettext_lazy("page of the desk", "Class"), after="desk_sheet"),)
    panels = (Panel(Place.RUN_POSITION, "contrib/classes/_target.html", "evalsite.contrib.classes.target.panel"),)
    admits = "evalsite.contrib.classes.services.is_student"
    event_words = {
        "students listed": gettext_lazy("students listed"),
        "student removed": gettext_lazy("student removed from the list"),
        "target set": gettext_lazy("target set"),
    }
