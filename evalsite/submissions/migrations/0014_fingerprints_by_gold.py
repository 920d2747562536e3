"""Fingerprints know their gold. Those that are there go, and are made anew by themselves (submissions/likeness.py)."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


def remove_all(apps, schema_editor):
    apps.get_model("submissions", "Fingerprint").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0018_version_of_downloads"),
        ("submissions", "0013_house_allowances_and_choices"),
    ]

    operations = [
        migrations.RunPython(remove_all, migrations.RunPython.noop),
        migrations.AddField(
            model_name="fingerprint",
            name="gold",
            field=models.ForeignKey(
                default=uuid.uuid4,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="challenges.gold",
            ),
            preserve_default=False,
        ),
    ]
