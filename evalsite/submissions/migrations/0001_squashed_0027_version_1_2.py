import django.core.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
import evalsite.base.file_names
import evalsite.submissions.models
import evalsite.translating.fields
import uuid
from django.conf import settings
from django.db import DatabaseError, migrations, models, transaction


def index_methods(apps, schema_editor):
    """For the search by parts of words, on PostgreSQL. Without the right to its extension the search is slow."""
    if schema_editor.connection.vendor != "postgresql":
        return
    try:
        with transaction.atomic(schema_editor.connection.alias):
            schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    except DatabaseError:
        return
    # UPPER(method::text) is what Django's icontains compares.
    schema_editor.execute(
        "CREATE INDEX IF NOT EXISTS submission_by_method ON submissions_submission "
        "USING gin (UPPER(method::text) gin_trgm_ops)"
    )


def drop_index_of_methods(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX IF EXISTS submission_by_method")


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("submissions", "0001_squashed_0018_longer_versions"),
        ("submissions", "0019_choices_names_of_files_and_reports"),
        ("submissions", "0020_squashed_0027_judgements"),
    ]

    dependencies = [
        ('accounts', '0001_squashed_0010_version_1_2'),
        ('challenges', '0001_squashed_0048_version_1_2'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ReceiptChain',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveBigIntegerField(default=0, help_text='Of the last link.')),
                ('head', models.CharField(help_text="The last link's.", max_length=64)),
                ('day', models.DateField(help_text='UTC.', null=True)),
            ],
        ),
        migrations.CreateModel(
            name='ReceiptDay',
            fields=[
                ('day', models.DateField(help_text='UTC.', primary_key=True, serialize=False)),
                ('number', models.PositiveBigIntegerField(help_text="Of the day's last link.")),
                ('head', models.CharField(max_length=64)),
            ],
            options={
                'ordering': ('-day',),
            },
        ),
        migrations.CreateModel(
            name='Scoring',
            fields=[
                ('lease', models.UUIDField(null=True)),
                ('lease_ends', models.DateTimeField(null=True)),
                ('not_before', models.DateTimeField(help_text='Until when it rests.', null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('enqueued', models.DateTimeField(help_text='When the broker was last told.', null=True)),
                ('started', models.DateTimeField(null=True, verbose_name='begun')),
                ('finished', models.DateTimeField(null=True, verbose_name='ended')),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('engine_version', models.CharField(max_length=60, verbose_name='version of the engine')),
                ('state', models.CharField(choices=[('queued', 'queued'), ('running', 'running'), ('scored', 'scored'), ('refused', 'refused'), ('failed', 'failed'), ('cancelled', 'cancelled')], default='queued', max_length=9, verbose_name='state')),
                ('step', models.CharField(blank=True, help_text='What the worker does: reading, matching, intervals.', max_length=20, verbose_name='step')),
                ('problems', evalsite.translating.fields.MessagesField(default=list, help_text='For the participant: why the file was refused.')),
                ('causes', evalsite.translating.fields.MessagesField(default=list, help_text='The same as its page tells them, with lines of the file.')),
                ('broke_limits', models.BooleanField(default=False, help_text='Refused because it wanted more time or memory than a scoring may have.')),
                ('error', evalsite.translating.fields.MessageField(blank=True, help_text='For the organiser: why we could not score it.')),
                ('fault', models.CharField(blank=True, choices=[('disk full', 'disk full'), ('storage away', 'storage away'), ('file missing', 'file missing'), ('file changed', 'file changed'), ('database away', 'database away'), ('broker away', 'broker away'), ('machine', 'machine'), ('engine crashed', 'engine crashed'), ('took too long', 'took too long'), ('worker died', 'worker died'), ('family missing', 'family missing'), ('gold broken', 'gold broken')], help_text='What keeps it from being scored, or why it has failed.', max_length=14, verbose_name='what went wrong')),
                ('rests', models.PositiveSmallIntegerField(default=0, help_text='How often a fault of the machine has sent it back; these are no attempts.')),
                ('awaits_judge', models.BooleanField(db_default=False, default=False, help_text='It is judged elsewhere, and the judge has posted no scores yet.', verbose_name='waits for the judge')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='queued')),
                ('gold', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='scorings', to='challenges.gold')),
                ('scenario', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='scorings', to='challenges.scenario', verbose_name='scenario')),
            ],
            options={
                'verbose_name': 'scoring',
                'verbose_name_plural': 'scorings',
                'ordering': ('scenario__number', '-created'),
            },
        ),
        migrations.CreateModel(
            name='Allowance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uploads', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)], verbose_name='extra uploads')),
                ('until', models.DateTimeField(blank=True, help_text='UTC. Empty: as long as the phase takes uploads.', null=True, verbose_name='until')),
                ('reason', models.CharField(help_text='The team reads it beside its uploads.', max_length=200, verbose_name='reason')),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('phase', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='allowances', to='challenges.phase')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='allowances', to='accounts.team')),
            ],
            options={
                'verbose_name': 'allowance',
                'verbose_name_plural': 'allowances',
                'ordering': ('created',),
            },
        ),
        migrations.CreateModel(
            name='KeptUpload',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(help_text='Of the file, or of the archive that the site has packed.', max_length=255, validators=[evalsite.base.file_names.require_plain_name])),
                ('names', models.JSONField(default=list, help_text='Of the files as they were chosen.')),
                ('is_packed_here', models.BooleanField(default=False)),
                ('size', models.PositiveBigIntegerField(help_text='Bytes, as announced.')),
                ('received', models.PositiveBigIntegerField(default=0, help_text='Bytes that are here.')),
                ('sha256', models.CharField(blank=True, help_text='Empty where the file came in parts.', max_length=64)),
                ('mark', models.CharField(blank=True, help_text='By which the sender knows the file again, such as its time of change.', max_length=100)),
                ('expires', models.DateTimeField(db_index=True)),
                ('phase', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='kept_uploads', to='challenges.phase')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='kept_uploads', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'kept upload',
                'verbose_name_plural': 'kept uploads',
                'ordering': ('-expires',),
            },
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('method', models.CharField(max_length=100, verbose_name='method')),
                ('description', models.TextField(blank=True, verbose_name='description')),
                ('link', models.URLField(blank=True, verbose_name='link')),
                ('affiliation', models.CharField(blank=True, db_default='', max_length=200, verbose_name='affiliation')),
                ('code', models.URLField(blank=True, db_default='', verbose_name='code')),
                ('is_contrastive', models.BooleanField(db_default=False, default=False, help_text='Made to compare with, beside the primary run of the team.', verbose_name='contrastive')),
                ('shows_description', models.BooleanField(db_default=False, default=False, help_text='Everybody reads it on the page of the entry, once the results are released.', verbose_name='description is public')),
                ('facts', models.JSONField(blank=True, db_default={}, default=dict, verbose_name='facts')),
                ('reference', models.CharField(blank=True, choices=[('', 'ranked'), ('baseline', 'baseline'), ('human', 'human'), ('trial', 'trial')], default='', help_text='Baselines and human runs stand outside the ranks, trials on no board.', max_length=8, verbose_name='reference')),
                ('is_late', models.BooleanField(default=False, help_text='It came after its phase had closed.', verbose_name='late')),
                ('is_reported', models.BooleanField(db_default=False, default=False, editable=False, help_text='The team has uploaded scores that were made elsewhere: they stand outside the ranks.', verbose_name='as the team says')),
                ('is_sample', models.BooleanField(db_default=False, default=False, editable=False, help_text='Its files are the sample that the site gives out, as it is.', verbose_name="the site's sample")),
                ('is_beyond_limit', models.BooleanField(db_default=False, default=False, help_text='It was brought into a team that had no place left for it, and does not compete.', verbose_name='beyond the limits')),
                ('file', models.FileField(upload_to=evalsite.submissions.models.submission_path)),
                ('file_name', models.CharField(max_length=255, validators=[evalsite.base.file_names.require_plain_name])),
                ('size', models.PositiveBigIntegerField(help_text='Bytes.', verbose_name='size')),
                ('sha256', models.CharField(max_length=64)),
                ('created', models.DateTimeField(help_text='When its last byte arrived.', verbose_name='arrived')),
                ('withdrawn', models.DateTimeField(blank=True, help_text='Since when it stands on no board.', null=True, verbose_name='withdrawn')),
                ('withdrawn_as', models.CharField(blank=True, choices=[('team', 'the team'), ('organisers', 'the organisers')], default='', help_text='What the organisers withdrew, they alone can restore.', max_length=10, verbose_name='withdrawn for')),
                ('withdrawn_reason', models.CharField(blank=True, default='', max_length=500, verbose_name='reason of the withdrawal')),
                ('allowance', models.ForeignKey(blank=True, editable=False, help_text='The allowance of which it is an upload, beyond the limits of the phase.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='submissions.allowance', verbose_name='extra upload of')),
                ('phase', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='challenges.phase', verbose_name='phase')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='accounts.team', verbose_name='team')),
                ('uploader', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='submissions', to=settings.AUTH_USER_MODEL)),
                ('withdrawn_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'submission',
                'verbose_name_plural': 'submissions',
                'ordering': ('-created',),
            },
        ),
        migrations.CreateModel(
            name='Judgement',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('file', models.FileField(upload_to=evalsite.submissions.models.judgement_path)),
                ('file_name', models.CharField(max_length=255, validators=[evalsite.base.file_names.require_plain_name])),
                ('sha256', models.CharField(max_length=64)),
                ('posted', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('gold', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='judgements', to='challenges.gold')),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judgements', to='submissions.submission')),
            ],
            options={
                'verbose_name': 'judgement',
                'verbose_name_plural': 'judgements',
            },
        ),
        migrations.CreateModel(
            name='Choice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('made', models.DateTimeField(default=django.utils.timezone.now)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('phase', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='choices', to='challenges.phase')),
                ('scenario', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='choices', to='challenges.scenario')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='choices', to='accounts.team')),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='choices', to='submissions.submission')),
            ],
            options={
                'verbose_name': 'choice',
                'verbose_name_plural': 'choices',
            },
        ),
        migrations.CreateModel(
            name='ReceiptLink',
            fields=[
                ('number', models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                ('day', models.DateField(help_text='UTC.')),
                ('digest', models.CharField(help_text="SHA-256 of the receipt's text.", max_length=64)),
                ('head', models.CharField(help_text='SHA-256 of the head of the link before and the digest.', max_length=64)),
            ],
            options={
                'indexes': [models.Index(fields=['day', 'number'], name='receipt_link_by_day')],
            },
        ),
        migrations.CreateModel(
            name='RefusedUploads',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('n', models.PositiveIntegerField(default=0)),
                ('last', models.DateTimeField(default=django.utils.timezone.now)),
                ('file_name', models.CharField(blank=True, max_length=255)),
                ('reason', evalsite.translating.fields.MessageField(blank=True, help_text='The first problem of the last one.')),
                ('phase', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='refused_uploads', to='challenges.phase')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='refused_uploads', to='accounts.team')),
            ],
            options={
                'verbose_name': 'refused uploads',
                'verbose_name_plural': 'refused uploads',
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('scoring', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='result', serialize=False, to='submissions.scoring')),
                ('headline', models.FloatField(null=True)),
                ('scores', evalsite.submissions.models.OrderedJSONField()),
                ('intervals', evalsite.submissions.models.OrderedJSONField()),
                ('interval_methods', evalsite.submissions.models.OrderedJSONField()),
                ('counts', evalsite.submissions.models.OrderedJSONField()),
                ('distribution', models.JSONField(help_text="Counts of the units' headline scores: charts.distribution.")),
                ('warnings', evalsite.translating.fields.MessagesField()),
                ('signature', models.TextField()),
                ('gold_digest', models.CharField(max_length=64)),
                ('is_folded', models.BooleanField(default=False, help_text='Whether tables by label have one row for all labels that the gold does not have.')),
                ('seed', models.DecimalField(decimal_places=0, help_text='Up to 64 bits.', max_digits=20, null=True)),
                ('n_units', models.PositiveIntegerField()),
                ('n_resamples', models.PositiveIntegerField()),
                ('confidence_level', models.FloatField()),
                ('evaluation', models.FileField(help_text='scoring.Evaluation, as saved by the engine.', upload_to=evalsite.submissions.models.evaluation_path)),
                ('created', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('thinned', models.DateTimeField(help_text='When the resamples were left out of its file, or found to be needed there.', null=True)),
                ('unthinned', models.FileField(blank=True, help_text='The file as it was before; it goes some days later.', upload_to='')),
            ],
            options={
                'verbose_name': 'result',
                'verbose_name_plural': 'results',
            },
        ),
        migrations.AddField(
            model_name='scoring',
            name='submission',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scorings', to='submissions.submission'),
        ),
        migrations.CreateModel(
            name='Target',
            fields=[
                ('phase', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='target', serialize=False, to='challenges.phase')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='submissions.submission')),
            ],
            options={
                'verbose_name': 'target',
                'verbose_name_plural': 'targets',
            },
        ),
        migrations.CreateModel(
            name='KeptPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('start', models.PositiveBigIntegerField(help_text='Bytes before it.')),
                ('file', models.FileField(upload_to="kept")),
                ('kept', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='submissions.keptupload')),
            ],
            options={
                'ordering': ('start',),
                'constraints': [models.UniqueConstraint(fields=('kept', 'start'), name='one_part_begins_at_a_byte')],
            },
        ),
        migrations.CreateModel(
            name='Receipt',
            fields=[
                ('submission', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='receipt', serialize=False, to='submissions.submission')),
                ('text', models.TextField(help_text='A line of JSON, to the letter as its digest was taken.')),
                ('link', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='receipt', to='submissions.receiptlink')),
            ],
            options={
                'verbose_name': 'receipt',
                'verbose_name_plural': 'receipts',
            },
        ),
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(fields=['phase', 'team', '-created'], name='submission_by_team'),
        ),
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(fields=['team', 'sha256'], name='submission_by_digest'),
        ),
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(fields=['-created', '-id'], name='submission_newest'),
        ),
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(fields=['phase', '-created'], name='submission_by_phase'),
        ),
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(condition=models.Q(('reference', ''), _negated=True), fields=['team'], name='submission_references'),
        ),
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(condition=models.Q(('withdrawn__isnull', False)), fields=['-created'], name='submission_withdrawn'),
        ),
        migrations.AddConstraint(
            model_name='judgement',
            constraint=models.UniqueConstraint(fields=('submission', 'gold'), name='one_judgement_of_a_run_on_a_gold'),
        ),
        migrations.AddConstraint(
            model_name='choice',
            constraint=models.UniqueConstraint(fields=('scenario', 'submission'), name='a_run_is_chosen_once_on_a_board'),
        ),
        migrations.AddConstraint(
            model_name='refuseduploads',
            constraint=models.UniqueConstraint(fields=('phase', 'team'), name='refused_once'),
        ),
        migrations.CreateModel(
            name='Fingerprint',
            fields=[
                ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='fingerprint', serialize=False, to='submissions.result')),
                ('same', models.BinaryField(help_text='Equal for runs with the same counts in all units.', max_length=8)),
                ('least', models.BinaryField(help_text='Of runs that share most of their mistakes most is equal.')),
                ('n_mistakes', models.PositiveIntegerField(help_text='Units in which something is wrong.')),
            ],
        ),
        migrations.CreateModel(
            name='ResultTables',
            fields=[
                ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='stored_tables', serialize=False, to='submissions.result')),
                ('tables', evalsite.submissions.models.PackedJSONField(help_text='By name the records of each table.')),
                ('intervals', evalsite.submissions.models.PackedJSONField(help_text='For each record of a table the intervals of its columns.')),
            ],
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(condition=models.Q(('thinned__isnull', True)), fields=['created'], name='result_with_draws'),
        ),
        migrations.AddIndex(
            model_name='result',
            index=models.Index(condition=models.Q(('unthinned', ''), _negated=True), fields=['thinned'], name='result_unthinned'),
        ),
        migrations.AddIndex(
            model_name='scoring',
            index=models.Index(fields=['state', 'created'], name='scoring_by_state'),
        ),
        migrations.AddIndex(
            model_name='scoring',
            index=models.Index(condition=models.Q(('state', 'scored')), fields=['finished', 'started'], name='scoring_finished'),
        ),
        migrations.AddIndex(
            model_name='scoring',
            index=models.Index(condition=models.Q(('state', 'scored'), _negated=True), fields=['submission', 'scenario', 'gold', 'state'], name='scoring_not_scored'),
        ),
        migrations.AddIndex(
            model_name='scoring',
            index=models.Index(condition=models.Q(('state', 'running')), fields=['lease_ends'], name='scoring_lease_ends'),
        ),
        migrations.AddIndex(
            model_name='scoring',
            index=models.Index(fields=['started'], name='scoring_started'),
        ),
        migrations.AddIndex(
            model_name='scoring',
            index=models.Index(condition=models.Q(('started__isnull', False)), fields=['enqueued'], name='scoring_taken'),
        ),
        migrations.AddIndex(
            model_name='scoring',
            index=models.Index(condition=models.Q(('fault', ''), _negated=True), fields=['fault', 'state'], name='scoring_by_fault'),
        ),
        migrations.AddIndex(
            model_name='scoring',
            index=models.Index(condition=models.Q(('awaits_judge', True), ('state', 'queued')), fields=['gold', 'created'], name='scoring_awaits_judge'),
        ),
        migrations.AddConstraint(
            model_name='scoring',
            constraint=models.UniqueConstraint(fields=('submission', 'scenario', 'gold', 'engine_version'), name='one_scoring_per_version'),
        ),
        migrations.AddConstraint(
            model_name='scoring',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'running'), _negated=True), ('lease__isnull', False), _connector='OR'), name='a_running_scoring_has_a_lease'),
        ),
        migrations.AddField(
            model_name='fingerprint',
            name='gold',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='challenges.gold'),
        ),
        migrations.RunPython(index_methods, drop_index_of_methods),
    ]
