"""Every closing that was told is kept; of those until now only the first one is known."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import migrations, models


def keep_extensions(apps, schema_editor):
    for phase in apps.get_model("challenges", "Phase").objects.filter(extended_on__isnull=False):
        phase.former_closings = [[phase.extended_from, phase.extended_on]]
        phase.save(update_fields=["former_closings"])


class Migration(migrations.Migration):
    dependencies = [("challenges", "0029_messages_as_data")]

    operations = [
        migrations.AddField(
            "phase",
            "former_closings",
            models.JSONField(
                default=list,
                editable=False,
                encoder=DjangoJSONEncoder,
                help_text="Closings that were public before they were moved: a list of [closing, moved on].",
            ),
        ),
        migrations.RunPython(keep_extensions, elidable=True),
        migrations.RemoveField("phase", "extended_from"),
        migrations.RemoveField("phase", "extended_on"),
    ]
