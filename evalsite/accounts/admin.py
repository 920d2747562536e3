"""People and teams in the admin pages, which are entered through the site's own log-in."""

from typing import Any

from allauth.account.admin import EmailAddressAdmin
from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.mfa.admin import AuthenticatorAdmin
from allauth.mfa.models import Authenticator
from allauth.socialaccount.admin import SocialAccount, SocialApp, SocialToken  # registers them first
from django import forms
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, reverse
from django.utils.html import format_html_join
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

from evalsite.accounts.forms import NameField
from evalsite.accounts.models import Membership, OrganiserRequest, Team, User
from evalsite.accounts.organisers import answer_request, may_administer
from evalsite.accounts.plain_admin import Administered, NamedList, PlainAdmin, show
from evalsite.accounts.services import create_personal_team

admin.site.login = secure_admin_login(admin.site.login)
admin.site.has_permission = lambda request: may_administer(request.user)
admin.site.site_title = admin.site.site_header = format_lazy(
    "{}: {}", settings.SITE_NAME, gettext_lazy("administration")
)
admin.site.index_title = gettext_lazy("Administration")
# Keys of providers stand in the environment, and no tokens are kept.
admin.site.unregister([Authenticator, EmailAddress, Group, SocialAccount, SocialApp, SocialToken])

# The packages' own names would give two headings "Accounts", and one "MFA" over "Authenticators".
apps.get_app_config("account").verbose_name = gettext_lazy("E-mail addresses")
apps.get_app_config("socialaccount").verbose_name = gettext_lazy("Connected accounts")
apps.get_app_config("mfa").verbose_name = gettext_lazy("Second factors")
Authenticator._meta.verbose_name, Authenticator._meta.verbose_name_plural = (
    gettext_lazy("second factor"),
    gettext_lazy("second factors"),
)


class NewUserForm(AdminUserCreationForm):
    name = NameField(label=gettext_lazy("name"), max_length=150)

    class Meta:
        model = User
        fields = ("email", "name")

    def clean_email(self) -> str:
        email = self.cleaned_data["email"].lower()
        if User.objects.filter(email=email).exists():
            raise forms.ValidationError(gettext("An account with this address exists already."))
        return email


@admin.register(User)
class UserAdmin(NamedList, Administered, DjangoUserAdmin):
    is_work = 2
    may_add = may_change = True  # teams would lose their owners: an account is closed by taking "active" away

    list_display = ("email", "name", "affiliation", "may_create_tasks", "is_superuser", "is_active", "date_joined")
    list_filter = ("may_create_tasks", "is_superuser", "is_active")
    search_fields = ("email", "name", "affiliation")
    ordering = ("email",)
    # The address is changed by its owner, who has to confirm the new one.
    readonly_fields = ("email", "last_login", "date_joined")
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("email", "password", "name", "affiliation", "language")}),
        (gettext_lazy("Rights"), {"fields": ("is_active", "may_create_tasks", "is_staff", "is_superuser")}),
        (gettext_lazy("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_form = NewUserForm
    add_fieldsets = ((None, {"fields": ("email", "name", "usable_password", "password1", "password2")}),)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        return self.readonly_fields if obj else ()

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not change:
            create_personal_team(obj)


@admin.register(EmailAddress)
class AddressAdmin(NamedList, Administered, EmailAddressAdmin):
    """E-mail addresses, and whether they are confirmed."""

    is_work = 3
    may_add = may_change = may_delete = True


@admin.register(Authenticator)
class SecondFactorAdmin(NamedList, Administered, AuthenticatorAdmin):
    """Second factors, to be deleted for people who lost phone and recovery codes; secrets are not shown."""

    may_delete = True
    fields = readonly_fields = ("user", "type", "created_at", "last_used_at")


@admin.register(OrganiserRequest)
class OrganiserRequestAdmin(PlainAdmin):
    """Requests to organise are granted or declined by a button in the list, and the person is notified by mail."""

    is_work = 1
    may_delete = True
    list_display = ("user", "purpose", "asked", "answer", "buttons")
    list_filter = ("answer",)
    list_select_related = ("user", "answered_by")

    @admin.display(description="")
    def buttons(self, asked: OrganiserRequest) -> str:
        """Render the buttons, which belong to the list's form, as it has the token against forgery."""
        if asked.answer:
            return ""
        addresses = {word: reverse(f"admin:accounts_organiserrequest_{word}", args=[asked.pk]) for word in _ANSWERS}
        return format_html_join(
            " ",
            '<button class="button" formmethod="post" formaction="{}">{}</button>',
            ((addresses[word], label) for word, label in _ANSWERS.items()),
        )

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        own_urls = [
            path(
                f"<int:pk>/{word}/", view(self.answer), {"grant": word == "grant"}, f"accounts_organiserrequest_{word}"
            )
            for word in _ANSWERS
        ]
        return own_urls + super().get_urls()

    def answer(self, request: HttpRequest, pk: int, *, grant: bool) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not may_administer(request.user):
            raise PermissionDenied
        asked = get_object_or_404(OrganiserRequest.objects.select_related("user"), pk=pk)
        if answer_request(asked, grant=grant, by=request.user):
            self.message_user(request, gettext("%(person)s is notified by e-mail.") % {"person": asked.user})
        return redirect("admin:accounts_organiserrequest_changelist")


_ANSWERS = {"grant": gettext_lazy("Grant"), "decline": gettext_lazy("Decline")}


class MembershipInline(Administered, admin.TabularInline):
    model = Membership
    fields = readonly_fields = ("user", "is_owner", "joined")
    extra = 0


@admin.register(Team)
class TeamAdmin(PlainAdmin):
    """Teams are read-only here: they change themselves, and organisers see theirs on the desk."""

    list_display = ("name", "affiliation", "n_members", "created")
    search_fields = ("name", "affiliation", "members__name", "members__email")
    fields = ("name", "affiliation", "created")
    inlines = (MembershipInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Team]:
        return Team.objects.annotate(n_members=Count("memberships", distinct=True)).order_by("name")

    @admin.display(description=gettext_lazy("members"), ordering="n_members")
    def n_members(self, team: Team) -> int:
        return team.n_members


show(
    *(LogEntry, "action_time", "user", "content_type", "object_repr", "change_message"),
    related=("user", "content_type"),
    search=("object_repr", "user__email", "user__name"),
)
show(
    *(SocialAccount, "user", "provider", "uid", "date_joined"),
    related=("user",),
    search=("uid", "user__email", "user__name"),
)
