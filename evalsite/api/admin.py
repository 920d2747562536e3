"""Lets administrators look at access tokens, and revoke them where their owners cannot."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy, ngettext

from evalsite.accounts.models import User
from evalsite.accounts.plain_admin import PlainAdmin
from evalsite.api.models import AccessToken
from evalsite.api.tokens import revoke
from evalsite.wording import amount


@admin.register(AccessToken)
class AccessTokenAdmin(PlainAdmin):
    hidden = ("digest",)
    list_display = ("user", "name", "scopes", "created", "expires", "last_used", "revoked")
    list_filter = (("revoked", admin.EmptyFieldListFilter),)
    list_select_related = ("user",)
    search_fields = ("user__email", "user__name", "name", "prefix")
    actions = ("revoke",)

    @admin.action(description=gettext_lazy("Revoke"))
    def revoke(self, request: HttpRequest, queryset: QuerySet[AccessToken]) -> None:
        assert isinstance(request.user, User)
        n_revoked = sum(revoke(token, by=request.user) for token in queryset.select_related("user"))
        text = ngettext("%(n)s token was revoked.", "%(n)s tokens were revoked.", n_revoked)
        self.message_user(request, text % {"n": amount(n_revoked)}, messages.SUCCESS)
