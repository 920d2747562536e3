import datetime
import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import evalsite.accounts.models
import evalsite.base.file_names
import evalsite.challenges.models.base
import evalsite.challenges.models.gold
import evalsite.challenges.models.scenarios
import evalsite.challenges.models.tasks
import evalsite.challenges.models.texts
import evalsite.translating.fields
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("challenges", "0001_squashed_0026_kept_resamples"),
        ("challenges", "0027_choices_names_of_files_and_reports"),
        ("challenges", "0028_revisions_of_tasks"),
        ("challenges", "0029_messages_as_data"),
        ("challenges", "0030_former_closings"),
        ("challenges", "0031_squashed_0048_entered_with"),
    ]

    dependencies = [
        ('accounts', '0001_squashed_0010_version_1_2'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Phase',
            fields=[
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('slug', models.SlugField(help_text="The phase's place in addresses, such as test.", verbose_name='slug')),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('description', models.TextField(blank=True, help_text='Markdown.', verbose_name='description')),
                ('opens', models.DateTimeField(help_text='UTC.', verbose_name='opens')),
                ('closes', models.DateTimeField(blank=True, help_text='UTC. Empty: stays open.', null=True, verbose_name='closes')),
                ('late_until', models.DateTimeField(blank=True, help_text='UTC. After the phase has closed, uploads are taken until then, and marked as late.', null=True, verbose_name='late uploads until')),
                ('ranks_late', models.BooleanField(default=False, help_text='Off: boards show them outside the ranks. Marked as late they are either way.', verbose_name='late runs are ranked')),
                ('counts', models.CharField(choices=[('best', 'the best one'), ('last', 'the last one'), ('chosen', 'the one that the team chooses'), ('two', 'the better of up to two that the team chooses')], default='best', help_text='The run that boards show of a team. Of a team that chose none it is the last one.', max_length=6, verbose_name='what counts')),
                ('counts_is_usual', models.BooleanField(db_default=False, default=False, editable=False, help_text='Nobody has chosen what counts: it follows what teams see, until the first run comes.')),
                ('window_limit', models.PositiveIntegerField(blank=True, default=5, help_text='Per team. Empty: no limit, as where the gold is released; hidden gold could be read by many runs.', null=True, verbose_name='uploads per window')),
                ('window', models.DurationField(default=datetime.timedelta(days=1), help_text='Rolling window of the limit.', verbose_name='window')),
                ('year_limit', models.PositiveIntegerField(blank=True, help_text='Per team. Empty: no limit.', null=True, verbose_name='uploads a year')),
                ('year', models.CharField(choices=[('calendar', 'calendar year (UTC)'), ('rolling', '365 days, at any time')], db_default='calendar', default='calendar', max_length=8, verbose_name='year of the limit')),
                ('total_limit', models.PositiveIntegerField(blank=True, help_text='Per team. Empty: no limit.', null=True, verbose_name='uploads in total')),
                ('upload_megabytes', models.PositiveIntegerField(blank=True, help_text='The most that one upload may have, where 1 MB is 1,024 kB. Empty: what the site usually takes. Browsers send larger files in parts, and go on after a broken line.', null=True, validators=[django.core.validators.MinValueValidator(1)], verbose_name='MB of an upload')),
                ('board_audience', models.CharField(choices=[('organisers', 'organisers'), ('participants', 'participants'), ('everybody', 'everybody')], default='everybody', max_length=12, verbose_name='board is seen by')),
                ('is_anonymous', models.BooleanField(default=False, help_text="The board says Team 7 instead of the team's name.", verbose_name='anonymous names')),
                ('shows_scores', models.BooleanField(default=True, help_text='Off: nobody but the organisers sees a score, on boards neither, until the results are released.', verbose_name='teams see their own scores')),
                ('is_ladder', models.BooleanField(db_default=False, default=False, help_text="Of a run its team is told a rounded score if it is better than the team's best beyond noise, and nothing else, until the results are released.", verbose_name='Ladder')),
                ('gold_released', models.BooleanField(default=False, help_text='The gold may be downloaded by everybody, as in a development phase.', verbose_name='gold released')),
                ('members_only', models.BooleanField(db_default=False, default=False, help_text='The data of the phase are for teams that take part: starter kit, samples, checks and, once it is released, the gold.', verbose_name='members only')),
                ('gold_released_since', models.DateTimeField(editable=False, help_text='Empty: from the beginning, where the gold is released at all.', null=True)),
                ('gold_due', models.DateTimeField(blank=True, help_text='UTC. When the gold is released by itself; empty once it is released.', null=True, verbose_name='gold is released at')),
                ('results_released', models.DateTimeField(blank=True, help_text='UTC. From then on everybody sees the board, with real names.', null=True, verbose_name='results released')),
                ('is_paused', models.BooleanField(default=False, help_text='Takes no submissions for the moment.', verbose_name='paused')),
                ('pause_reason', models.CharField(blank=True, help_text="Participants read it on the task's page.", max_length=200, verbose_name='reason of the pause')),
                ('is_former_season', models.BooleanField(db_default=False, default=False, editable=False, help_text="A later phase goes on from it: the task's page lists its board among former seasons.", verbose_name='former season')),
                ('former_closings', models.JSONField(default=list, editable=False, encoder=django.core.serializers.json.DjangoJSONEncoder, help_text='Closings that were public before they were moved: a list of [closing, moved on].')),
                ('created', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'verbose_name': 'phase',
                'verbose_name_plural': 'phases',
                'ordering': ('task', 'opens'),
            },
        ),
        migrations.CreateModel(
            name='Scenario',
            fields=[
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(1)], verbose_name='number')),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('description', models.TextField(blank=True, help_text='Markdown.', verbose_name='description')),
                ('family', models.CharField(choices=evalsite.challenges.models.scenarios.family_choices, max_length=30, verbose_name='family')),
                ('options', models.JSONField(blank=True, default=dict, help_text='The family\'s options, such as {"scenario": "1"}.', verbose_name='options')),
                ('shown_scores', models.JSONField(blank=True, default=list, help_text="Names of the scores on the board, in order; empty: the family's choice.", verbose_name='shown scores')),
                ('digits', models.CharField(blank=True, choices=[('2', '2 decimals, 0.64'), ('3', '3 decimals, 0.639'), ('4', '4 decimals, 0.6394'), ('percent1', 'per cent with 1 decimal, 63.9 %'), ('percent2', 'per cent with 2 decimals, 63.94 %'), ('interval', 'as many as their intervals tell')], help_text='How scores are written on pages; downloads have them in full.', max_length=10, verbose_name='digits of scores')),
                ('takes_reports', models.BooleanField(db_default=False, default=False, help_text='For scores made elsewhere. Off: the organisers bring them, and nobody else uploads. On: what teams report stands on boards as the team says, outside the ranks and all tests.', verbose_name='participants report scores of their own')),
                ('is_judged', models.BooleanField(db_default=False, default=False, help_text='For scores made elsewhere. On: participants upload the output of their systems, which waits until a judge that the organisers run has posted its scores.', verbose_name='judged elsewhere')),
                ('judge_days', models.PositiveSmallIntegerField(db_default=3, default=3, help_text='Of runs that wait longer for the judge the organisers are told.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(365)], verbose_name='days until a run without scores is reported')),
                ('use', models.CharField(blank=True, editable=False, help_text='Key of the use that the organiser chose: several of a family may have the same options.', max_length=60, verbose_name='what systems do')),
            ],
            options={
                'verbose_name': 'scenario',
                'verbose_name_plural': 'scenarios',
                'ordering': ('task', 'number'),
            },
        ),
        migrations.CreateModel(
            name='GoldSplit',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('way', models.CharField(choices=[('share', 'at random'), ('list', 'by a list of units')], max_length=5)),
                ('percent', models.PositiveSmallIntegerField(help_text='That were to be shown, at random.', null=True)),
                ('seed', models.PositiveBigIntegerField(help_text='From which that follows.', null=True)),
                ('separator', models.CharField(blank=True, help_text='Units whose names are the same before its last occurrence stay together.', max_length=10)),
                ('names', models.JSONField(help_text='Of all units, in the order of the gold.')),
                ('shown', models.JSONField(help_text='Places of the shown units among these, ascending, from 0.')),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('phase', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gold_splits', to='challenges.phase')),
                ('scenario', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gold_splits', to='challenges.scenario')),
            ],
            options={
                'verbose_name': 'split of gold',
                'verbose_name_plural': 'splits of gold',
            },
        ),
        migrations.CreateModel(
            name='Organiser',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('organiser', 'Organiser'), ('viewer', 'Viewer')], default='organiser', max_length=10, verbose_name='role')),
                ('added', models.DateTimeField(auto_now_add=True, verbose_name='added')),
                ('added_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='added by')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='organiser_rows', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'verbose_name': 'organiser',
                'verbose_name_plural': 'organisers',
                'ordering': ('added', 'pk'),
            },
        ),
        migrations.AddField(
            model_name='phase',
            name='decided_by',
            field=models.ForeignKey(blank=True, help_text='The board that says who is first in the task, where it has several.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='challenges.scenario', verbose_name='decided by'),
        ),
        migrations.CreateModel(
            name='Task',
            fields=[
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('slug', models.SlugField(help_text="The task's place in addresses: /tasks/<slug>/", unique=True, verbose_name='slug')),
                ('title', models.CharField(max_length=200, verbose_name='title')),
                ('summary', models.CharField(help_text='One sentence for the list of tasks.', max_length=300, verbose_name='summary')),
                ('description', models.TextField(blank=True, help_text='Markdown.', verbose_name='description')),
                ('language', models.CharField(blank=True, help_text='Of title, summary and descriptions, as a tag such as en or es; empty: not known.', max_length=35, validators=[django.core.validators.RegexValidator('\\A[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}\\Z', "Write a language's tag, such as en, es or zh-Hant.")], verbose_name='language')),
                ('data_language', models.CharField(blank=True, help_text='Of the texts that are annotated, such as es, or en de es for several; empty: not known. With several, each scenario takes the one that its folder or rows are named after.', max_length=200, validators=[evalsite.challenges.models.tasks.language_tags], verbose_name='languages of the data')),
                ('contact', models.EmailField(blank=True, help_text='Where participants can ask.', max_length=254, verbose_name='contact')),
                ('is_published', models.BooleanField(default=False, help_text='Unpublished tasks are seen by organisers only.', verbose_name='is published')),
                ('publish_at', models.DateTimeField(blank=True, help_text='UTC. From then on everybody sees the task, without anybody doing anything.', null=True, verbose_name='published at')),
                ('zone', models.CharField(default='UTC', help_text='In which the organisers type times, such as AoE or Europe/Madrid.', max_length=64, verbose_name='time zone')),
                ('is_class', models.BooleanField(db_default=False, default=False, help_text="Everybody sees their own scores alone, at any time: boards, names and entries are the organisers'.", verbose_name='a class')),
                ('members_frozen', models.DateTimeField(blank=True, help_text='UTC. From then on nobody joins or leaves a team that has entered; empty: never.', null=True, verbose_name='members frozen from')),
                ('archived', models.DateTimeField(editable=False, help_text='Since then it stands in the archive, is read as before, and takes no uploads.', null=True, verbose_name='archived')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('revision', evalsite.challenges.models.base.Counter(db_default=0, default=0, editable=False)),
                ('news', evalsite.challenges.models.base.Counter(db_default=0, default=0, editable=False)),
                ('house', models.OneToOneField(editable=False, help_text="Whose the organisers' own runs are; it takes no part. None before there is one.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='house_of', to='accounts.team', verbose_name='house team')),
                ('organisers', models.ManyToManyField(related_name='organised_tasks', through='challenges.Organiser', through_fields=('task', 'user'), to=settings.AUTH_USER_MODEL, verbose_name='organisers')),
            ],
            options={
                'verbose_name': 'task',
                'verbose_name_plural': 'tasks',
                'ordering': ('title',),
            },
        ),
        migrations.AddField(
            model_name='scenario',
            name='task',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scenarios', to='challenges.task', verbose_name='task'),
        ),
        migrations.CreateModel(
            name='Picture',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=60, validators=[evalsite.base.file_names.require_plain_name], verbose_name='name')),
                ('file', models.FileField(upload_to=evalsite.challenges.models.texts.picture_path, verbose_name='file')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pictures', to='challenges.task')),
            ],
            options={
                'verbose_name': 'picture',
                'verbose_name_plural': 'pictures',
                'ordering': ('task', 'name'),
            },
        ),
        migrations.AddField(
            model_name='phase',
            name='task',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='phases', to='challenges.task', verbose_name='task'),
        ),
        migrations.CreateModel(
            name='Participation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('banned', models.DateTimeField(editable=False, help_text='Since when the team uploads nothing and stands on no board; empty: it takes part.', null=True, verbose_name='banned')),
                ('ban_reason', models.CharField(blank=True, db_default='', default='', editable=False, help_text='The team reads it.', max_length=500, verbose_name='reason of the ban')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='participations', to='accounts.team', verbose_name='team')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='participations', to='challenges.task', verbose_name='task')),
            ],
            options={
                'verbose_name': 'participation',
                'verbose_name_plural': 'participations',
            },
        ),
        migrations.CreateModel(
            name='Page',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('position', models.PositiveSmallIntegerField(default=0, editable=False)),
                ('title', models.CharField(max_length=100, verbose_name='title')),
                ('slug', models.SlugField(blank=True, verbose_name='slug')),
                ('text', models.TextField(blank=True, help_text='Markdown.', verbose_name='text')),
                ('members_only', models.BooleanField(db_default=False, default=False, help_text='Others read its title alone; pictures in it stay open to everybody.', verbose_name='members only')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pages', to='challenges.task')),
            ],
            options={
                'verbose_name': 'page',
                'verbose_name_plural': 'pages',
                'ordering': ('task', 'position', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='OrganiserInvitation',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('email', models.EmailField(max_length=254, verbose_name='e-mail address')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('organiser', 'Organiser'), ('viewer', 'Viewer')], max_length=10, verbose_name='role')),
                ('secret', models.CharField(default=evalsite.accounts.models.new_invitation, max_length=64, unique=True)),
                ('sent', models.DateTimeField(default=django.utils.timezone.now, verbose_name='sent')),
                ('sent_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='organiser_invitations', to='challenges.task')),
            ],
            options={
                'verbose_name': 'invitation to organise',
                'verbose_name_plural': 'invitations to organise',
                'ordering': ('sent',),
            },
        ),
        migrations.AddField(
            model_name='organiser',
            name='task',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='organiser_rows', to='challenges.task', verbose_name='task'),
        ),
        migrations.CreateModel(
            name='FormerParticipation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('former', models.UUIDField()),
                ('name', models.CharField(max_length=100)),
                ('number', models.PositiveIntegerField()),
                ('is_merged', models.BooleanField(db_default=False, default=False, help_text='By the organisers: the former team does not enter the task again.', verbose_name='merged')),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_participations', to='accounts.team')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_participations', to='challenges.task')),
            ],
            options={
                'verbose_name': 'former participation',
                'verbose_name_plural': 'former participations',
            },
        ),
        migrations.CreateModel(
            name='FormerAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField()),
                ('page', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='former_addresses', to='challenges.page')),
                ('phase', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='former_addresses', to='challenges.phase')),
                ('scenario', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='former_addresses', to='challenges.scenario')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_addresses', to='challenges.task')),
            ],
            options={
                'verbose_name': 'former address',
                'verbose_name_plural': 'former addresses',
            },
        ),
        migrations.CreateModel(
            name='FactSheet',
            fields=[
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('own', models.JSONField(blank=True, default=list, verbose_name='fields')),
                ('edited_until', models.DateTimeField(blank=True, null=True, verbose_name='edited until')),
                ('task', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='fact_sheet', to='challenges.task')),
            ],
            options={
                'verbose_name': 'fact sheet',
                'verbose_name_plural': 'fact sheets',
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40, verbose_name='kind')),
                ('subject', models.UUIDField(help_text='The submission, scoring, gold, phase or team that it is about.', null=True, verbose_name='subject')),
                ('detail', models.JSONField(default=dict, verbose_name='detail')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('actor', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='actor')),
                ('team', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='events', to='accounts.team', verbose_name='team')),
                ('task', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='events', to='challenges.task', verbose_name='task')),
            ],
            options={
                'verbose_name': 'event',
                'verbose_name_plural': 'events',
                'ordering': ('-created', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='EntryRules',
            fields=[
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('way', models.CharField(choices=[('open', 'everybody'), ('link', 'anyone with the link'), ('listed', 'people with a listed address or domain'), ('approval', 'teams that the organisers approve')], default='open', max_length=10, verbose_name='who may enter')),
                ('secret', models.CharField(default=evalsite.accounts.models.new_invitation, editable=False, max_length=64, unique=True)),
                ('listed', models.TextField(blank=True, verbose_name='addresses and domains')),
                ('closes', models.DateTimeField(blank=True, null=True, verbose_name='entries close')),
                ('terms', models.TextField(blank=True, help_text='Markdown.', verbose_name='terms')),
                ('terms_version', models.PositiveIntegerField(default=0, editable=False)),
                ('questions', models.JSONField(blank=True, default=list, verbose_name='questions')),
                ('entered_with', models.ForeignKey(blank=True, help_text='Whoever enters that task by its form enters this one too.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rules_of_series', to='challenges.task', verbose_name='entered with')),
                ('task', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='entry_rules', to='challenges.task')),
            ],
            options={
                'verbose_name': 'rules of entering',
                'verbose_name_plural': 'rules of entering',
            },
        ),
        migrations.CreateModel(
            name='Download',
            fields=[
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('title', models.CharField(max_length=150, verbose_name='title')),
                ('description', models.CharField(blank=True, max_length=300, verbose_name='description')),
                ('file', models.FileField(upload_to=evalsite.challenges.models.texts.download_path, verbose_name='file')),
                ('file_name', models.CharField(blank=True, db_default='', default='', editable=False, max_length=255, validators=[evalsite.base.file_names.require_plain_name], verbose_name='name of the file')),
                ('available_from', models.DateTimeField(default=django.utils.timezone.now, help_text='UTC. Hidden before.', verbose_name='available from')),
                ('members_only', models.BooleanField(db_default=False, default=False, help_text='Others read its title alone.', verbose_name='members only')),
                ('phase', models.ForeignKey(blank=True, help_text='Whose starter kit has the file. Without a phase all of them have it.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='downloads', to='challenges.phase', verbose_name='phase')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='downloads', to='challenges.task')),
            ],
            options={
                'verbose_name': 'download',
                'verbose_name_plural': 'downloads',
                'ordering': ('task', 'available_from', 'title'),
            },
        ),
        migrations.CreateModel(
            name='Application',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('answers', models.JSONField(blank=True, default=dict, verbose_name='answers')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('accepted', 'accepted'), ('declined', 'declined')], max_length=10, verbose_name='state')),
                ('reason', models.CharField(blank=True, max_length=300, verbose_name='reason')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='applications', to='accounts.team', verbose_name='team')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='user')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='applications', to='challenges.task', verbose_name='task')),
            ],
            options={
                'verbose_name': 'application',
                'verbose_name_plural': 'applications',
                'ordering': ('created', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('version', models.PositiveIntegerField(default=1, editable=False)),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('title', models.CharField(max_length=150, verbose_name='title')),
                ('text', models.TextField(blank=True, help_text='Markdown.', verbose_name='text')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('changed', models.DateTimeField(auto_now=True, verbose_name='changed')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='announcements', to='challenges.task')),
            ],
            options={
                'verbose_name': 'announcement',
                'verbose_name_plural': 'announcements',
                'ordering': ('-created',),
            },
        ),
        migrations.CreateModel(
            name='Agreement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(verbose_name='version')),
                ('text', models.TextField(verbose_name='text')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='agreements', to='accounts.team', verbose_name='team')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='user')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='agreements', to='challenges.task', verbose_name='task')),
            ],
            options={
                'verbose_name': 'agreement',
                'verbose_name_plural': 'agreements',
                'ordering': ('created', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='TeamNumber',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('team', models.UUIDField(help_text='Key of a team, which may be there no more.')),
                ('number', models.PositiveIntegerField()),
                ('phase', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='team_numbers', to='challenges.phase')),
            ],
            options={
                'verbose_name': 'number of a team',
                'verbose_name_plural': 'numbers of teams',
            },
        ),
        migrations.CreateModel(
            name='WaitingGold',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('file', models.FileField(upload_to=evalsite.challenges.models.gold.waiting_gold_path)),
                ('file_name', models.CharField(help_text="As the organiser's own; formats are told by it.", max_length=255, validators=[evalsite.base.file_names.require_plain_name])),
                ('note', models.CharField(blank=True, max_length=200)),
                ('remarks', evalsite.translating.fields.MessagesField(help_text='What looks odd: a list of [heading, list of texts].')),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('phase', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='waiting_golds', to='challenges.phase')),
                ('scenarios', models.ManyToManyField(help_text='Those that it is for.', related_name='+', to='challenges.scenario')),
            ],
            options={
                'verbose_name': 'waiting gold',
                'verbose_name_plural': 'waiting gold',
            },
        ),
        migrations.CreateModel(
            name='Gold',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('version', models.PositiveIntegerField(validators=[django.core.validators.MaxValueValidator(10000)], verbose_name='version')),
                ('file', models.FileField(upload_to=evalsite.challenges.models.gold.gold_path, verbose_name='file')),
                ('file_name', models.CharField(blank=True, db_default='', default='', help_text="As the organiser's own; formats are told by it.", max_length=255, validators=[evalsite.base.file_names.require_plain_name], verbose_name='name of the file')),
                ('sha256', models.CharField(max_length=64)),
                ('digest', models.CharField(blank=True, help_text="The engine's, of the scenario's files alone: equal for the same gold in another archive. Empty for gold of before this was kept.", max_length=64)),
                ('note', models.CharField(blank=True, help_text='What changed, for the record.', max_length=200, verbose_name='note')),
                ('n_units', models.PositiveIntegerField(help_text='Sentences, documents, questions: what intervals are drawn from; those of its part.', verbose_name='number of units')),
                ('n_other_units', models.PositiveIntegerField(db_default=0, default=0, editable=False, help_text='Of the other part of the same file; 0 of a whole gold.')),
                ('part', models.CharField(blank=True, choices=[('', 'whole'), ('shown', 'shown part'), ('ranked', 'ranked part')], db_default='', default='', editable=False, help_text='Of whose units its results tell.', max_length=6, verbose_name='part')),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('state', models.CharField(choices=[('candidate', 'candidate'), ('held', 'held until the end'), ('published', 'published'), ('discarded', 'discarded')], default='published', max_length=9, verbose_name='state')),
                ('published', models.DateTimeField(blank=True, null=True, verbose_name='published')),
                ('public_note', models.CharField(blank=True, help_text='What changed, as the board says it.', max_length=200, verbose_name='public note')),
                ('judge_name', models.CharField(blank=True, db_default='', help_text='Whose scores count on this gold, where runs are judged elsewhere.', max_length=60, verbose_name='judge')),
                ('judge_version', models.CharField(blank=True, db_default='', help_text='Another version is a candidate, as other gold is.', max_length=60, verbose_name='version of the judge')),
                ('engine', models.CharField(blank=True, help_text='The one whose results count on this gold; empty until there is a result.', max_length=60, verbose_name='version of the engine')),
                ('engine_since', models.DateTimeField(blank=True, help_text='When it was published.', null=True)),
                ('engine_note', models.CharField(blank=True, help_text='What another engine has changed, as the board says it.', max_length=200)),
                ('keeps', models.JSONField(blank=True, default=dict, editable=False, help_text='Scores whose resamples its evaluations keep, and their seed, since the combined score of the phase needs them: {"scores": […], "seed": …}.')),
                ('candidate_engine', models.CharField(blank=True, help_text='Another one, whose results lie beside until they are published.', max_length=60, verbose_name='candidate version of the engine')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='created by')),
                ('published_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='published by')),
                ('split', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='golds', to='challenges.goldsplit', verbose_name='split')),
                ('phase', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='golds', to='challenges.phase', verbose_name='phase')),
                ('scenario', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='golds', to='challenges.scenario', verbose_name='scenario')),
            ],
            options={
                'verbose_name': 'gold',
                'verbose_name_plural': 'gold',
                'ordering': ('phase', 'scenario', '-version'),
                'constraints': [models.UniqueConstraint(fields=('phase', 'scenario', 'version'), name='gold_version_in_phase_and_scenario'), models.UniqueConstraint(condition=models.Q(('state', 'candidate')), fields=('phase', 'scenario'), name='one_candidate_in_phase_and_scenario')],
            },
        ),
        migrations.CreateModel(
            name='Student',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('email', models.EmailField(max_length=254, verbose_name='e-mail address')),
                ('name', models.CharField(max_length=150, verbose_name='name')),
                ('number', models.CharField(blank=True, max_length=50, verbose_name='student number')),
                ('invited', models.DateTimeField(editable=False, help_text='When the one mail was queued.', null=True, verbose_name='invited')),
                ('task', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='students', to='challenges.task', verbose_name='task')),
            ],
            options={
                'verbose_name': 'student',
                'verbose_name_plural': 'students',
                'ordering': ('name', 'email'),
                'constraints': [models.UniqueConstraint(fields=('task', 'email'), name='one_line_of_a_student')],
            },
        ),
        migrations.AddConstraint(
            model_name='scenario',
            constraint=models.UniqueConstraint(fields=('task', 'number'), name='scenario_number_in_task'),
        ),
        migrations.AddConstraint(
            model_name='picture',
            constraint=models.UniqueConstraint(fields=('task', 'name'), name='picture_name_in_task'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.UniqueConstraint(fields=('task', 'slug'), name='phase_slug_in_task'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('closes__isnull', True), ('closes__gt', models.F('opens')), _connector='OR'), name='phase_closes_after_it_opens'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('late_until__isnull', True), ('late_until__gt', models.F('closes')), _connector='OR'), name='late_uploads_end_after_the_phase'),
        ),
        migrations.AddConstraint(
            model_name='participation',
            constraint=models.UniqueConstraint(fields=('task', 'team'), name='one_participation_per_team'),
        ),
        migrations.AddConstraint(
            model_name='participation',
            constraint=models.UniqueConstraint(fields=('task', 'number'), name='participation_number_in_task'),
        ),
        migrations.AddConstraint(
            model_name='page',
            constraint=models.UniqueConstraint(fields=('task', 'slug'), name='page_slug_in_task'),
        ),
        migrations.AddConstraint(
            model_name='organiserinvitation',
            constraint=models.UniqueConstraint(fields=('task', 'email'), name='one_invitation_per_address'),
        ),
        migrations.AddConstraint(
            model_name='organiser',
            constraint=models.UniqueConstraint(fields=('task', 'user'), name='one_role_per_task'),
        ),
        migrations.AddConstraint(
            model_name='formerparticipation',
            constraint=models.UniqueConstraint(fields=('task', 'number'), name='former_number_in_task'),
        ),
        migrations.AddConstraint(
            model_name='formeraddress',
            constraint=models.UniqueConstraint(condition=models.Q(('page', None), ('phase', None), ('scenario', None)), fields=('slug',), name='former_address_of_one_task'),
        ),
        migrations.AddConstraint(
            model_name='formeraddress',
            constraint=models.UniqueConstraint(condition=models.Q(('phase__isnull', False)), fields=('task', 'slug'), name='former_address_of_one_phase'),
        ),
        migrations.AddConstraint(
            model_name='formeraddress',
            constraint=models.UniqueConstraint(condition=models.Q(('page__isnull', False)), fields=('task', 'slug'), name='former_address_of_one_page'),
        ),
        migrations.AddConstraint(
            model_name='formeraddress',
            constraint=models.UniqueConstraint(condition=models.Q(('scenario__isnull', False)), fields=('task', 'slug'), name='former_address_of_one_scenario'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['task', '-created'], name='event_by_task'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['-created', '-id'], name='event_newest'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['kind', '-created', '-id'], name='event_by_kind'),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=models.UniqueConstraint(fields=('task', 'team'), name='one_application_per_team'),
        ),
        migrations.AddConstraint(
            model_name='agreement',
            constraint=models.UniqueConstraint(fields=('task', 'team', 'version'), name='one_agreement_per_version'),
        ),
        migrations.AddConstraint(
            model_name='teamnumber',
            constraint=models.UniqueConstraint(fields=('phase', 'team'), name='one_number_of_team_in_phase'),
        ),
        migrations.AddConstraint(
            model_name='teamnumber',
            constraint=models.UniqueConstraint(fields=('phase', 'number'), name='team_number_in_phase'),
        ),
    ]
