import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_may_create_tasks"),
    ]

    operations = [
        migrations.CreateModel(
            name="OrganiserRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "purpose",
                    models.TextField(
                        help_text="What the task is about, who organises it, and when it is to run.",
                        max_length=1000,
                        verbose_name="purpose",
                    ),
                ),
                ("asked", models.DateTimeField(auto_now_add=True, verbose_name="asked")),
                (
                    "answer",
                    models.CharField(
                        blank=True,
                        choices=[("", "none yet"), ("granted", "granted"), ("declined", "declined")],
                        max_length=10,
                        verbose_name="answer",
                    ),
                ),
                ("answered", models.DateTimeField(null=True, verbose_name="answered")),
                (
                    "answered_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="answered by",
                    ),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="organiser_request",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "verbose_name": "request to organise",
                "verbose_name_plural": "requests to organise",
                "ordering": ("-asked",),
            },
        ),
    ]
