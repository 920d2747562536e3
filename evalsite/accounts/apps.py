"""Who: people and teams."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "evalsite.accounts"
    verbose_name = "People and teams"
