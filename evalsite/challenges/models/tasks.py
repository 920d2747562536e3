"""Tasks, and who organises them."""

import uuid
from datetime import datetime, timedelta
from typing import ClassVar

from allauth.account.models import EmailAddress
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from evalsite.accounts.fields import LineField
from evalsite.accounts.models import Team, User, new_invitation
from evalsite.base import moment
from evalsite.base.fields import MarkdownField, MomentField
from evalsite.challenges.models.base import Counter, DoiField, Versioned

# A tag of BCP 47, as the attribute `lang` of HTML takes it: "es", "zh-Hant-TW".
language_tag = RegexValidator(
    r"\A[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}\Z", gettext_lazy("Write a language's tag, such as en, es or zh-Hant.")
)


def language_tags(text: str) -> None:
    """Raise ValidationError unless the text is one tag, or several with blanks between."""
    for tag in text.split(" "):
        language_tag(tag)


class Task(Versioned):
    """A shared task: what participants enter.

        draft    → public     publish, or publish_at has come
        public   → draft      unpublish, as long as no team has uploaded
        public   → archived   archive, once every phase is over
        archived → public     unarchive

    `is_published` or a `publish_at` that has come makes it public, for everybody; before, organisers alone see it. To
    publish it, one of its owners must be allowed to create tasks. While `archived` is set, the task is read as
    before, and takes no uploads. `revision` and `news` are no states: they tell when cached pages are out of date.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(
        pgettext_lazy("in an address", "slug"),
        unique=True,
        help_text=gettext_lazy("The task's place in addresses: /tasks/<slug>/"),
    )
    title = LineField(gettext_lazy("title"), max_length=200)
    summary = LineField(
        gettext_lazy("summary"), max_length=300, help_text=gettext_lazy("One sentence for the list of tasks.")
    )
    description = MarkdownField(gettext_lazy("description"), blank=True, help_text="Markdown.")
    language = models.CharField(
        gettext_lazy("language"),
        max_length=35,
        blank=True,
        validators=[language_tag],
        help_text=gettext_lazy("Of title, summary and descriptions, as a tag such as en or es; empty: not known."),
    )
    data_language = models.CharField(
        gettext_lazy("languages of the data"),
        max_length=200,
        blank=True,
        validators=[language_tags],
        help_text=gettext_lazy(
            "Of the texts that are annotated, such as es, or en de es for several; empty: not known. With several, "
            "each scenario takes the one that its folder or rows are named after."
        ),
    )
    doi = DoiField("DOI", help_text=gettext_lazy("Of the overview or the data, to be cited; empty: there is none yet."))
    contact = models.EmailField(
        gettext_lazy("contact"), blank=True, help_text=gettext_lazy("Where participants can ask.")
    )
    organisers = models.ManyToManyField(
        User,
        verbose_name=gettext_lazy("organisers"),
        through="Organiser",
        through_fields=("task", "user"),
        related_name="organised_tasks",
    )
    house = models.OneToOneField(
        Team,
        verbose_name=gettext_lazy("house team"),
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        related_name="house_of",
        help_text=gettext_lazy("Whose the organisers' own runs are; it takes no part. None before there is one."),
    )
    is_published = models.BooleanField(
        gettext_lazy("is published"),
        default=False,
        help_text=gettext_lazy("Unpublished tasks are seen by organisers only."),
    )
    publish_at = MomentField(
        gettext_lazy("published at"),
        null=True,
        blank=True,
        help_text=gettext_lazy("UTC. From then on everybody sees the task, without anybody doing anything."),
    )
    zone = models.CharField(
        gettext_lazy("time zone"),
        max_length=64,
        default="UTC",
        help_text=gettext_lazy("In which the organisers type times, such as AoE or Europe/Madrid."),
    )
    is_class = models.BooleanField(
        gettext_lazy("a class"),
        default=False,
        db_default=False,  # for programs of the version before, while a site is upgraded
        help_text=gettext_lazy(
            "Everybody sees their own scores alone, at any time: boards, names and entries are the organisers'."
        ),
    )
    members_frozen = MomentField(
        gettext_lazy("members frozen from"),
        null=True,
        blank=True,
        help_text=gettext_lazy("UTC. From then on nobody joins or leaves a team that has entered; empty: never."),
    )
    archived = MomentField(
        gettext_lazy("archived"),
        null=True,
        editable=False,
        help_text=gettext_lazy("Since then it stands in the archive, is read as before, and takes no uploads."),
    )
    created = MomentField(gettext_lazy("created"), auto_now_add=True)
    # A cached page is current while these two are those that it was made with (evalsite.challenges.revisions).
    revision = Counter(default=0, db_default=0, editable=False)  # changes by organisers, shown at once
    news = Counter(default=0, db_default=0, editable=False)  # new boards and participants, shown after some seconds

    class Meta:
        ordering = ("title",)
        verbose_name, verbose_name_plural = gettext_lazy("task"), gettext_lazy("tasks")

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("task", args=[self.slug])

    @property
    def is_public(self) -> bool:
        """Return whether everybody sees it, and not its organisers alone."""
        return self.is_published or (self.publish_at is not None and self.publish_at <= moment.now())

    @cached_property
    def takes_uploads(self) -> bool:
        """Return whether participants upload to a scenario of it, or it has no scenario yet."""
        scenarios = self.scenarios.all()
        return not scenarios or any(scenario.takes_uploads for scenario in scenarios)

    @cached_property
    def named_organisers(self) -> list[User]:
        """Return whom pages and citations name, in the order in which they joined: all organisers but viewers."""
        rows = self.organiser_rows.exclude(role=Organiser.Role.VIEWER).select_related("user")
        named = rows.only("task", "added", "user__name", "user__email", "user__affiliation").order_by()
        # Sorted here, where it costs least: there are few.
        return [row.user for row in sorted(named, key=lambda row: (row.added, row.pk))]


def published(now: datetime, path: str = "") -> Q:
    """Return the condition of tasks that everybody sees at this time; `path` leads to them, as "task__"."""
    return Q(**{f"{path}is_published": True}) | Q(**{f"{path}publish_at__lte": now})


class Organiser(models.Model):
    """A person on a task's list of organisers. Owners also decide who is on it; viewers see all and change nothing.

    What follows from a role stands in evalsite.challenges.access.
    """

    class Role(models.TextChoices):
        OWNER = "owner", gettext_lazy("Owner")
        ORGANISER = "organiser", gettext_lazy("Organiser")
        VIEWER = "viewer", gettext_lazy("Viewer")

    task = models.ForeignKey(
        Task, verbose_name=gettext_lazy("task"), on_delete=models.CASCADE, related_name="organiser_rows"
    )
    user = models.ForeignKey(
        User, verbose_name=gettext_lazy("user"), on_delete=models.CASCADE, related_name="organiser_rows"
    )
    role = models.CharField(
        pgettext_lazy("of an organiser", "role"), max_length=10, choices=Role, default=Role.ORGANISER
    )
    added = MomentField(gettext_lazy("added"), auto_now_add=True)
    added_by = models.ForeignKey(
        User, verbose_name=gettext_lazy("added by"), on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ("added", "pk")
        constraints = (models.UniqueConstraint(fields=("task", "user"), name="one_role_per_task"),)
        verbose_name, verbose_name_plural = gettext_lazy("organiser"), gettext_lazy("organisers")

    def __str__(self) -> str:
        return gettext("%(user)s, %(role)s of %(task)s") % {
            "user": self.user,
            "role": self.get_role_display(),
            "task": self.task,
        }


class OrganiserInvitation(models.Model):
    """An invitation to organise a task, by mail: the account that has confirmed the address joins by its link, once.

    It is the same whether or not the address has an account, so that nobody learns who has one.
    """

    LASTS: ClassVar = timedelta(days=14)
    OWNERS_LASTS: ClassVar = timedelta(days=1)  # an owner decides who sees the gold

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="organiser_invitations")
    email = models.EmailField(gettext_lazy("e-mail address"))
    role = models.CharField(pgettext_lazy("of an organiser", "role"), max_length=10, choices=Organiser.Role)
    secret = models.CharField(max_length=64, unique=True, default=new_invitation)
    sent = MomentField(gettext_lazy("sent"), default=timezone.now)
    sent_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name, verbose_name_plural = (
            gettext_lazy("invitation to organise"),
            gettext_lazy("invitations to organise"),
        )
        ordering = ("sent",)
        constraints = (models.UniqueConstraint(fields=("task", "email"), name="one_invitation_per_address"),)

    def __str__(self) -> str:
        return gettext("%(email)s, to %(task)s") % {"email": self.email, "task": self.task}

    @property
    def ends(self) -> datetime:
        return self.sent + (self.OWNERS_LASTS if self.role == Organiser.Role.OWNER else self.LASTS)

    @property
    def is_over(self) -> bool:
        return self.ends < timezone.now()

    @property
    def masked_email(self) -> str:
        """Return the address for somebody who may not be its owner: recognisable to the owner alone."""
        name, _, domain = self.email.rpartition("@")
        return f"{name[:1]}…@{domain}"

    def is_for(self, user: User) -> bool:
        """Return whether the account has confirmed the address; allauth stores addresses in lower case."""
        confirmed: bool = EmailAddress.objects.filter(user=user, email=self.email.lower(), verified=True).exists()
        return confirmed
