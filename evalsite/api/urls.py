"""Addresses of the API, of its reference, and of the page of one's tokens."""

from django.urls import path

from evalsite.api import views
from evalsite.api.api import api

urlpatterns = [
    path("api/", views.reference, name="api_reference"),
    path("api/v1/", api.urls),
    path("profile/tokens/", views.tokens, name="tokens"),
    path("profile/tokens/new/", views.token_create, name="token_create"),
    path("profile/tokens/<uuid:pk>/revoke/", views.token_revoke, name="token_revoke"),
]
