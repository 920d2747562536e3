import uuid

import django.db.models.deletion
from django.db import migrations, models

import evalsite.challenges.text_models


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0013_newest_events"),
    ]

    operations = [
        migrations.AddField(
            model_name="phase",
            name="extended_from",
            field=models.DateTimeField(
                editable=False, help_text="When it was to close, before that was put off in public.", null=True
            ),
        ),
        migrations.AddField(
            model_name="phase",
            name="extended_on",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="phase",
            name="pause_reason",
            field=models.CharField(
                blank=True,
                help_text="Participants read it on the task's page.",
                max_length=200,
                verbose_name="reason of the pause",
            ),
        ),
        migrations.AddField(
            model_name="phase",
            name="version",
            field=models.PositiveIntegerField(default=1, editable=False),
        ),
        migrations.AddField(
            model_name="scenario",
            name="version",
            field=models.PositiveIntegerField(default=1, editable=False),
        ),
        migrations.AddField(
            model_name="task",
            name="publish_at",
            field=models.DateTimeField(
                blank=True,
                help_text="UTC. From then on everybody sees the task, without anybody doing anything.",
                null=True,
                verbose_name="published at",
            ),
        ),
        migrations.AddField(
            model_name="task",
            name="version",
            field=models.PositiveIntegerField(default=1, editable=False),
        ),
        migrations.AddField(
            model_name="task",
            name="zone",
            field=models.CharField(
                default="UTC",
                help_text="In which the organisers type times, such as AoE or Europe/Madrid.",
                max_length=64,
                verbose_name="time zone",
            ),
        ),
        migrations.CreateModel(
            name="FormerAddress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField()),
                (
                    "phase",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_addresses",
                        to="challenges.phase",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_addresses",
                        to="challenges.task",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("phase", None)), fields=("slug",), name="former_address_of_one_task"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("phase__isnull", False)),
                        fields=("task", "slug"),
                        name="former_address_of_one_phase",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Page",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("position", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("title", models.CharField(max_length=100, verbose_name="title")),
                ("slug", models.SlugField(blank=True, verbose_name="slug")),
                ("text", models.TextField(blank=True, help_text="Markdown.", verbose_name="text")),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pages", to="challenges.task"
                    ),
                ),
            ],
            options={
                "verbose_name": "page",
                "verbose_name_plural": "pages",
                "ordering": ("task", "position", "pk"),
                "constraints": [models.UniqueConstraint(fields=("task", "slug"), name="page_slug_in_task")],
            },
        ),
        migrations.CreateModel(
            name="Picture",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                ("file", models.FileField(upload_to=evalsite.challenges.text_models.picture_path, verbose_name="file")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pictures", to="challenges.task"
                    ),
                ),
            ],
            options={
                "verbose_name": "picture",
                "verbose_name_plural": "pictures",
                "ordering": ("task", "name"),
                "constraints": [models.UniqueConstraint(fields=("task", "name"), name="picture_name_in_task")],
            },
        ),
    ]
