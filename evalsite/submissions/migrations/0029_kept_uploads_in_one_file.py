"""Kept uploads have one file each. Those that were coming in parts, or wait in several, are dropped: they live an hour."""

from typing import Any

from django.db import migrations, models

import evalsite.submissions.models


def take_files(apps: Any, schema_editor: Any) -> None:
    for kept in apps.get_model("submissions", "KeptUpload").objects.prefetch_related("parts"):
        parts = list(kept.parts.all())
        if len(parts) == 1 and kept.received == kept.size and kept.sha256:
            kept.file = parts[0].file.name
            kept.save(update_fields=["file"])
        else:
            for part in parts:
                part.file.delete(save=False)
            kept.delete()


class Migration(migrations.Migration):
    dependencies = [("submissions", "0028_targets_move_to_classes")]

    operations = [
        migrations.AddField(
            model_name="keptupload",
            name="file",
            field=models.FileField(default="", upload_to=evalsite.submissions.models.kept_path),
            preserve_default=False,
        ),
        migrations.RunPython(take_files),
    ]
