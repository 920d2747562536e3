"""Runs a part of the suite that knows the site's models: `python -m tests.chaos.inside checks FOLDER`."""

import os
import runpy
import sys

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evalsite.settings")
    django.setup()
    part = sys.argv.pop(1)
    runpy.run_module(f"tests.chaos.{part}", run_name="__main__")
