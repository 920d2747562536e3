"""Cleans names of methods and affiliations that came past the forms."""

from django.db import migrations

from evalsite.accounts.names import cleaned

LINES = ("method", "affiliation", "withdrawn_reason")


def clean(apps, schema_editor):
    rows = apps.get_model("submissions", "Submission")._base_manager.using(schema_editor.connection.alias)
    for pk, *lines in rows.values_list("pk", *LINES).iterator():
        values = {name: cleaned(line) for name, line in zip(LINES, lines, strict=True)}
        changed = {name: new for (name, new), old in zip(values.items(), lines, strict=True) if new and new != old}
        if changed:
            rows.filter(pk=pk).update(**changed)


class Migration(migrations.Migration):
    dependencies = [("submissions", "0031_no_fingerprints")]

    operations = [migrations.RunPython(clean, migrations.RunPython.noop)]
