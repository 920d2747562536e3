"""Who was an organiser of the whole site may create tasks; the administration is entered by superusers alone."""

from django.db import migrations, models


def move_flag(apps, schema_editor):
    staff = apps.get_model("accounts", "User").objects.filter(is_staff=True)
    staff.update(may_create_tasks=True)
    staff.filter(is_superuser=False).update(is_staff=False)


def move_back(apps, schema_editor):
    apps.get_model("accounts", "User").objects.filter(may_create_tasks=True).update(is_staff=True)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_fields_in_words"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="may_create_tasks",
            field=models.BooleanField(
                default=False, help_text="And owns those that it creates.", verbose_name="may create tasks"
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="is_staff",
            field=models.BooleanField(
                default=False,
                help_text="Together with the rights of a superuser; organisers of tasks need neither.",
                verbose_name="enters the administration",
            ),
        ),
        migrations.RunPython(move_flag, move_back),
    ]
