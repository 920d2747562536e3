"""Phases keep the order in which they were made; those that are there get it from their opening."""

from datetime import timedelta
from typing import Any

import django.utils.timezone
from django.db import migrations, models


def order_by_opening(apps: Any, schema_editor: Any) -> None:
    phases = apps.get_model("challenges", "Phase").objects.order_by("task", "opens", "pk").select_related("task")
    for number, phase in enumerate(phases):
        phase.created = phase.task.created + timedelta(microseconds=number)
        phase.save(update_fields=["created"])


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0004_organisers_for_nobody"),
    ]

    operations = [
        migrations.AddField(
            model_name="phase",
            name="created",
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False),
        ),
        migrations.RunPython(order_by_opening, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="phase",
            name="window",
            field=models.DurationField(
                default=timedelta(days=1),
                help_text="Rolling window of the limit.",
            ),
        ),
    ]
