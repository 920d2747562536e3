"""The administrators' pages of letters, of what became of each copy, and of what people have switched off."""

from django.contrib import admin

from evalsite.accounts.plain_admin import PlainAdmin
from evalsite.mailing.models import Delivery, Letter, Switch


@admin.register(Letter)
class LetterAdmin(PlainAdmin):
    list_display = ("subject", "kind", "task", "by", "created")
    list_filter = ("kind",)
    list_select_related = ("task", "by")
    search_fields = ("subject", "task__title", "task__slug")


@admin.register(Delivery)
class DeliveryAdmin(PlainAdmin):
    """The text of a copy is left out: it may hold what is its reader's alone, such as a score."""

    hidden = ("text",)
    list_display = ("letter", "email", "state", "tries", "not_before")
    list_filter = ("state",)
    list_select_related = ("letter",)
    search_fields = ("email", "letter__subject")


@admin.register(Switch)
class SwitchAdmin(PlainAdmin):
    list_display = ("user", "kind", "is_on")
    list_filter = ("kind",)
    list_select_related = ("user",)
    search_fields = ("user__email",)
