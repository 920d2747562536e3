import datetime
import uuid

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import evalsite.accounts.models
import evalsite.challenges.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "0001_squashed_0009_requests_to_organise"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Organiser",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[("owner", "Owner"), ("organiser", "Organiser"), ("viewer", "Viewer")],
                        default="organiser",
                        max_length=10,
                        verbose_name="role",
                    ),
                ),
                ("added", models.DateTimeField(auto_now_add=True, verbose_name="added")),
                (
                    "added_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="added by",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="organiser_rows",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={"verbose_name": "organiser", "verbose_name_plural": "organisers", "ordering": ("added", "pk")},
        ),
        migrations.CreateModel(
            name="Task",
            fields=[
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "slug",
                    models.SlugField(
                        help_text="The task's place in addresses: /tasks/<slug>/", unique=True, verbose_name="slug"
                    ),
                ),
                ("title", models.CharField(max_length=200, verbose_name="title")),
                (
                    "summary",
                    models.CharField(
                        help_text="One sentence for the list of tasks.", max_length=300, verbose_name="summary"
                    ),
                ),
                ("description", models.TextField(blank=True, help_text="Markdown.", verbose_name="description")),
                (
                    "language",
                    models.CharField(
                        blank=True,
                        help_text="Of title, summary and descriptions, as a tag such as en or es; empty: not known.",
                        max_length=35,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}\\Z",
                                "Write a language's tag, such as en, es or zh-Hant.",
                            )
                        ],
                        verbose_name="language",
                    ),
                ),
                (
                    "data_language",
                    models.CharField(
                        blank=True,
                        help_text="Of the texts that are annotated, such as es or ja; empty: not known, or several.",
                        max_length=35,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}\\Z",
                                "Write a language's tag, such as en, es or zh-Hant.",
                            )
                        ],
                        verbose_name="language of the data",
                    ),
                ),
                (
                    "contact",
                    models.EmailField(
                        blank=True, help_text="Where participants can ask.", max_length=254, verbose_name="contact"
                    ),
                ),
                (
                    "is_published",
                    models.BooleanField(
                        default=False,
                        help_text="Unpublished tasks are seen by organisers only.",
                        verbose_name="is published",
                    ),
                ),
                (
                    "publish_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="UTC. From then on everybody sees the task, without anybody doing anything.",
                        null=True,
                        verbose_name="published at",
                    ),
                ),
                (
                    "zone",
                    models.CharField(
                        default="UTC",
                        help_text="In which the organisers type times, such as AoE or Europe/Madrid.",
                        max_length=64,
                        verbose_name="time zone",
                    ),
                ),
                (
                    "archived",
                    models.DateTimeField(
                        editable=False,
                        help_text="Since then it stands in the archive, is read as before, and takes no uploads.",
                        null=True,
                        verbose_name="archived",
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                (
                    "house",
                    models.OneToOneField(
                        editable=False,
                        help_text="Whose the organisers' own runs are; it takes no part. None before there is one.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="house_of",
                        to="accounts.team",
                        verbose_name="house team",
                    ),
                ),
                (
                    "organisers",
                    models.ManyToManyField(
                        related_name="organised_tasks",
                        through="challenges.Organiser",
                        through_fields=("task", "user"),
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="organisers",
                    ),
                ),
            ],
            options={"verbose_name": "task", "verbose_name_plural": "tasks", "ordering": ("title",)},
        ),
        migrations.CreateModel(
            name="Scenario",
            fields=[
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "number",
                    models.PositiveSmallIntegerField(
                        validators=[django.core.validators.MinValueValidator(1)], verbose_name="number"
                    ),
                ),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("description", models.TextField(blank=True, help_text="Markdown.", verbose_name="description")),
                (
                    "family",
                    models.CharField(
                        choices=evalsite.challenges.models.scenarios.family_choices,
                        max_length=30,
                        verbose_name="family",
                    ),
                ),
                (
                    "options",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text='The family\'s options, such as {"scenario": "1"}.',
                        verbose_name="options",
                    ),
                ),
                (
                    "shown_scores",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Names of the scores on the board, in order; empty: the family's choice.",
                        verbose_name="shown scores",
                    ),
                ),
                (
                    "digits",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("2", "2 decimals, 0.64"),
                            ("3", "3 decimals, 0.639"),
                            ("4", "4 decimals, 0.6394"),
                            ("percent1", "per cent with 1 decimal, 63.9 %"),
                            ("percent2", "per cent with 2 decimals, 63.94 %"),
                            ("interval", "as many as their intervals tell"),
                        ],
                        help_text="How scores are written on pages; downloads have them in full.",
                        max_length=10,
                        verbose_name="digits of scores",
                    ),
                ),
                (
                    "use",
                    models.CharField(
                        blank=True,
                        editable=False,
                        help_text="Key of the use that the organiser chose: several of a family may have the same options.",
                        max_length=60,
                        verbose_name="what systems do",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="scenarios",
                        to="challenges.task",
                        verbose_name="task",
                    ),
                ),
            ],
            options={"verbose_name": "scenario", "verbose_name_plural": "scenarios", "ordering": ("task", "number")},
        ),
        migrations.CreateModel(
            name="Picture",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                (
                    "file",
                    models.FileField(upload_to=evalsite.challenges.models.texts.picture_path, verbose_name="file"),
                ),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pictures", to="challenges.task"
                    ),
                ),
            ],
            options={"verbose_name": "picture", "verbose_name_plural": "pictures", "ordering": ("task", "name")},
        ),
        migrations.CreateModel(
            name="Phase",
            fields=[
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "slug",
                    models.SlugField(help_text="The phase's place in addresses, such as test.", verbose_name="slug"),
                ),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("description", models.TextField(blank=True, help_text="Markdown.", verbose_name="description")),
                ("opens", models.DateTimeField(help_text="UTC.", verbose_name="opens")),
                (
                    "closes",
                    models.DateTimeField(
                        blank=True, help_text="UTC. Empty: stays open.", null=True, verbose_name="closes"
                    ),
                ),
                (
                    "late_until",
                    models.DateTimeField(
                        blank=True,
                        help_text="UTC. After the phase has closed, uploads are taken until then, and marked as late.",
                        null=True,
                        verbose_name="late uploads until",
                    ),
                ),
                (
                    "ranks_late",
                    models.BooleanField(
                        default=False,
                        help_text="Off: boards show them outside the ranks. Marked as late they are either way.",
                        verbose_name="late runs are ranked",
                    ),
                ),
                (
                    "counts",
                    models.CharField(
                        choices=[
                            ("best", "the best one"),
                            ("last", "the last one"),
                            ("chosen", "the one that the team chooses"),
                        ],
                        default="best",
                        help_text="The run that boards show of a team. Of a team that chose none it is the last one.",
                        max_length=6,
                        verbose_name="what counts",
                    ),
                ),
                (
                    "window_limit",
                    models.PositiveIntegerField(
                        blank=True,
                        default=5,
                        help_text="Per team. Empty: no limit, as where the gold is released; hidden gold could be read by many runs.",
                        null=True,
                        verbose_name="uploads per window",
                    ),
                ),
                (
                    "window",
                    models.DurationField(
                        default=datetime.timedelta(days=1),
                        help_text="Rolling window of the limit.",
                        verbose_name="window",
                    ),
                ),
                (
                    "total_limit",
                    models.PositiveIntegerField(
                        blank=True, help_text="Per team. Empty: no limit.", null=True, verbose_name="uploads in total"
                    ),
                ),
                (
                    "upload_megabytes",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="The most that one upload may have, where 1 MB is 1,024 kB. Empty: what the site usually takes. Browsers send larger files in parts, and go on after a broken line.",
                        null=True,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="MB of an upload",
                    ),
                ),
                (
                    "board_audience",
                    models.CharField(
                        choices=[
                            ("organisers", "organisers"),
                            ("participants", "participants"),
                            ("everybody", "everybody"),
                        ],
                        default="everybody",
                        max_length=12,
                        verbose_name="board is seen by",
                    ),
                ),
                (
                    "is_anonymous",
                    models.BooleanField(
                        default=False,
                        help_text="The board says Team 7 instead of the team's name.",
                        verbose_name="anonymous names",
                    ),
                ),
                (
                    "shows_scores",
                    models.BooleanField(
                        default=True,
                        help_text="Off: nobody but the organisers sees a score, on boards neither, until the results are released.",
                        verbose_name="teams see their own scores",
                    ),
                ),
                (
                    "gold_released",
                    models.BooleanField(
                        default=False,
                        help_text="The gold may be downloaded by everybody, as in a development phase.",
                        verbose_name="gold released",
                    ),
                ),
                (
                    "gold_released_since",
                    models.DateTimeField(
                        editable=False,
                        help_text="Empty: from the beginning, where the gold is released at all.",
                        null=True,
                    ),
                ),
                (
                    "results_released",
                    models.DateTimeField(
                        blank=True,
                        help_text="UTC. From then on everybody sees the board, with real names.",
                        null=True,
                        verbose_name="results released",
                    ),
                ),
                (
                    "is_paused",
                    models.BooleanField(
                        default=False, help_text="Takes no submissions for the moment.", verbose_name="paused"
                    ),
                ),
                (
                    "pause_reason",
                    models.CharField(
                        blank=True,
                        help_text="Participants read it on the task's page.",
                        max_length=200,
                        verbose_name="reason of the pause",
                    ),
                ),
                (
                    "extended_from",
                    models.DateTimeField(
                        editable=False, help_text="When it was to close, before that was put off in public.", null=True
                    ),
                ),
                ("extended_on", models.DateTimeField(editable=False, null=True)),
                ("created", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="phases",
                        to="challenges.task",
                        verbose_name="task",
                    ),
                ),
            ],
            options={"verbose_name": "phase", "verbose_name_plural": "phases", "ordering": ("task", "opens")},
        ),
        migrations.CreateModel(
            name="Participation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="participations",
                        to="accounts.team",
                        verbose_name="team",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="participations",
                        to="challenges.task",
                        verbose_name="task",
                    ),
                ),
            ],
            options={"verbose_name": "participation", "verbose_name_plural": "participations"},
        ),
        migrations.CreateModel(
            name="Page",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("position", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("title", models.CharField(max_length=100, verbose_name="title")),
                ("slug", models.SlugField(blank=True, verbose_name="slug")),
                ("text", models.TextField(blank=True, help_text="Markdown.", verbose_name="text")),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pages", to="challenges.task"
                    ),
                ),
            ],
            options={"verbose_name": "page", "verbose_name_plural": "pages", "ordering": ("task", "position", "pk")},
        ),
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
                "verbose_name": "invitation to organise",
                "verbose_name_plural": "invitations to organise",
                "ordering": ("sent",),
            },
        ),
        migrations.AddField(
            model_name="organiser",
            name="task",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="organiser_rows",
                to="challenges.task",
                verbose_name="task",
            ),
        ),
        migrations.CreateModel(
            name="FormerParticipation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("former", models.UUIDField()),
                ("name", models.CharField(max_length=100)),
                ("number", models.PositiveIntegerField()),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "team",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_participations",
                        to="accounts.team",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_participations",
                        to="challenges.task",
                    ),
                ),
            ],
            options={"verbose_name": "former participation", "verbose_name_plural": "former participations"},
        ),
        migrations.CreateModel(
            name="FormerAddress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField()),
                (
                    "page",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_addresses",
                        to="challenges.page",
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_addresses",
                        to="challenges.phase",
                    ),
                ),
                (
                    "scenario",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_addresses",
                        to="challenges.scenario",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="former_addresses",
                        to="challenges.task",
                    ),
                ),
            ],
            options={"verbose_name": "former address", "verbose_name_plural": "former addresses"},
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=40, verbose_name="kind")),
                (
                    "subject",
                    models.UUIDField(
                        help_text="The submission, scoring, gold, phase or team that it is about.",
                        null=True,
                        verbose_name="subject",
                    ),
                ),
                ("detail", models.JSONField(default=dict, verbose_name="detail")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                (
                    "actor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="actor",
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="events",
                        to="accounts.team",
                        verbose_name="team",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="challenges.task",
                        verbose_name="task",
                    ),
                ),
            ],
            options={"verbose_name": "event", "verbose_name_plural": "events", "ordering": ("-created", "-pk")},
        ),
        migrations.CreateModel(
            name="Download",
            fields=[
                ("version", models.PositiveIntegerField(default=1, editable=False)),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("title", models.CharField(max_length=150, verbose_name="title")),
                ("description", models.CharField(blank=True, max_length=300, verbose_name="description")),
                (
                    "file",
                    models.FileField(upload_to=evalsite.challenges.models.texts.download_path, verbose_name="file"),
                ),
                (
                    "available_from",
                    models.DateTimeField(
                        default=django.utils.timezone.now,
                        help_text="UTC. Hidden before.",
                        verbose_name="available from",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="downloads", to="challenges.task"
                    ),
                ),
            ],
            options={
                "verbose_name": "download",
                "verbose_name_plural": "downloads",
                "ordering": ("task", "available_from", "title"),
            },
        ),
        migrations.CreateModel(
            name="TeamNumber",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("team", models.UUIDField(help_text="Key of a team, which may be there no more.")),
                ("number", models.PositiveIntegerField()),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="team_numbers", to="challenges.phase"
                    ),
                ),
            ],
            options={"verbose_name": "number of a team", "verbose_name_plural": "numbers of teams"},
        ),
        migrations.CreateModel(
            name="WaitingGold",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("file", models.FileField(upload_to=evalsite.challenges.models.gold.waiting_gold_path)),
                (
                    "file_name",
                    models.CharField(help_text="As the organiser's own; formats are told by it.", max_length=255),
                ),
                ("note", models.CharField(blank=True, max_length=200)),
                ("remarks", models.JSONField(help_text="What looks odd: a list of [heading, list of texts].")),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="waiting_golds", to="challenges.phase"
                    ),
                ),
                (
                    "scenarios",
                    models.ManyToManyField(
                        help_text="Those that it is for.", related_name="+", to="challenges.scenario"
                    ),
                ),
            ],
            options={"verbose_name": "waiting gold", "verbose_name_plural": "waiting gold"},
        ),
        migrations.CreateModel(
            name="Gold",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "version",
                    models.PositiveIntegerField(
                        validators=[django.core.validators.MaxValueValidator(10000)], verbose_name="version"
                    ),
                ),
                ("file", models.FileField(upload_to=evalsite.challenges.models.gold.gold_path, verbose_name="file")),
                ("sha256", models.CharField(max_length=64)),
                (
                    "digest",
                    models.CharField(
                        blank=True,
                        help_text="The engine's, of the scenario's files alone: equal for the same gold in another archive. Empty for gold of before this was kept.",
                        max_length=64,
                    ),
                ),
                (
                    "note",
                    models.CharField(
                        blank=True, help_text="What changed, for the record.", max_length=200, verbose_name="note"
                    ),
                ),
                (
                    "n_units",
                    models.PositiveIntegerField(
                        help_text="Sentences, documents, questions: what intervals are drawn from.",
                        verbose_name="number of units",
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                (
                    "state",
                    models.CharField(
                        choices=[("candidate", "candidate"), ("published", "published"), ("discarded", "discarded")],
                        default="published",
                        max_length=9,
                        verbose_name="state",
                    ),
                ),
                ("published", models.DateTimeField(blank=True, null=True, verbose_name="published")),
                (
                    "public_note",
                    models.CharField(
                        blank=True,
                        help_text="What changed, as the board says it.",
                        max_length=200,
                        verbose_name="public note",
                    ),
                ),
                (
                    "engine",
                    models.CharField(
                        blank=True,
                        help_text="The one whose results count on this gold; empty until there is a result.",
                        max_length=60,
                        verbose_name="version of the engine",
                    ),
                ),
                ("engine_since", models.DateTimeField(blank=True, help_text="When it was published.", null=True)),
                (
                    "engine_note",
                    models.CharField(
                        blank=True, help_text="What another engine has changed, as the board says it.", max_length=200
                    ),
                ),
                (
                    "keeps",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        editable=False,
                        help_text='Scores whose resamples its evaluations keep, and their seed, since the combined score of the phase needs them: {"scores": […], "seed": …}.',
                    ),
                ),
                (
                    "candidate_engine",
                    models.CharField(
                        blank=True,
                        help_text="Another one, whose results lie beside until they are published.",
                        max_length=60,
                        verbose_name="candidate version of the engine",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="created by",
                    ),
                ),
                (
                    "published_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="published by",
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="golds",
                        to="challenges.phase",
                        verbose_name="phase",
                    ),
                ),
                (
                    "scenario",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="golds",
                        to="challenges.scenario",
                        verbose_name="scenario",
                    ),
                ),
            ],
            options={
                "verbose_name": "gold",
                "verbose_name_plural": "gold",
                "ordering": ("phase", "scenario", "-version"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("phase", "scenario", "version"), name="gold_version_in_phase_and_scenario"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "candidate")),
                        fields=("phase", "scenario"),
                        name="one_candidate_in_phase_and_scenario",
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="scenario",
            constraint=models.UniqueConstraint(fields=("task", "number"), name="scenario_number_in_task"),
        ),
        migrations.AddConstraint(
            model_name="picture",
            constraint=models.UniqueConstraint(fields=("task", "name"), name="picture_name_in_task"),
        ),
        migrations.AddConstraint(
            model_name="phase", constraint=models.UniqueConstraint(fields=("task", "slug"), name="phase_slug_in_task")
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=models.Q(("closes__isnull", True), ("closes__gt", models.F("opens")), _connector="OR"),
                name="phase_closes_after_it_opens",
            ),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("late_until__isnull", True), ("late_until__gt", models.F("closes")), _connector="OR"
                ),
                name="late_uploads_end_after_the_phase",
            ),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.UniqueConstraint(fields=("task", "team"), name="one_participation_per_team"),
        ),
        migrations.AddConstraint(
            model_name="participation",
            constraint=models.UniqueConstraint(fields=("task", "number"), name="participation_number_in_task"),
        ),
        migrations.AddConstraint(
            model_name="page", constraint=models.UniqueConstraint(fields=("task", "slug"), name="page_slug_in_task")
        ),
        migrations.AddConstraint(
            model_name="organiserinvitation",
            constraint=models.UniqueConstraint(fields=("task", "email"), name="one_invitation_per_address"),
        ),
        migrations.AddConstraint(
            model_name="organiser",
            constraint=models.UniqueConstraint(fields=("task", "user"), name="one_role_per_task"),
        ),
        migrations.AddConstraint(
            model_name="formerparticipation",
            constraint=models.UniqueConstraint(fields=("task", "number"), name="former_number_in_task"),
        ),
        migrations.AddConstraint(
            model_name="formeraddress",
            constraint=models.UniqueConstraint(
                condition=models.Q(("page", None), ("phase", None), ("scenario", None)),
                fields=("slug",),
                name="former_address_of_one_task",
            ),
        ),
        migrations.AddConstraint(
            model_name="formeraddress",
            constraint=models.UniqueConstraint(
                condition=models.Q(("phase__isnull", False)),
                fields=("task", "slug"),
                name="former_address_of_one_phase",
            ),
        ),
        migrations.AddConstraint(
            model_name="formeraddress",
            constraint=models.UniqueConstraint(
                condition=models.Q(("page__isnull", False)), fields=("task", "slug"), name="former_address_of_one_page"
            ),
        ),
        migrations.AddConstraint(
            model_name="formeraddress",
            constraint=models.UniqueConstraint(
                condition=models.Q(("scenario__isnull", False)),
                fields=("task", "slug"),
                name="former_address_of_one_scenario",
            ),
        ),
        migrations.AddIndex(model_name="event", index=models.Index(fields=["task", "-created"], name="event_by_task")),
        migrations.AddIndex(model_name="event", index=models.Index(fields=["-created", "-id"], name="event_newest")),
        migrations.AddIndex(
            model_name="event", index=models.Index(fields=["kind", "-created", "-id"], name="event_by_kind")
        ),
        migrations.AddConstraint(
            model_name="teamnumber",
            constraint=models.UniqueConstraint(fields=("phase", "team"), name="one_number_of_team_in_phase"),
        ),
        migrations.AddConstraint(
            model_name="teamnumber",
            constraint=models.UniqueConstraint(fields=("phase", "number"), name="team_number_in_phase"),
        ),
    ]
