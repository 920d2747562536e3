"""People and teams."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class AccountsConfig(AppConfig):
    name = "evalsite.accounts"
    verbose_name = gettext_lazy("People and teams")
