"""The pages of a result: what a submission's stored numbers say."""

from django.apps import AppConfig


class ResultsConfig(AppConfig):
    name = "evalsite.results"
