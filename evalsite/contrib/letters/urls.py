"""Addresses of the desk's pages of letters."""

from django.urls import path

from evalsite.contrib.letters import views

_LETTERS = "tasks/<slug:task>/organise/letters/"

urlpatterns = [
    path(_LETTERS, views.letters, name="desk_letters"),
    path(f"{_LETTERS}write/", views.write, name="desk_letters_write"),
    path(f"{_LETTERS}<uuid:pk>/", views.letter, name="desk_letters_one"),
]
