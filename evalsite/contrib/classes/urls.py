"""Addresses of the desk's pages of a class."""

from django.urls import path

from evalsite.contrib.classes import views

_CLASS = "tasks/<slug:task>/organise/class/"

urlpatterns = [
    path(_CLASS, views.students, name="desk_class"),
    path(f"{_CLASS}list/", views.import_list, name="desk_class_list"),
    path(f"{_CLASS}<uuid:pk>/remove/", views.remove, name="desk_class_remove"),
    path(f"{_CLASS}target/<slug:phase>/", views.target, name="desk_class_target"),
    path(f"{_CLASS}marks/<slug:phase>.csv", views.marks, name="desk_class_marks"),
]
