from django.db import migrations

from evalsite.base.moved_models import ReleaseModel


class Migration(migrations.Migration):
    dependencies = [("submissions", "0001_squashed_0027_version_1_2")]

    operations = [ReleaseModel("Target")]
