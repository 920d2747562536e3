"""The time at which a phase's gold is released by itself."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("challenges", "0030_former_closings")]

    operations = [
        migrations.AddField(
            "phase",
            "gold_due",
            models.DateTimeField(
                blank=True,
                help_text="UTC. When the gold is released by itself; empty once it is released.",
                null=True,
                verbose_name="gold is released at",
            ),
        ),
    ]
