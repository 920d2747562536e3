"""The address of what is a visitor's own on public pages."""

from django.urls import path

from evalsite.public_pages import views

urlpatterns = [
    path("mine/", views.mine, name="mine"),
]
