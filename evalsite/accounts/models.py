"""People, who log in by e-mail address, and the teams in which they enter tasks."""

import secrets
import uuid
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models, transaction
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext, gettext_lazy, gettext_noop, pgettext_lazy

from evalsite.accounts.fields import LineField
from evalsite.accounts.names import LONGEST, cleaned, comparable, skeleton


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        fields["name"] = cleaned(fields.get("name", "")[:LONGEST])
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create an administrator with a confirmed address, as the command line is there before mail works."""
        with transaction.atomic():
            user = self.create_user(email, password, is_staff=True, is_superuser=True, **fields)
            # Through the relation, as allauth's models load after these.
            user.emailaddress_set.create(email=user.email, verified=True, primary=True)  # type: ignore[attr-defined]
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser, PermissionsMixin):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(gettext_lazy("e-mail address"), unique=True)
    name = LineField(
        gettext_lazy("name"),
        max_length=150,
        help_text=gettext_lazy("As it should appear to team mates and organisers."),
    )
    affiliation = LineField(gettext_lazy("affiliation"), max_length=200, blank=True)
    language = models.CharField(
        gettext_lazy("language"),
        max_length=15,
        blank=True,
        help_text=gettext_lazy("Of pages and mail; empty: as the browser asks."),
    )
    is_active = models.BooleanField(pgettext_lazy("account", "active"), default=True)
    is_staff = models.BooleanField(
        gettext_lazy("enters the administration"),
        default=False,
        help_text=gettext_lazy("Together with the rights of a superuser; organisers of tasks need neither."),
    )
    may_create_tasks = models.BooleanField(
        gettext_lazy("may create tasks"), default=False, help_text=gettext_lazy("And owns those that it creates.")
    )
    date_joined = models.DateTimeField(gettext_lazy("date joined"), auto_now_add=True)

    objects: ClassVar[UserManager] = UserManager()

    # Set for a request whose token lets a program act for the account as a participant (evalsite.api).
    acts_as_participant = False

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        verbose_name = gettext_lazy("user")
        verbose_name_plural = gettext_lazy("users")

    def __str__(self) -> str:
        return self.name or self.email

    @cached_property
    def organises(self) -> bool:
        """Return whether the account is on the list of some task, as a viewer at least; loaded with a session's
        account.
        """
        return self.organiser_rows.exists()  # type: ignore[attr-defined]  # of evalsite.challenges

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)


def new_invitation() -> str:
    return secrets.token_urlsafe(24)


HOUSE_NAME = gettext_noop("The organisers")  # of the team that a task's organisers upload for, as stored


class Team(models.Model):
    """A team, or a single person, that enters tasks; upload limits and boards count by team.

    Within a task no two teams have the same name; teams of different tasks may.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = LineField(gettext_lazy("name"), max_length=100)
    name_key = models.CharField(
        max_length=LONGEST, db_index=True, editable=False, help_text=gettext_lazy("By which names compare.")
    )
    look_key = models.CharField(
        max_length=LONGEST, db_index=True, editable=False, help_text=gettext_lazy("By which looks compare.")
    )
    affiliation = LineField(gettext_lazy("affiliation"), max_length=200, blank=True)
    invitation = models.CharField(max_length=64, unique=True, default=new_invitation, editable=False)
    created = models.DateTimeField(gettext_lazy("created"), auto_now_add=True)
    members = models.ManyToManyField(User, through="Membership", related_name="teams")

    class Meta:
        ordering = ("name",)
        verbose_name = gettext_lazy("team")
        verbose_name_plural = gettext_lazy("teams")

    def __str__(self) -> str:
        """Return its name; the house team's is stored in English, and translated."""
        return gettext(HOUSE_NAME) if self.name == HOUSE_NAME else self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name = cleaned(self.name[:LONGEST])
        self.name_key, self.look_key = comparable(self.name), skeleton(self.name)
        if (fields := kwargs.get("update_fields")) is not None and "name" in fields:
            kwargs["update_fields"] = {*fields, "name_key", "look_key"}
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("team", args=[self.pk])


class Membership(models.Model):
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        User, verbose_name=gettext_lazy("user"), on_delete=models.CASCADE, related_name="memberships"
    )
    is_owner = models.BooleanField(
        gettext_lazy("is owner"), default=False, help_text=gettext_lazy("May rename the team and remove members.")
    )
    joined = models.DateTimeField(gettext_lazy("joined"), auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("team", "user"), name="one_membership_per_user"),)
        ordering = ("joined",)
        verbose_name = gettext_lazy("membership")
        verbose_name_plural = gettext_lazy("memberships")

    def __str__(self) -> str:
        return gettext("%(user)s in %(team)s") % {"user": self.user, "team": self.team}


class OrganiserRequest(models.Model):
    """A request to organise tasks: made once, and answered by an administrator."""

    class Answer(models.TextChoices):
        NONE = "", pgettext_lazy("answer to a request", "none yet")
        GRANTED = "granted", pgettext_lazy("answer to a request", "granted")
        DECLINED = "declined", pgettext_lazy("answer to a request", "declined")

    user = models.OneToOneField(
        User, verbose_name=gettext_lazy("user"), on_delete=models.CASCADE, related_name="organiser_request"
    )
    purpose = models.TextField(
        gettext_lazy("purpose"),
        max_length=1000,
        help_text=gettext_lazy("What the task is about, who organises it, and when it is to run."),
    )
    asked = models.DateTimeField(pgettext_lazy("of a request", "asked"), auto_now_add=True)
    answer = models.CharField(pgettext_lazy("of a request", "answer"), max_length=10, choices=Answer, blank=True)
    answered = models.DateTimeField(pgettext_lazy("of a request", "answered"), null=True)
    answered_by = models.ForeignKey(
        User, verbose_name=gettext_lazy("answered by"), on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ("-asked",)
        verbose_name, verbose_name_plural = gettext_lazy("request to organise"), gettext_lazy("requests to organise")

    def __str__(self) -> str:
        return str(self.user)
