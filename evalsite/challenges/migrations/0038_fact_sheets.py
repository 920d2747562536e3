import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0037_announcements"),
    ]

    operations = [
        migrations.CreateModel(
            name="FactSheet",
            fields=[
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("own", models.JSONField(blank=True, default=list, verbose_name="fields")),
                ("edited_until", models.DateTimeField(blank=True, null=True, verbose_name="edited until")),
                (
                    "task",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="fact_sheet", to="challenges.task"
                    ),
                ),
            ],
            options={
                "verbose_name": "fact sheet",
                "verbose_name_plural": "fact sheets",
            },
        ),
    ]
