"""Students of a task that is a class, as its teacher has listed them, and what they have to reach."""

import uuid

from django.db import models
from django.utils.translation import gettext_lazy

from evalsite.accounts.fields import LineField
from evalsite.base.fields import MomentField
from evalsite.challenges.models import Phase, Task
from evalsite.submissions.models import Submission


class Student(models.Model):
    """A line of the list: who may enter, and under which name marks are written. It leads to no account by itself."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, verbose_name=gettext_lazy("task"), on_delete=models.CASCADE, related_name="students")
    email = models.EmailField(gettext_lazy("e-mail address"))
    name = LineField(gettext_lazy("name"), max_length=150)
    number = LineField(gettext_lazy("student number"), max_length=50, blank=True)
    invited = MomentField(
        gettext_lazy("invited"), null=True, editable=False, help_text=gettext_lazy("When the one mail was queued.")
    )

    class Meta:
        db_table = "challenges_student"  # as it was called before the app was one of its own
        ordering = ("name", "email")
        constraints = (models.UniqueConstraint(fields=("task", "email"), name="one_line_of_a_student"),)
        verbose_name, verbose_name_plural = gettext_lazy("student"), gettext_lazy("students")

    def __str__(self) -> str:
        return self.name


class Target(models.Model):
    """The run of the organisers, such as a baseline, that a phase's runs have to be better than by more than chance."""

    phase = models.OneToOneField(Phase, on_delete=models.CASCADE, primary_key=True, related_name="target")
    run = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="+")

    class Meta:
        db_table = "submissions_target"
        verbose_name = gettext_lazy("target")
        verbose_name_plural = gettext_lazy("targets")

    def __str__(self) -> str:
        return f"{self.phase}: {self.run}"
