"""Boards for "nobody" were seen by the organisers: the two audiences are one."""

from typing import Any

from django.db import migrations, models


def name_the_organisers(apps: Any, schema_editor: Any) -> None:
    apps.get_model("challenges", "Phase").objects.filter(board_audience="nobody").update(board_audience="organisers")


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0003_former_participations_and_release_of_gold"),
    ]

    operations = [
        migrations.RunPython(name_the_organisers, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="phase",
            name="board_audience",
            field=models.CharField(
                choices=[
                    ("organisers", "organisers"),
                    ("participants", "participants"),
                    ("everybody", "everybody"),
                ],
                default="everybody",
                max_length=12,
                verbose_name="board is seen by",
            ),
        ),
    ]
