"""Addresses of receipts and of their chain."""

from django.urls import path

from evalsite.contrib.receipts import views

urlpatterns = [
    path("submissions/<uuid:pk>/receipt.json", views.submission_receipt, name="submission_receipt"),
    path("receipts/", views.receipts, name="receipts"),
    path("receipts/<str:day>.txt", views.receipts_of_day, name="receipts_of_day"),
]
