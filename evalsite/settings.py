"""The site's settings: one file, every value that differs between machines comes from the environment."""

import logging
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path

import environ
import structlog
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from structlog.typing import Processor

from evalsite.accounts.sign_in import keys
from evalsite.base import queues
from evalsite.base.logs import WithoutTrace, hide_secrets
from evalsite.base.private_folder import make_private, make_private_file, own_secret_key
from evalsite.base.storage_address import storage
from evalsite.translating.languages import catalogues, languages

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

DEBUG = env.bool("DEBUG", False)
PRODUCTION = env.bool("EVALSITE_PRODUCTION", False)
DATA_DIR = Path(env.str("EVALSITE_DATA_DIR", str(BASE_DIR / ".data"))).resolve()
make_private(DATA_DIR)

if PRODUCTION and DEBUG:
    raise ImproperlyConfigured("DEBUG must be off when EVALSITE_PRODUCTION is on.")
SECRET_KEY = env.str("SECRET_KEY", "")
if PRODUCTION and not SECRET_KEY:
    raise ImproperlyConfigured(
        "EVALSITE_PRODUCTION is on and SECRET_KEY is not set. It signs sessions and links, so all processes need the "
        "same one; docs/server.md says how to make it and where it stands."
    )
SECRET_KEY = SECRET_KEY or own_secret_key(DATA_DIR / "secret_key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
# In links of mails that no request causes.
SITE_URL = env.str("EVALSITE_URL", next(iter(CSRF_TRUSTED_ORIGINS), "http://localhost:8000")).rstrip("/")
SITE_NAME = env.str("EVALSITE_NAME", "Evalsite")
# In the footer of every page, where they are set.
CONTACT = env.str("EVALSITE_CONTACT", "")  # an e-mail address, or that of a page
SOURCE_URL = env.str("EVALSITE_SOURCE", "")  # where the code of this site is found
ABOUT_FILE = env.str("EVALSITE_ABOUT", "")  # Markdown: who runs the site, and what becomes of personal data

# What a shared task can live without: docs/contrib.md. A site leaves apps out by their names, or all by "contrib".
_WITHOUT = env.list("EVALSITE_WITHOUT", default=[])
_CONTRIB = [
    # Boards have pages of these in this order.
    "history",
    "atlas",
    "power",
    # The desk's page "Take it with you" has these in this order.
    "drawer",
    "archives",
    "bundles",
    # Others.
    "audit",
    "badges",
    "classes",
    "collecting",
    "decisions",
    "feeds",
    "judging",
    "letters",
    "own_data",
    "receipts",
    "records",
    "seasons",
]
CONTRIB = [f"evalsite.contrib.{name}" for name in _CONTRIB if not {name, "contrib"} & set(_WITHOUT)]
INSTALLED_APPS = [
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",  # early, since each `{% static %}` looks through the list until it meets it
    "evalsite.accounts",
    "evalsite.jobs",
    "evalsite.challenges",
    "evalsite.background",
    "evalsite.mailing",
    "evalsite.submissions",
    "evalsite.results",
    "evalsite.leaderboard",
    "evalsite.board_pages",
    "evalsite.comparisons",
    "evalsite.own_runs",
    "evalsite.trials",
    "evalsite.desk",
    "evalsite.api",
    "evalsite.upkeep",
    *CONTRIB,
    *env.list("EVALSITE_APPS", default=[]),
    "demo",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.github",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.socialaccount.providers.orcid",
    "csp",
    "django_htmx",
    "django_structlog",
    "django_tables2",
]

MIDDLEWARE = [
    "evalsite.monitoring.middleware.MonitoringMiddleware",
    "evalsite.base.log_context.RequestMiddleware",
    "evalsite.middleware.TransactionMiddleware",
    "evalsite.middleware.HeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "evalsite.middleware.CompressionMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "evalsite.middleware.NulMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "evalsite.api.middleware.TokenMiddleware",
    "evalsite.accounts.language.LanguageMiddleware",
    "evalsite.middleware.PrivateAnswersMiddleware",
    "evalsite.middleware.BodyMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "evalsite.accounts.middleware.StaffSecondFactorMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "evalsite.middleware.NotAllowedMiddleware",
    "evalsite.middleware.EmbeddingMiddleware",
    "evalsite.challenges.former_addresses.FormerAddressMiddleware",
    "evalsite.public_pages.middleware.PublicPagesMiddleware",
]

ROOT_URLCONF = "evalsite.urls"
WSGI_APPLICATION = "evalsite.wsgi.application"
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
TEMPLATES = [
    {
        "BACKEND": "evalsite.translating.plain_numbers.PlainNumbers",
        "NAME": "django",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Database: SQLite on a laptop, PostgreSQL by DATABASE_URL.
TRANSACTION_SECONDS = env.int("TRANSACTION_SECONDS", 30)  # of a request; the proxy waits for its answer twice as long
DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'evalsite.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    if Path(DATABASES["default"]["NAME"]).parent == DATA_DIR:
        make_private_file(Path(DATABASES["default"]["NAME"]))
    # Without IMMEDIATE half of the concurrent writers fail at once in WAL mode: a read that turns into a
    # write inside a transaction cannot wait for the lock.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # FULL: an upload that was confirmed survives a power cut.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
else:
    DATABASES["default"]["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", 60)
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    _OPTIONS = DATABASES["default"].setdefault("OPTIONS", {})
    # Without limits each page would wait for minutes for a server that is gone: to connect, for an answer, and for
    # acknowledgements. In seconds, the last in milliseconds.
    _TO_ANSWER = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 20_000}
    for _name, _limit in {"connect_timeout": 5, **_TO_ANSWER}.items():
        _OPTIONS.setdefault(_name, _limit)
    # Queries take milliseconds, and compiling them takes seconds; by default the planner assumes spinning disks, and
    # reads a whole table rather than some hundred rows by an index.
    _OPTIONS.setdefault("options", "-c jit=off -c random_page_cost=1.1")
    if "evalsite.wsgi" in sys.modules:
        # Only for web processes; workers and commands may take longer. Options of the address come last, so that they
        # win.
        _LIMITS = {"statement_timeout": 1, "idle_in_transaction_session_timeout": 1, "lock_timeout": 3}
        _SET = [f"-c {name}={max(1, TRANSACTION_SECONDS // part)}s" for name, part in _LIMITS.items()]
        _OPTIONS["options"] = " ".join([*_SET, _OPTIONS["options"]])
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Broker, worker, beat.
SCORING_SECONDS = env.int("SCORING_TIME_LIMIT", 600)  # of processor time; by the clock it may be twice that
# The child process enforces a scoring's own limit; this one ends a worker that waits for something else.
TIME_LIMITS = queues.TimeLimits(scoring=2 * SCORING_SECONDS + 120)
# The demo's broker has a port of its own, which it leaves here for commands that are typed beside it.
BROKER_FILE = DATA_DIR / "broker-address"
_BESIDE = BROKER_FILE.read_text(encoding="utf-8").strip() if not PRODUCTION and BROKER_FILE.is_file() else ""
REDIS_URL = env.str("REDIS_URL", "") or _BESIDE or "redis://127.0.0.1:6379/0"
if not REDIS_URL.startswith(("redis://", "rediss://")):
    # Not the address itself: it holds a password.
    raise ImproperlyConfigured(
        "REDIS_URL has to look like redis://:password@host:6379/0, or rediss://… by TLS. The broker is Redis or "
        "Valkey; RabbitMQ and others are not supported."
    )
CELERY_BROKER_URL = REDIS_URL
# Whoever writes into Redis can enqueue jobs, but cannot inject code, as with pickle.
CELERY_TASK_SERIALIZER = CELERY_RESULT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": queues.visibility_timeout(TIME_LIMITS),
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
    "unacked_mutex_expire": 10,
    "socket_connect_timeout": 5,
    # An upload does not wait for a broker that does not answer: the reaper enqueues it later. Workers poll for a second
    # at a time.
    "socket_timeout": 5,
    "retry_policy": {"max_retries": 2, "interval_start": 0, "interval_step": 0.2, "timeout": 3},
}
CELERY_TASK_IGNORE_RESULT = True  # the row in the database is the result
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
# A process finds its next message in its own worker without waiting for the broker. A message that is stuck there
# while another machine is idle is sent again (evalsite.submissions.lifecycle.waiting, and beat's other rounds).
CELERY_WORKER_PREFETCH_MULTIPLIER = 2
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# By default Celery reconnects to the database for each job; `evalsite.celery` checks the connection instead.
CELERY_DB_REUSE_MAX = sys.maxsize
CELERY_TASK_QUEUES = queues.declared()
CELERY_TASK_DEFAULT_QUEUE = queues.UPKEEP
CELERY_TASK_ROUTES = queues.ROUTES
CELERY_TASK_ANNOTATIONS = [TIME_LIMITS]
CELERY_WORKER_MAX_MEMORY_PER_CHILD = env.int("WORKER_MAX_MEMORY_KB", 2_000_000)
# Niceness of worker processes, so that web servers on the same machine go first: 0 to 19.
WORKER_NICE = env.int("WORKER_NICE", 10)
CELERY_TIMEZONE = "UTC"
# It keeps no file of what it sent when: a restarted beat sends everything in time, whatever its clock said before.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
# Long ago, so that a beat that begins sends at once whatever it sends in each interval.
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
CELERY_BEAT_SCHEDULE = {
    name: {"task": f"evalsite.{name}", "schedule": timedelta(seconds=seconds), "last_run_at": _LONG_AGO}
    for name, seconds in (
        ("submissions.tasks.reap", 15),
        ("background.tasks.reap", 15),
        ("leaderboard.tasks.refresh_boards", 15),
        ("upkeep.tasks.pulse", 30),
        ("challenges.tasks.release_gold", 30),
        ("submissions.tasks.let_ranked_parts_decide", 30),
        ("submissions.tasks.post_notices", 60),
        ("submissions.tasks.drop_expired", 5 * 60),
        ("desk.tasks.post_waiting", 5 * 60),
        ("challenges.tasks.seal_gold", 5 * 60),
        ("submissions.tasks.thin", 15 * 60),
    )
} | {"upkeep.tasks.tidy": {"task": "evalsite.upkeep.tasks.tidy", "schedule": crontab(hour="3", minute="17")}}

# Scoring.
N_RESAMPLES = env.int("N_RESAMPLES", 10_000)
N_RESAMPLES_OF_TRIALS = 2_000  # for runs that are scored while somebody waits, and not stored
# How long a silent worker holds a scoring; its heartbeat renews the lease.
LEASE = timedelta(seconds=env.int("LEASE_SECONDS", 30))
MAX_ATTEMPTS = 3
DATABASE_PATIENCE = timedelta(minutes=2)  # for which a worker waits with what it holds until the database answers
SCORING_MEMORY_BYTES = env.int("SCORING_MEMORY_MB", 4096) * 1024**2
SCORING_FILE_BYTES = 256 * 1024**2  # of a stored evaluation
# What the engine's processes load before their first job.
# What a job names is loaded before it, once in each process.
JOBS_LOADER = "evalsite.submissions.engine_jobs:load"
JOBS_PRELOADED = ["evalsite.submissions.engine_jobs", "evalsite.trials.trial_work"]

# Uploads.
MAX_UPLOAD_BYTES = env.int("MAX_UPLOAD_BYTES", 20 * 1024**2)
MAX_LARGE_UPLOAD_BYTES = env.int("MAX_LARGE_UPLOAD_BYTES", 200 * 1024**2)  # what organisers may allow in a phase
MAX_OPEN_CHECK_BYTES = env.int("MAX_OPEN_CHECK_BYTES", 5 * 1024**2)  # of files that are checked without an account
# Kept uploads: how long, and how much of one person and of all.
KEPT_FOR = timedelta(hours=1)
MAX_KEPT = 10
MAX_KEPT_BYTES = env.int("MAX_KEPT_BYTES", 250 * 1024**2)
MAX_KEPT_IN_ALL_BYTES = env.int("MAX_KEPT_IN_ALL_BYTES", 10 * 1024**3)
MAX_STORED_BYTES = env.int("MAX_STORED_BYTES", 2 * 1024**3)  # of a team's uploads in one task
MAX_DRAFT_BYTES = env.int("MAX_DRAFT_BYTES", 2 * 1024**3)  # of all files in the drafts of a person
MIN_FREE_BYTES = env.int("MIN_FREE_BYTES", 512 * 1024**2)  # on the disk of the files, when a bundle is taken
CHECK_AT_ONCE_BYTES = env.int("CHECK_AT_ONCE_BYTES", 8 * 1024**2)  # inflated; larger ones are checked by the worker
CHECK_SECONDS = env.int("CHECK_TIME_LIMIT", 10)  # of processor time
CHECK_MEMORY_BYTES = env.int("CHECK_MEMORY_MB", 1024) * 1024**2
# Concurrent checks of files in a web process, and requests that may wait for one: fewer together than threads.
JOBS_AT_ONCE = env.int("CHECKS_AT_ONCE", 2)
JOBS_WAITING = env.int("CHECKS_WAITING", 4)
GUEST_SECONDS = 5.0  # that a check without an account waits for the one before it
FILE_UPLOAD_HANDLERS = [
    "evalsite.challenges.storage.uploads.BoundedUploadHandler",
    "evalsite.challenges.storage.uploads.SparingUploadHandler",
]
# Size of a form without its files: a page of the desk has long Markdown and a key for each ticked row, others have some
# sentences.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024**2
MAX_FORM_BYTES = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 50
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000  # an organiser ticks a row each

# The API.
MAX_ACCESS_TOKENS = env.int("MAX_ACCESS_TOKENS", 20)  # of a person
# A server-sent stream holds a thread: how long, and how many in a web process.
EVENTS_SECONDS = env.int("EVENTS_SECONDS", 20)
EVENTS_AT_ONCE = env.int("EVENTS_AT_ONCE", 1)

# Files: uploads and gold are private; they leave only through a view that checks permissions.
MEDIA_ROOT = DATA_DIR / "files"
# Redirect downloads to the object store, by a link that is valid for a minute.
STORAGE_LINKS = bool(env.str("STORAGE_URL", "")) and env.bool("STORAGE_LINKS", False)
# Resamples of best runs that boards have at hand; safe to delete.
CACHE_DIR = Path(env.str("CACHE_DIR", str(DATA_DIR / "cache"))).resolve()
DRAWS_CACHE_BYTES = env.int("DRAWS_CACHE_MB", 1024) * 1024**2
# `manage.py tidy` recognises by it what killed processes have left in the folder for temporary files.
tempfile.template = "evalsite-"
FILE_UPLOAD_PERMISSIONS = 0o400  # stored files are never changed, so that path traversal cannot overwrite one
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700
STATIC_URL = "static/"
# On a server the site must not be able to write static files (evalsite.upkeep.writable).
STATIC_ROOT = Path(env.str("STATIC_ROOT", str((BASE_DIR / "collected") if PRODUCTION else (DATA_DIR / "static"))))
STATICFILES_DIRS = [BASE_DIR / "static", ("guides", BASE_DIR / "docs" / "guides" / "pictures")]
WHITENOISE_USE_FINDERS = not PRODUCTION  # a laptop serves the source files, a server what collectstatic made
if not PRODUCTION:
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # whitenoise warns where it is missing
STORAGES = {
    "default": storage(env.str("STORAGE_URL", "")),
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage",
        # Everybody may read them: whoever collects them, such as root for an image, need not be the site's user.
        "OPTIONS": {"file_permissions_mode": 0o644, "directory_permissions_mode": 0o755},
    },
}

# Accounts.
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["evalsite.accounts.backends.AccountBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
ACCOUNT_ADAPTER = "evalsite.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "evalsite.accounts.forms.SignupForm",
    "login": "evalsite.accounts.forms.LoginForm",
    "add_email": "evalsite.accounts.forms.EmailForm",
    "change_password": "evalsite.accounts.forms.ChangePasswordForm",
    "set_password": "evalsite.accounts.forms.SetPasswordForm",
    "reset_password": "evalsite.accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "evalsite.accounts.forms.ResetPasswordKeyForm",
    "reauthenticate": "evalsite.accounts.forms.ReauthenticateForm",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_USER_DISPLAY = str
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_CHANGE_EMAIL = True  # one address per account; a new one replaces it once it is confirmed
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_CONFIRM_EMAIL_ON_GET = False  # mail scanners follow links
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # only in the browser that signed up: an invitation is not lost on the way
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
# Changes of address or second factor ask for the password, unless it was given some minutes ago.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# Log-ins are limited per account *and* client, so that an attacker cannot lock the owner out elsewhere; and a link by
# mail always lets the owner in.
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
# Unknown addresses get a mail too, or response times would tell which ones are known. A classroom may share one IP
# address, so limits by address are enough for forty people.
ACCOUNT_RATE_LIMITS = {"login": None, "signup": "60/m/ip", "reset_password": "10/m/ip,3/h/key"}
# The site's own limits, by client unless said otherwise (evalsite.accounts.rates).
RATE_LIMITS = {
    "login": "120/m",
    "login_failed": "30/m",
    "login_failed_for_address": "5/5m",  # by e-mail address and client
    "open_check": env.str("OPEN_CHECKS", "100/10m"),  # files that are checked without an account
    "check": env.str("CHECKS", "120/h"),  # by person: checks that did not become a run
    "refused_upload": f"{env.int('MAX_REFUSED_UPLOADS', 20)}/10m",  # by person: checking costs time
    "import_bundle": env.str("IMPORTS", "10/h"),  # by person: bundles that are sent to become tasks
    "api": env.str("API_REQUESTS", "1000/10m"),  # by token, and without one by client
    "wrong_token": env.str("WRONG_TOKENS", "30/5m"),
}
MAX_TEAMS_OWNED = env.int("MAX_TEAMS_OWNED", 20)  # by a person
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if PRODUCTION else "http"
# Rate limits count by address: behind a proxy the client's is in X-Forwarded-For.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", 1 if PRODUCTION else 0)
# Logging in elsewhere. An account is never found by its address: whoever has one connects it once logged in.
SOCIALACCOUNT_PROVIDERS, _SIGN_IN_ORIGINS = keys.providers(env)
SOCIALACCOUNT_ADAPTER = "evalsite.accounts.sign_in.adapter.SignInAdapter"
SOCIALACCOUNT_FORMS = {"signup": "evalsite.accounts.forms.ProviderSignupForm"}
MFA_ADAPTER = "evalsite.accounts.adapter.SecondFactorAdapter"
MFA_FORMS = {
    "authenticate": "evalsite.accounts.forms.SecondFactorForm",
    "reauthenticate": "evalsite.accounts.forms.SecondFactorAgainForm",
    "activate_totp": "evalsite.accounts.forms.ActivateAppForm",
}
MFA_TOTP_ISSUER = SITE_NAME
MFA_TOTP_TOLERANCE = 1  # clocks of phones differ by some seconds
# Whether everybody who asks may make tasks at once; to publish one still needs an owner whom an administrator allows.
OPEN_ORGANISING = env.bool("EVALSITE_OPEN_ORGANISING", False)
REQUIRE_STAFF_MFA = env.bool("REQUIRE_STAFF_MFA", PRODUCTION)
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
if PRODUCTION and vars()["EMAIL_BACKEND"].endswith(".console.EmailBackend"):
    raise ImproperlyConfigured(
        "EMAIL_URL is not set, so mails would be printed, with links that confirm addresses and reset passwords, into "
        "the log, and nobody could sign up. Name a mail server: EMAIL_URL=smtp+tls://user:password@host:587"
    )
EMAIL_TIMEOUT = 15  # seconds; without it a silent mail server would block forever
# A worker talks to the mail server, and retries. A laptop prints its mails at once.
MAIL_TRANSPORT = vars()["EMAIL_BACKEND"]
if MAIL_TRANSPORT.endswith(".smtp.EmailBackend"):
    EMAIL_BACKEND = "evalsite.background.outbox.Outbox"
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", "Evalsite <noreply@localhost>")

_CACHE = env.cache_url("CACHE_URL", default="locmemcache://")
if PRODUCTION and not _CACHE["BACKEND"].endswith((".RedisCache", ".LocMemCache", ".DummyCache")):
    raise ImproperlyConfigured(
        "CACHE_URL has to look like rediscache://:password@host:6379/1, or be left out. In Redis or Valkey values are "
        "signed; in another cache they would be code for whoever may write there."
    )
if _CACHE["BACKEND"].endswith(".RedisCache"):
    _CACHE["BACKEND"] = "evalsite.base.cache.ForgivingRedisCache"
_OF_PROCESS = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 200}}
CACHES = {
    "default": _CACHE,
    # What everybody sees: all processes share it where they can. Without Redis it is apart, so that no page pushes out
    # what limits log-ins.
    "pages": _CACHE if _CACHE["BACKEND"].endswith("RedisCache") else _OF_PROCESS | {"LOCATION": "pages"},
    # Rankings and other facts of pages, in each process for itself: they are as quick to read from the database.
    "editions": _OF_PROCESS | {"LOCATION": "editions"},
}
# Not in the cache: whoever can read it would find log-ins, and losing it would lose log-outs.
SESSION_ENGINE = "django.contrib.sessions.backends.db"

# Pages.
TIME_ZONE = "UTC"
USE_TZ = True
DJANGO_TABLES2_TEMPLATE = "includes/table.html"

# Languages: docs/translating.md.
USE_I18N = True
LANGUAGE_CODE = "en"
LANGUAGES = languages()
LOCALE_PATHS = catalogues()
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SECURE = PRODUCTION
FORMAT_MODULE_PATH = "evalsite.formats"

# Safety.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "connect-src": [SELF],
        "frame-src": [NONE],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        # Browsers follow the form of a log-in to where it is redirected by this list alone.
        "form-action": [SELF, *_SIGN_IN_ORIGINS],
        "frame-ancestors": [NONE],
    }
}
# Features of browsers that no page here uses.
_UNUSED = (
    "accelerometer autoplay browsing-topics camera display-capture encrypted-media fullscreen geolocation "
    "gyroscope hid idle-detection magnetometer microphone midi payment picture-in-picture "
    "publickey-credentials-get screen-wake-lock serial usb xr-spatial-tracking"
)
PERMISSIONS_POLICY = ", ".join(f"{name}=()" for name in _UNUSED.split())
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
SECURE_SSL_REDIRECT = PRODUCTION
SECURE_HSTS_SECONDS = 31_536_000 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = PRODUCTION
# A site on the browsers' preload list has HTTPS for good: its owner alone decides that.
SECURE_HSTS_PRELOAD = PRODUCTION and env.bool("HSTS_PRELOAD", False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PRODUCTION else None
SILENCED_SYSTEM_CHECKS = [] if SECURE_HSTS_PRELOAD else ["security.W021"]

# Logs: one event a line, JSON on a server, readable on a terminal.
shared_processors: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    hide_secrets,
]
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *shared_processors,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "lines": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processor": structlog.processors.JSONRenderer()
            if env.bool("JSON_LOGS", PRODUCTION)
            else structlog.dev.ConsoleRenderer(colors=False),
            "foreign_pre_chain": shared_processors,
        }
    },
    "filters": {"without_trace": {"()": WithoutTrace}},
    "loggers": {"django.security.DisallowedHost": {"filters": ["without_trace"]}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", "INFO")},
}
DJANGO_STRUCTLOG_CELERY_ENABLED = True
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG  # the line at a request's end has the same facts

# The token that /metrics requires; without one there is no such page.
METRICS_TOKEN = env.str("METRICS_TOKEN", "")
# Errors go to Sentry, or a compatible service, if its address is set.
SENTRY_DSN = env.str("SENTRY_DSN", "")
if SENTRY_DSN:
    import_module("evalsite.base.error_reports").start(SENTRY_DSN)  # the library is needed only then
