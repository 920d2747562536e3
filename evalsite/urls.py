"""All addresses of the site."""

from django.contrib import admin
from django.urls import include, path

from evalsite.base import contrib

handler400 = "evalsite.base.error_pages.handle_400"
handler500 = "evalsite.base.error_pages.handle_500"
urlpatterns = [
    # Most requests are for these two; each address before the one that is asked for costs a look.
    path("", include("evalsite.public_pages.urls")),
    path("", include("evalsite.board_pages.urls")),
    *contrib.url_patterns(),
    path("", include("evalsite.desk.urls")),
    path("", include("evalsite.challenges.urls")),
    path("", include("evalsite.submissions.urls")),
    path("", include("evalsite.results.urls")),
    path("", include("evalsite.comparisons.urls")),
    path("", include("evalsite.own_runs.urls")),
    path("", include("evalsite.trials.urls")),
    path("", include("evalsite.api.urls")),
    path("", include("evalsite.accounts.urls")),
    path("", include("evalsite.mailing.urls")),
    path("", include("evalsite.help.urls")),
    path("", include("evalsite.monitoring.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]
