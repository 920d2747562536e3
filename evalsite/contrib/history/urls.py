"""The address of a board's history."""

from django.urls import path

from evalsite.board_pages.urls import BOARD
from evalsite.contrib.history import views

urlpatterns = [path(f"{BOARD}history/", views.history, name="board_history")]
