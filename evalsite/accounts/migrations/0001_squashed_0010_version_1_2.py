import django.db.models.deletion
import evalsite.accounts.models
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("accounts", "0001_squashed_0009_requests_to_organise"),
        ("accounts", "0010_refused_uploads_count_in_the_cache"),
    ]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('email', models.EmailField(max_length=254, unique=True, verbose_name='e-mail address')),
                ('name', models.CharField(help_text='As it should appear to team mates and organisers.', max_length=150, verbose_name='name')),
                ('affiliation', models.CharField(blank=True, max_length=200, verbose_name='affiliation')),
                ('language', models.CharField(blank=True, help_text='Of pages and mail; empty: as the browser asks.', max_length=15, verbose_name='language')),
                ('is_active', models.BooleanField(default=True, verbose_name='active')),
                ('is_staff', models.BooleanField(default=False, help_text='Together with the rights of a superuser; organisers of tasks need neither.', verbose_name='enters the administration')),
                ('may_create_tasks', models.BooleanField(default=False, help_text='And owns those that it creates.', verbose_name='may create tasks')),
                ('date_joined', models.DateTimeField(auto_now_add=True, verbose_name='date joined')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_owner', models.BooleanField(default=False, help_text='May rename the team and remove members.', verbose_name='is owner')),
                ('joined', models.DateTimeField(auto_now_add=True, verbose_name='joined')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'verbose_name': 'membership',
                'verbose_name_plural': 'memberships',
                'ordering': ('joined',),
            },
        ),
        migrations.CreateModel(
            name='OrganiserRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('purpose', models.TextField(help_text='What the task is about, who organises it, and when it is to run.', max_length=1000, verbose_name='purpose')),
                ('asked', models.DateTimeField(auto_now_add=True, verbose_name='asked')),
                ('answer', models.CharField(blank=True, choices=[('', 'none yet'), ('granted', 'granted'), ('declined', 'declined')], max_length=10, verbose_name='answer')),
                ('answered', models.DateTimeField(null=True, verbose_name='answered')),
                ('answered_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='answered by')),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='organiser_request', to=settings.AUTH_USER_MODEL, verbose_name='user')),
            ],
            options={
                'verbose_name': 'request to organise',
                'verbose_name_plural': 'requests to organise',
                'ordering': ('-asked',),
            },
        ),
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('name_key', models.CharField(db_index=True, editable=False, help_text='By which names compare.', max_length=200)),
                ('look_key', models.CharField(db_index=True, editable=False, help_text='By which looks compare.', max_length=200)),
                ('affiliation', models.CharField(blank=True, max_length=200, verbose_name='affiliation')),
                ('invitation', models.CharField(default=evalsite.accounts.models.new_invitation, editable=False, max_length=64, unique=True)),
                ('created', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('members', models.ManyToManyField(related_name='teams', through='accounts.Membership', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'team',
                'verbose_name_plural': 'teams',
                'ordering': ('name',),
            },
        ),
        migrations.AddField(
            model_name='membership',
            name='team',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='accounts.team'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('team', 'user'), name='one_membership_per_user'),
        ),
    ]
