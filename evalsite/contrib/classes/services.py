"""Changes the list of students; each gets one mail, which is queued with the line or not at all."""

from collections.abc import Sequence
from dataclasses import dataclass

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from evalsite.accounts.models import User
from evalsite.challenges.models import Task, record
from evalsite.contrib.classes.models import Student
from evalsite.contrib.classes.reading import MAX_STUDENTS, Line


class CannotImport(Exception):
    """The list cannot be taken over; the message tells the teacher why."""


@dataclass(frozen=True)
class Plan:
    """What a list would do, by what is stored: nothing is said of whether an address has an account."""

    new: list[Line]
    changed: list[Line]  # another name or number
    n_same: int
    n_left: int  # stored, and not on this list: they stay


def plan_for(task: Task, lines: Sequence[Line]) -> Plan:
    stored = {student.email: student for student in Student.objects.filter(task=task)}
    new = [line for line in lines if line.email not in stored]
    present = [line for line in lines if line.email in stored]
    changed = [line for line in present if (line.name, line.number) != _name_and_number(stored[line.email])]
    return Plan(new, changed, len(present) - len(changed), len(stored) - len(present))


def _name_and_number(student: Student) -> tuple[str, str]:
    return student.name, student.number


def import_students(task: Task, lines: Sequence[Line], *, by: User) -> Plan:
    """Store the lines, and queue a mail for each student who has got none; all of it or nothing."""
    with transaction.atomic():
        Task.objects.select_for_update(no_key=True).get(pk=task.pk)
        if not task.is_public:
            raise CannotImport(gettext("Publish the task first: the students' mails lead to it."))
        plan = plan_for(task, lines)
        if len(plan.new) + Student.objects.filter(task=task).count() > MAX_STUDENTS:
            raise CannotImport(gettext("A class has at most %(most)d students.") % {"most": MAX_STUDENTS})
        for line in plan.changed:
            Student.objects.filter(task=task, email=line.email).update(name=line.name, number=line.number)
        now = timezone.now()
        Student.objects.bulk_create(
            Student(task=task, email=line.email, name=line.name, number=line.number, invited=now) for line in plan.new
        )
        for line in plan.new:
            address = settings.SITE_URL + reverse("enter", args=[task.slug])
            context = {"task": task, "by": by, "name": line.name, "email": line.email, "address": address}
            get_adapter().send_mail("contrib/classes/email/student_invited", line.email, context)
        if plan.new or plan.changed:
            # Viewers read the log, so that it has numbers and no addresses.
            record(task, "students listed", actor=by, new=len(plan.new), corrected=len(plan.changed))
    return plan


def remove_student(student: Student, *, by: User) -> None:
    """Take a student off the list; a team that has entered stays."""
    with transaction.atomic():
        student.delete()
        record(student.task, "student removed", actor=by)


def is_student(task: Task, user: User) -> bool:
    """Return whether a confirmed address of the account is on the class's list."""
    if not task.is_class:
        return False
    confirmed = EmailAddress.objects.filter(user=user, verified=True).values("email")
    return Student.objects.filter(task=task, email__in=confirmed).exists()
