"""The site for programs: a REST API over the same services as the pages."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "evalsite.api"
    verbose_name = "API"
