"""Addresses of the switches of mail."""

from django.urls import path

from evalsite.mailing import views

urlpatterns = [
    path("profile/mail/", views.switches, name="mail_switches"),
    path("mail/switch/<str:token>/", views.switch_one, name="mail_switch"),
]
