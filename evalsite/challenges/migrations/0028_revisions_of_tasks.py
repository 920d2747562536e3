"""Counters by which kept pages are known to be the pages of now."""

from django.db import migrations

from evalsite.challenges.models.base import Counter


class Migration(migrations.Migration):
    dependencies = [("challenges", "0027_choices_names_of_files_and_reports")]

    operations = [
        migrations.AddField("task", name, Counter(db_default=0, default=0, editable=False))
        for name in ("revision", "news")
    ]
