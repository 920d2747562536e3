from django.db import migrations

from evalsite.base.moved_models import ReleaseModel


class Migration(migrations.Migration):
    dependencies = [("challenges", "0001_squashed_0048_version_1_2")]

    operations = [ReleaseModel("Student")]
