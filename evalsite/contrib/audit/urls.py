"""The address of the audit of a table."""

from django.urls import path

from evalsite.contrib.audit import views

urlpatterns = [path("audit/", views.audit, name="audit")]
