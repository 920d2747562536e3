import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import evalsite.accounts.models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0010_refused_uploads_count_in_the_cache"),
        ("challenges", "0035_members_only"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="EntryRules",
            fields=[
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "way",
                    models.CharField(
                        choices=[
                            ("open", "everybody"),
                            ("link", "whoever has the link"),
                            ("listed", "people with a listed address or domain"),
                            ("approval", "teams that the organisers approve"),
                        ],
                        default="open",
                        max_length=10,
                        verbose_name="who may enter",
                    ),
                ),
                (
                    "secret",
                    models.CharField(
                        default=evalsite.accounts.models.new_invitation, editable=False, max_length=64, unique=True
                    ),
                ),
                ("listed", models.TextField(blank=True, verbose_name="addresses and domains")),
                ("closes", models.DateTimeField(blank=True, null=True, verbose_name="entries close")),
                ("terms", models.TextField(blank=True, help_text="Markdown.", verbose_name="terms")),
                ("terms_version", models.PositiveIntegerField(default=0, editable=False)),
                ("questions", models.JSONField(blank=True, default=list, verbose_name="questions")),
                (
                    "task",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="entry_rules", to="challenges.task"
                    ),
                ),
            ],
            options={
                "verbose_name": "rules of entering",
                "verbose_name_plural": "rules of entering",
            },
        ),
        migrations.CreateModel(
            name="Agreement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(verbose_name="version")),
                ("text", models.TextField(verbose_name="text")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="agreements",
                        to="challenges.task",
                        verbose_name="task",
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="agreements",
                        to="accounts.team",
                        verbose_name="team",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "verbose_name": "agreement",
                "verbose_name_plural": "agreements",
                "ordering": ("created", "pk"),
                "constraints": [
                    models.UniqueConstraint(fields=("task", "team", "version"), name="one_agreement_per_version")
                ],
            },
        ),
        migrations.CreateModel(
            name="Application",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("answers", models.JSONField(blank=True, default=dict, verbose_name="answers")),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "waiting"), ("accepted", "accepted"), ("declined", "declined")],
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=300, verbose_name="reason")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="decided by",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="applications",
                        to="challenges.task",
                        verbose_name="task",
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="applications",
                        to="accounts.team",
                        verbose_name="team",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "verbose_name": "application",
                "verbose_name_plural": "applications",
                "ordering": ("created", "pk"),
                "constraints": [models.UniqueConstraint(fields=("task", "team"), name="one_application_per_team")],
            },
        ),
    ]
