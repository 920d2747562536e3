import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import evalsite.accounts.models


class Migration(migrations.Migration):
    dependencies = [
        ("challenges", "0016_house_late_and_what_counts"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="OrganiserInvitation",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("email", models.EmailField(max_length=254, verbose_name="e-mail address")),
                (
                    "role",
                    models.CharField(
                        choices=[("owner", "Owner"), ("organiser", "Organiser"), ("viewer", "Viewer")],
                        max_length=10,
                        verbose_name="role",
                    ),
                ),
                (
                    "secret",
                    models.CharField(default=evalsite.accounts.models.new_invitation, max_length=64, unique=True),
                ),
                ("sent", models.DateTimeField(default=django.utils.timezone.now, verbose_name="sent")),
                (
                    "sent_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="organiser_invitations",
                        to="challenges.task",
                    ),
                ),
            ],
            options={
                "ordering": ("sent",),
                "constraints": [models.UniqueConstraint(fields=("task", "email"), name="one_invitation_per_address")],
            },
        ),
    ]
