"""The administrators' lists of students and targets."""

from evalsite.accounts.plain_admin import show
from evalsite.contrib.classes.models import Student, Target

show(
    *(Student, "name", "email", "number", "task", "invited"),
    related=("task",),
    search=("name", "email", "task__title", "task__slug"),
)
show(Target, "phase", "run", related=("phase__task", "run__team"), search=("phase__name",))
