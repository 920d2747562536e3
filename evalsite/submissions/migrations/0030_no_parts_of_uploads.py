from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("submissions", "0029_kept_uploads_in_one_file")]

    operations = [
        migrations.DeleteModel(name="KeptPart"),
        migrations.RemoveField(model_name="keptupload", name="mark"),
        migrations.RemoveField(model_name="keptupload", name="received"),
        migrations.AlterField(model_name="keptupload", name="sha256", field=models.CharField(max_length=64)),
        migrations.AlterField(
            model_name="keptupload", name="size", field=models.PositiveBigIntegerField(help_text="Bytes.")
        ),
    ]
