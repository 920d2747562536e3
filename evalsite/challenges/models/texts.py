"""Pages, pictures and downloads of a task, and the addresses that its parts had before."""

import uuid
from typing import Any

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy, pgettext_lazy

from evalsite.accounts.fields import LineField
from evalsite.base import moment
from evalsite.base.fields import MarkdownField, MomentField, SmallCountField
from evalsite.base.file_names import plain_name, require_plain_name, stored_name
from evalsite.challenges.models.base import Versioned, members_only
from evalsite.challenges.models.tasks import Task


class Page(Versioned):
    """A text of the task that has a page of its own, such as its rules."""

    task = models.ForeignKey("challenges.Task", on_delete=models.CASCADE, related_name="pages")
    position = SmallCountField(default=0, editable=False)
    title = LineField(gettext_lazy("title"), max_length=100)
    slug = models.SlugField(pgettext_lazy("in an address", "slug"), blank=True)
    text = MarkdownField(gettext_lazy("text"), blank=True, help_text="Markdown.")
    members_only = members_only(gettext_lazy("Others read its title alone; pictures in it stay open to everybody."))

    class Meta:
        constraints = (models.UniqueConstraint(fields=("task", "slug"), name="page_slug_in_task"),)
        ordering = ("task", "position", "pk")
        verbose_name, verbose_name_plural = gettext_lazy("page"), gettext_lazy("pages")

    @property
    def is_for_members(self) -> bool:
        return self.members_only

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("task_page", args=[self.task.slug, self.slug])


class Announcement(Versioned):
    """News of a task, on its page and in its feed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey("challenges.Task", on_delete=models.CASCADE, related_name="announcements")
    title = LineField(gettext_lazy("title"), max_length=150)
    text = MarkdownField(gettext_lazy("text"), blank=True, help_text="Markdown.")
    created = MomentField(gettext_lazy("created"), auto_now_add=True)
    changed = MomentField(gettext_lazy("changed"), auto_now=True)

    class Meta:
        ordering = ("-created",)
        verbose_name, verbose_name_plural = gettext_lazy("announcement"), gettext_lazy("announcements")

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return f"{self.task.get_absolute_url()}#news-{self.pk}"


def picture_path(picture: "Picture", name: str) -> str:
    return f"pictures/{picture.pk}/{stored_name('picture', name)}"


class Picture(models.Model):
    """A picture that the texts of the task show by its name: ![in words](name)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey("challenges.Task", on_delete=models.CASCADE, related_name="pictures")
    name = models.CharField(gettext_lazy("name"), max_length=60, validators=[require_plain_name])
    file = models.FileField(gettext_lazy("file"), upload_to=picture_path)
    created = MomentField(gettext_lazy("created"), auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("task", "name"), name="picture_name_in_task"),)
        ordering = ("task", "name")
        verbose_name, verbose_name_plural = gettext_lazy("picture"), gettext_lazy("pictures")

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("picture", args=[self.task.slug, self.name])


class FormerAddress(models.Model):
    """A former slug of a task, or of a phase, page or scenario of it, from which visitors are redirected."""

    PARTS = ("phase", "page", "scenario")  # at most one is set; of a scenario the slug is its number

    task = models.ForeignKey("challenges.Task", on_delete=models.CASCADE, related_name="former_addresses")
    phase = models.ForeignKey("challenges.Phase", on_delete=models.CASCADE, null=True, related_name="former_addresses")
    page = models.ForeignKey(Page, on_delete=models.CASCADE, null=True, related_name="former_addresses")
    scenario = models.ForeignKey(
        "challenges.Scenario", on_delete=models.CASCADE, null=True, related_name="former_addresses"
    )
    slug = models.SlugField()

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("former address"), gettext_lazy("former addresses")
        constraints = (
            models.UniqueConstraint(
                fields=("slug",),
                condition=Q(phase=None, page=None, scenario=None),
                name="former_address_of_one_task",
            ),
            *(
                models.UniqueConstraint(
                    fields=("task", "slug"),
                    condition=Q((f"{part}__isnull", False)),
                    name=f"former_address_of_one_{part}",
                )
                for part in ("phase", "page", "scenario")
            ),
        )

    def __str__(self) -> str:
        return self.slug


def download_path(download: "Download", name: str) -> str:
    return f"downloads/{download.pk}/{stored_name('download', name)}"


class Download(Versioned):
    """A file that the organisers offer on the task's page, such as the sentences to annotate."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="downloads")
    title = LineField(gettext_lazy("title"), max_length=150)
    description = LineField(gettext_lazy("description"), max_length=300, blank=True)
    file = models.FileField(gettext_lazy("file"), upload_to=download_path)
    file_name = models.CharField(
        gettext_lazy("name of the file"),
        max_length=255,
        blank=True,
        default="",
        db_default="",  # for programs of the version before, while a site is upgraded
        editable=False,
        validators=[require_plain_name],
    )
    phase = models.ForeignKey(
        "challenges.Phase",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="downloads",
        verbose_name=gettext_lazy("phase"),
        help_text=gettext_lazy("Whose starter kit has the file. Without a phase all of them have it."),
    )
    available_from = MomentField(
        gettext_lazy("available from"), default=timezone.now, help_text=gettext_lazy("UTC. Hidden before.")
    )
    members_only = members_only(gettext_lazy("Others read its title alone."))

    class Meta:
        ordering = ("task", "available_from", "title")
        verbose_name, verbose_name_plural = gettext_lazy("download"), gettext_lazy("downloads")

    def __str__(self) -> str:
        return self.title

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the name of a new file; one that is stored already lies in a folder."""
        if self.file.name and "/" not in self.file.name:
            self.file_name = plain_name(self.file.name)
            if (fields := kwargs.get("update_fields")) is not None:
                kwargs["update_fields"] = {*fields, "file_name"}
        super().save(*args, **kwargs)

    @property
    def is_for_members(self) -> bool:
        """Return whether it is kept for the teams that take part, by itself or with all data of its phase."""
        return self.members_only or (self.phase is not None and self.phase.members_only)

    @property
    def is_available(self) -> bool:
        return self.available_from <= moment.now()

    @property
    def download_name(self) -> str:
        """Return the name under which the file is downloaded, which tells files of several tasks apart."""
        name, slug = self.file_name or plain_name(self.file.name), self.task.slug
        return name if name.startswith(slug) else f"{slug}-{name}"
