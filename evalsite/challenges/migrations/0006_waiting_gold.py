import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import evalsite.challenges.models


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("challenges", "0005_phase_created"),
    ]

    operations = [
        migrations.AddField(
            model_name="gold",
            name="digest",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The engine's, of the scenario's files alone: equal for the same gold in another archive. "
                "Empty for gold of before this was kept.",
                max_length=64,
            ),
            preserve_default=False,
        ),
        migrations.CreateModel(
            name="WaitingGold",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("file", models.FileField(upload_to=evalsite.challenges.models.waiting_gold_path)),
                (
                    "file_name",
                    models.CharField(help_text="As the organiser's own; formats are told by it.", max_length=255),
                ),
                ("note", models.CharField(blank=True, max_length=200)),
                ("remarks", models.JSONField(help_text="What looks odd: a list of [heading, list of texts].")),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="waiting_golds",
                        to="challenges.phase",
                    ),
                ),
                (
                    "scenarios",
                    models.ManyToManyField(
                        help_text="Those that it is for.", related_name="+", to="challenges.scenario"
                    ),
                ),
            ],
        ),
    ]
