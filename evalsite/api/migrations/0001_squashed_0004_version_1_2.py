import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("api", "0001_squashed_0002_names_in_the_administration"),
        ("api", "0003_squashed_0004_tokens_of_judges"),
    ]

    dependencies = [
        ('challenges', '0001_squashed_0048_version_1_2'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AccessToken',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=60)),
                ('scopes', models.CharField(choices=[('read', 'Read: tasks, boards, and your own runs and scores'), ('read upload', 'Read and upload: also check, upload, withdraw and restore runs'), ('read organise', 'Read as an organiser: also all runs and scores of the tasks that you organise'), ('read upload organise', 'Read and upload as an organiser: also withdraw and restore these runs'), ('judge', 'Score runs of one task: list them, fetch their files, post scores'), ('judge gold', 'Score runs of one task, and read the gold of these runs')], default='read', max_length=20)),
                ('digest', models.CharField(editable=False, help_text='SHA-256 of the token.', max_length=64, unique=True)),
                ('prefix', models.CharField(editable=False, help_text='By which its owner recognises it.', max_length=12)),
                ('created', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('expires', models.DateTimeField(help_text='Empty: never.', null=True)),
                ('last_used', models.DateTimeField(editable=False, help_text='To the minute.', null=True)),
                ('revoked', models.DateTimeField(editable=False, null=True)),
                ('task', models.ForeignKey(blank=True, help_text="Of a judge's token: the one task whose runs it scores, and all that it opens.", null=True, on_delete=django.db.models.deletion.CASCADE, related_name='judge_tokens', to='challenges.task')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='access_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'access token',
                'verbose_name_plural': 'access tokens',
                'ordering': ('-created',),
            },
        ),
    ]
