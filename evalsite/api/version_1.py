"""Addresses of version 1 of the API."""

from evalsite.api.api import api

urlpatterns = api.urls[0]
