"""Addresses of the API, of its reference, and of the page of one's tokens."""

from django.urls import URLResolver, path
from django.urls.resolvers import RoutePattern

from evalsite.api import views

urlpatterns = [
    path("api/", views.reference, name="api_reference"),
    # By the name of its module, where `include` would load it at once, in workers too.
    URLResolver(RoutePattern("api/v1/"), "evalsite.api.version_1", app_name="ninja", namespace="api"),
    path("profile/tokens/", views.tokens, name="tokens"),
    path("profile/tokens/new/", views.token_create, name="token_create"),
    path("profile/tokens/<uuid:pk>/revoke/", views.token_revoke, name="token_revoke"),
]
