"""Lets combined boards be made anew, with entries as other boards have them."""

from django.db import migrations


def make_anew(apps, schema_editor):
    apps.get_model("leaderboard", "Combined").objects.update(board={}, basis="")


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0017_board_lease")]

    operations = [migrations.RunPython(make_anew, migrations.RunPython.noop)]
