"""Organisers get a role in each task. Of those listed so far the first becomes the owner.

Who was listed without the site's flag had no rights, and is listed no longer: from now on the list alone counts.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def give_roles(apps, schema_editor):
    Organiser = apps.get_model("challenges", "Organiser")
    through = apps.get_model("challenges", "Task").organisers.through
    owned = set()
    for listed in through.objects.filter(user__may_create_tasks=True).order_by("pk"):
        role = "organiser" if listed.task_id in owned else "owner"
        owned.add(listed.task_id)
        Organiser.objects.create(task_id=listed.task_id, user_id=listed.user_id, role=role)


def take_roles(apps, schema_editor):
    through = apps.get_model("challenges", "Task").organisers.through
    for row in apps.get_model("challenges", "Organiser").objects.exclude(role="viewer").order_by("pk"):
        through.objects.create(task_id=row.task_id, user_id=row.user_id)


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0014_versions_texts_and_addresses"),
        ("accounts", "0008_may_create_tasks"),
    ]

    operations = [
        migrations.CreateModel(
            name="Organiser",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[("owner", "Owner"), ("organiser", "Organiser"), ("viewer", "Viewer")],
                        default="organiser",
                        max_length=10,
                        verbose_name="role",
                    ),
                ),
                ("added", models.DateTimeField(auto_now_add=True, verbose_name="added")),
                (
                    "added_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="added by",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="organiser_rows",
                        to="challenges.task",
                        verbose_name="task",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="organiser_rows",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "verbose_name": "organiser",
                "verbose_name_plural": "organisers",
                "ordering": ("added", "pk"),
                "constraints": [models.UniqueConstraint(fields=("task", "user"), name="one_role_per_task")],
            },
        ),
        migrations.RunPython(give_roles, take_roles),
        migrations.RemoveField(model_name="task", name="organisers"),
        migrations.AddField(
            model_name="task",
            name="organisers",
            field=models.ManyToManyField(
                related_name="organised_tasks",
                through="challenges.Organiser",
                through_fields=("task", "user"),
                to=settings.AUTH_USER_MODEL,
                verbose_name="organisers",
            ),
        ),
    ]
