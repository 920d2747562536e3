import django.db.models.deletion
import evalsite.leaderboard.models
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("leaderboard", "0001_squashed_0013_longer_versions"),
        ("leaderboard", "0014_boards_that_lack_files"),
        ("leaderboard", "0015_predecessors_reports_and_counts_of_comparisons"),
        ("leaderboard", "0016_one_lease"),
        ("leaderboard", "0017_board_lease"),
        ("leaderboard", "0018_combined_boards_as_other_boards"),
        ("leaderboard", "0019_squashed_0020_imported_tables"),
    ]

    dependencies = [
        ('accounts', '0001_squashed_0010_version_1_2'),
        ('challenges', '0001_squashed_0048_version_1_2'),
        ('submissions', '0001_squashed_0027_version_1_2'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Combined',
            fields=[
                ('phase', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='combined', serialize=False, to='challenges.phase')),
                ('kind', models.CharField(choices=[('formula', 'a formula over scores'), ('ranks', 'the mean of the ranks in all scenarios')], default='formula', max_length=7, verbose_name='what is combined')),
                ('formula', models.CharField(blank=True, help_text='Such as mean(*.f1), the mean of a score over all scenarios. Other functions are hmean, gmean, min and max.', max_length=1000, verbose_name='formula')),
                ('lower_is_better', models.BooleanField(default=False, help_text='Of the formula as a whole.', verbose_name='less is better')),
                ('missing', models.CharField(choices=[('unranked', 'is listed without a place'), ('last', 'counts as the worst there: a score of 0, or the last rank')], default='unranked', max_length=8, verbose_name='who lacks a scenario')),
                ('basis', models.CharField(blank=True, editable=False, max_length=64)),
                ('made', models.DateTimeField(editable=False, null=True)),
                ('board', models.JSONField(default=dict, editable=False, encoder=evalsite.leaderboard.models.FiniteEncoder)),
            ],
            options={
                'verbose_name': 'combined score',
                'verbose_name_plural': 'combined scores',
            },
        ),
        migrations.CreateModel(
            name='Preview',
            fields=[
                ('gold', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='challenges.gold')),
                ('engine', models.CharField(max_length=60)),
                ('made', models.DateTimeField()),
                ('entries', models.JSONField(help_text='As those of an edition.')),
                ('comparison', models.JSONField(help_text='As that of an edition.')),
                ('changes', models.JSONField(help_text='What differs between the golds: challenges.gold_changes.', null=True)),
                ('counts', models.JSONField(default=dict, help_text='Runs, changed runs, and teams that are lost.')),
                ('order', models.BinaryField(default=bytes, help_text='Keys of all runs, 16 bytes each, the most changed first.')),
            ],
            options={
                'verbose_name': 'preview of a board',
                'verbose_name_plural': 'previews of boards',
            },
        ),
        migrations.CreateModel(
            name='Board',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('wanted', models.PositiveBigIntegerField(default=0, help_text='How often its results have changed.')),
                ('made', models.PositiveBigIntegerField(default=0, help_text='How many of the changes its entries have.')),
                ('compared', models.PositiveBigIntegerField(default=0, help_text='How many of the changes were there when its entries were last compared.')),
                ('to_recount', models.BooleanField(default=False, help_text='Whether the best runs have to be found anew among all results.')),
                ('has_lost', models.BooleanField(db_default=False, default=False, help_text='Whether files of its entries were lost or broken when they were last compared.')),
                ('stale_since', models.DateTimeField(help_text='Since when its entries miss a change; for those who watch, as the counters decide.', null=True)),
                ('refreshed', models.DateTimeField(help_text='When its last edition was made.', null=True)),
                ('phase', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='boards', to='challenges.phase')),
                ('scenario', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='boards', to='challenges.scenario')),
            ],
            options={
                'verbose_name': 'board',
                'verbose_name_plural': 'boards',
            },
        ),
        migrations.CreateModel(
            name='BoardLease',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lease', models.UUIDField(null=True)),
                ('lease_ends', models.DateTimeField(null=True)),
                ('not_before', models.DateTimeField(help_text='Until when it rests.', null=True)),
                ('work', models.CharField(choices=[('entries', 'entries'), ('places', 'places')], max_length=7)),
                ('board', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='leases', to='leaderboard.board')),
            ],
            options={
                'db_table': 'leaderboard_turn',
            },
        ),
        migrations.CreateModel(
            name='ComparisonCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField(help_text='UTC.')),
                ('n', models.PositiveSmallIntegerField(default=0)),
                ('phase', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='challenges.phase')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.team')),
            ],
        ),
        migrations.CreateModel(
            name='Edition',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('day', models.DateField(help_text='UTC.')),
                ('engine', models.CharField(blank=True, help_text='The version of the engine whose results ranked.', max_length=60)),
                ('changes', models.PositiveBigIntegerField(default=0, help_text="How many of its board's changes it has; the newest edition has the most.")),
                ('made', models.DateTimeField()),
                ('is_final', models.BooleanField(default=False, help_text='As it was when the phase had closed and all its runs were scored.')),
                ('closing', models.DateTimeField(help_text='When its phase closed, of a final edition: it is void once that moves.', null=True)),
                ('is_void', models.BooleanField(default=False, help_text='It was final, and is no longer.')),
                ('is_compared', models.BooleanField(default=True, help_text='Whether it has places; without them it stands only until they are made.')),
                ('entries', models.JSONField(encoder=evalsite.leaderboard.models.FiniteEncoder)),
                ('comparison', models.JSONField(encoder=evalsite.leaderboard.models.FiniteEncoder)),
                ('further', models.JSONField(default=dict, encoder=evalsite.leaderboard.models.FiniteEncoder, help_text='Scores that the page shows only when asked for, by name.')),
                ('further_names', models.JSONField(default=list)),
                ('board', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='editions', to='leaderboard.board')),
                ('gold', models.ForeignKey(help_text='The version that ranked.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='editions', to='challenges.gold')),
            ],
            options={
                'verbose_name': 'edition of a board',
                'verbose_name_plural': 'editions of boards',
                'ordering': ('board', '-changes', '-made'),
            },
        ),
        migrations.CreateModel(
            name='ImportedTable',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('columns', models.JSONField(help_text='The headings of the scores.')),
                ('rows', models.JSONField(help_text='Name, scores as they were written, date and source of each.')),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('phase', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imported_tables', to='challenges.phase')),
                ('scenario', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imported_tables', to='challenges.scenario')),
            ],
            options={
                'verbose_name': 'imported table',
                'verbose_name_plural': 'imported tables',
                'ordering': ('created', 'id'),
            },
        ),
        migrations.CreateModel(
            name='LadderStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('shown', models.FloatField(help_text="Empty: no better than the team's best.", null=True)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('gold', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='challenges.gold')),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ladder_steps', to='submissions.submission')),
            ],
        ),
        migrations.CreateModel(
            name='PerfectRun',
            fields=[
                ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='submissions.result')),
                ('is_copy', models.BooleanField(help_text='Whether it equals the gold; unknown until it was looked at.', null=True)),
                ('gold', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='challenges.gold')),
            ],
        ),
        migrations.CreateModel(
            name='Predecessor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('before', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='submissions.submission')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='submissions.submission')),
                ('scenario', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='challenges.scenario')),
            ],
        ),
        migrations.CreateModel(
            name='RecordRun',
            fields=[
                ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='submissions.result')),
                ('arrived', models.DateTimeField(help_text='When the run was uploaded.')),
                ('score', models.FloatField(help_text='The score that ranks.')),
                ('gold', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='challenges.gold')),
            ],
            options={
                'ordering': ('gold', 'arrived'),
            },
        ),
        migrations.CreateModel(
            name='BestRun',
            fields=[
                ('result', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='submissions.result')),
                ('reference', models.CharField(blank=True, help_text='Of a reference each run has a row; of a team the one that counts, and one late or beyond the limits.', max_length=8)),
                ('n_runs', models.PositiveIntegerField(default=1, help_text='Of the team, with a result, not withdrawn.')),
                ('n_withdrawn', models.PositiveIntegerField(default=0, help_text='Of the team, with a result.')),
                ('gold', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='challenges.gold')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.team')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('reference', '')), fields=('gold', 'team'), name='one_best_run_of_a_team'), models.UniqueConstraint(condition=models.Q(('reference', 'late')), fields=('gold', 'team'), name='one_late_run_of_a_team'), models.UniqueConstraint(condition=models.Q(('reference', 'beyond')), fields=('gold', 'team'), name='one_run_of_a_team_beyond_the_limits'), models.UniqueConstraint(condition=models.Q(('reference', 'reported')), fields=('gold', 'team'), name='one_reported_run_of_a_team')],
            },
        ),
        migrations.AddIndex(
            model_name='board',
            index=models.Index(condition=models.Q(('made__lt', models.F('wanted')), ('compared__lt', models.F('wanted')), _connector='OR'), fields=['id'], name='unfinished_board'),
        ),
        migrations.AddConstraint(
            model_name='board',
            constraint=models.UniqueConstraint(fields=('phase', 'scenario'), name='one_board'),
        ),
        migrations.AddConstraint(
            model_name='boardlease',
            constraint=models.UniqueConstraint(fields=('board', 'work'), name='one_turn_for_each_work'),
        ),
        migrations.AddConstraint(
            model_name='comparisoncount',
            constraint=models.UniqueConstraint(fields=('team', 'phase', 'day'), name='one_count_a_team_phase_and_day'),
        ),
        migrations.AddIndex(
            model_name='edition',
            index=models.Index(fields=['board', '-changes', '-made'], name='edition_by_board'),
        ),
        migrations.AddConstraint(
            model_name='edition',
            constraint=models.UniqueConstraint(condition=models.Q(('is_compared', True), ('is_final', False), ('is_void', False)), fields=('board', 'day', 'gold', 'engine'), name='one_edition_a_day_gold_and_engine'),
        ),
        migrations.AddConstraint(
            model_name='edition',
            constraint=models.UniqueConstraint(condition=models.Q(('is_compared', False)), fields=('board',), name='one_edition_without_places'),
        ),
        migrations.AddConstraint(
            model_name='edition',
            constraint=models.UniqueConstraint(condition=models.Q(('is_final', True)), fields=('board',), name='one_final_edition'),
        ),
        migrations.AddConstraint(
            model_name='ladderstep',
            constraint=models.UniqueConstraint(fields=('gold', 'submission'), name='one_ladder_step'),
        ),
        migrations.AddConstraint(
            model_name='predecessor',
            constraint=models.UniqueConstraint(fields=('run', 'scenario'), name='one_predecessor_on_a_board'),
        ),
        migrations.AddIndex(
            model_name='recordrun',
            index=models.Index(fields=['gold', 'arrived'], name='record_run_by_time'),
        ),
    ]
