from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_squashed_0009_requests_to_organise")]

    operations = [migrations.DeleteModel(name="UploadAttempt")]
