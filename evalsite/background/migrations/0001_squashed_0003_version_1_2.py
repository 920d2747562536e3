import django.db.models.deletion
import evalsite.background.models
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("background", "0001_squashed_0002_results_of_jobs"),
        ("background", "0003_mails_are_jobs"),
    ]

    dependencies = [
        ('challenges', '0001_squashed_0048_version_1_2'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Job',
            fields=[
                ('lease', models.UUIDField(null=True)),
                ('lease_ends', models.DateTimeField(null=True)),
                ('not_before', models.DateTimeField(help_text='Until when it rests.', null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('enqueued', models.DateTimeField(help_text='When the broker was last told.', null=True)),
                ('started', models.DateTimeField(null=True, verbose_name='begun')),
                ('finished', models.DateTimeField(null=True, verbose_name='ended')),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(help_text='By which its handler is known.', max_length=30, verbose_name='kind')),
                ('subject', models.UUIDField(help_text='What it is about, such as a gold.', null=True)),
                ('arguments', models.JSONField(default=dict)),
                ('result', models.JSONField(default=dict, help_text='What it has to tell when it is done, and on the way there.')),
                ('state', models.CharField(choices=[('queued', 'queued'), ('running', 'running'), ('done', 'done'), ('failed', 'failed')], default='queued', max_length=7, verbose_name='state')),
                ('asked', models.PositiveIntegerField(default=1, help_text='How often it was asked for before it had ended.')),
                ('done', models.PositiveIntegerField(default=0, verbose_name='done')),
                ('total', models.PositiveIntegerField(default=0, verbose_name='of')),
                ('file', models.FileField(blank=True, upload_to=evalsite.background.models.job_path, verbose_name='file')),
                ('error', models.TextField(blank=True, verbose_name='error')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='made by')),
                ('task', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to='challenges.task', verbose_name='task')),
            ],
            options={
                'verbose_name': 'job',
                'verbose_name_plural': 'jobs',
                'ordering': ('-created',),
                'indexes': [models.Index(condition=models.Q(('state__in', ('queued', 'running'))), fields=['created'], name='active_job'), models.Index(fields=['kind', 'subject', '-created'], name='job_by_subject')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ('queued', 'running'))), fields=('kind', 'subject'), name='one_active_job'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'running'), _negated=True), ('lease__isnull', False), _connector='OR'), name='a_running_job_has_a_lease')],
            },
        ),
    ]
