"""The address of an entry's record."""

from django.urls import path

from evalsite.contrib.records import views

urlpatterns = [
    path("tasks/<slug:task>/<slug:phase>/entries/<uuid:pk>/record.json", views.entry_record, name="entry_record"),
]
