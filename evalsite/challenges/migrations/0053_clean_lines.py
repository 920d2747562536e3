"""Cleans lines that came past the forms, such as titles with line breaks or signs that turn the direction of a text."""

from django.db import migrations

from evalsite.accounts.names import cleaned

LINES = {
    "Task": ("title", "summary"),
    "Phase": ("name", "pause_reason"),
    "Scenario": ("name",),
    "Page": ("title",),
    "Announcement": ("title",),
    "Download": ("title", "description"),
    "Gold": ("note", "public_note", "engine_note"),
    "WaitingGold": ("note",),
    "Participation": ("ban_reason",),
    "Application": ("reason",),
}


def clean(apps, schema_editor):
    for model, names in LINES.items():
        rows = apps.get_model("challenges", model)._base_manager.using(schema_editor.connection.alias)
        for pk, *lines in rows.values_list("pk", *names).iterator():
            values = {name: cleaned(line) for name, line in zip(names, lines, strict=True)}
            # A line of which nothing would stay is left for its owner.
            changed = {name: new for (name, new), old in zip(values.items(), lines, strict=True) if new and new != old}
            if changed:
                rows.filter(pk=pk).update(**changed)


class Migration(migrations.Migration):
    dependencies = [("challenges", "0052_dois")]

    operations = [migrations.RunPython(clean, migrations.RunPython.noop)]
