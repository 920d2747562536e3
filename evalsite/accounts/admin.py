"""People and teams in the admin pages, which are entered through the site's own log-in."""

from typing import Any

from allauth.account.admin import EmailAddressAdmin
from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.mfa.admin import AuthenticatorAdmin
from allauth.mfa.models import Authenticator
from django import forms
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import Group
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

from evalsite.accounts.forms import NameField
from evalsite.accounts.models import Membership, Team, User
from evalsite.accounts.organisers import may_administer, may_organise
from evalsite.accounts.panel import NamedList
from evalsite.accounts.services import create_personal_team

admin.site.login = secure_admin_login(admin.site.login)
admin.site.site_title = admin.site.site_header = format_lazy("{}: {}", settings.SITE_NAME, gettext_lazy("organise"))
admin.site.index_title = gettext_lazy("Organise")
admin.site.unregister([Authenticator, EmailAddress, Group])

# The packages' own words would make two headings "Accounts", and one "MFA" over "Authenticators".
apps.get_app_config("account").verbose_name = gettext_lazy("E-mail addresses")
apps.get_app_config("mfa").verbose_name = gettext_lazy("Second factors")
Authenticator._meta.verbose_name, Authenticator._meta.verbose_name_plural = (
    gettext_lazy("second factor"),
    gettext_lazy("second factors"),
)


class SuperusersOnly(NamedList):
    def has_module_permission(self, request: HttpRequest) -> bool:
        return may_administer(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_administer(request.user)

    has_add_permission = has_view_permission
    has_change_permission = has_view_permission
    has_delete_permission = has_view_permission


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
class UserAdmin(SuperusersOnly, DjangoUserAdmin):
    list_display = ("email", "name", "affiliation", "is_staff", "is_active", "date_joined")
    list_filter = ("is_staff", "is_superuser", "is_active")
    search_fields = ("email", "name", "affiliation")
    ordering = ("email",)
    # The address is changed by its owner, who has to confirm the new one.
    readonly_fields = ("email", "last_login", "date_joined")
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("email", "password", "name", "affiliation", "language")}),
        (gettext_lazy("Rights"), {"fields": ("is_active", "is_staff", "is_superuser")}),
        (gettext_lazy("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_form = NewUserForm
    add_fieldsets = ((None, {"fields": ("email", "name", "usable_password", "password1", "password2")}),)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        return self.readonly_fields if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Teams would lose their owners: an account is closed by taking "active" away."""
        return False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not change:
            create_personal_team(obj)


@admin.register(EmailAddress)
class AddressAdmin(SuperusersOnly, EmailAddressAdmin):
    """Which addresses are confirmed."""


@admin.register(Authenticator)
class SecondFactorAdmin(SuperusersOnly, AuthenticatorAdmin):
    """For people who lost phone and recovery codes; the secrets are not shown."""

    fields = readonly_fields = ("user", "type", "created_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class MembershipInline(admin.TabularInline):
    model = Membership
    fields = readonly_fields = ("user", "is_owner", "joined")
    can_delete = False
    extra = 0

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_organise(request.user)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_change_permission = has_add_permission


@admin.register(Team)
class TeamAdmin(NamedList, admin.ModelAdmin):
    """To be looked at: organisers see the teams that have entered their tasks."""

    list_display = ("name", "affiliation", "n_members", "created")
    search_fields = ("name", "affiliation", "members__name", "members__email")
    fields = ("name", "affiliation", "created")
    inlines = (MembershipInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Team]:
        teams = Team.objects.all()
        if not may_administer(request.user):
            teams = teams.filter(pk__in=Team.objects.filter(participations__task__organisers=request.user))
        return teams.annotate(n_members=Count("memberships", distinct=True)).order_by("name")

    @admin.display(description=gettext_lazy("members"), ordering="n_members")
    def n_members(self, team: Team) -> int:
        return team.n_members

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may_organise(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Team | None = None) -> bool:
        return may_organise(request.user)

    def has_add_permission(self, request: HttpRequest, obj: Team | None = None) -> bool:
        return False

    has_change_permission = has_add_permission
    has_delete_permission = has_add_permission
