"""Addresses of help."""

from django.urls import path

from evalsite.help import views

urlpatterns = [
    path("help/", views.contents, name="help"),
    path("help/<slug:name>/", views.guide, name="guide"),
    path("about/", views.about, name="about"),
]
