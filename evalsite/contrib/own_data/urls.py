"""Addresses of one's own data."""

from django.urls import path

from evalsite.contrib.own_data import views

urlpatterns = [
    path("profile/data/", views.own_data, name="own_data"),
    path("profile/data/own-data.zip", views.download, name="own_data_download"),
    path("profile/delete/", views.delete, name="own_data_delete"),
]
