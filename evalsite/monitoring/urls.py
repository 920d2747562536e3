"""Addresses of the status page; /healthz, /readyz and /metrics are answered by the middleware."""

from django.urls import path

from evalsite.monitoring import views

urlpatterns = [
    path("status/", views.status, name="status"),
    path("robots.txt", views.robots, name="robots"),
    path("favicon.ico", views.Favicon.as_view(), name="favicon"),
]
