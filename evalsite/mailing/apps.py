"""Letters and notices to those who take part."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class MailingConfig(AppConfig):
    name = "evalsite.mailing"
    verbose_name = gettext_lazy("Letters")

    def ready(self) -> None:
        import_module("evalsite.mailing.sending")  # registers the handler, which needs the models
