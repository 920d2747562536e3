from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class BundlesConfig(AppConfig):
    name = "evalsite.bundles"
    verbose_name = gettext_lazy("bundles")
