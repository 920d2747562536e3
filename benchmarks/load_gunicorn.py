"""Gunicorn as `deploy/` has it, which also notes what each request took: its kind and processor milliseconds.

For load.py: the client names the kind in a header while it counts. The file is named by the variable REQUESTS_LOG.
"""

import os
import runpy
import threading
import time
from pathlib import Path
from typing import Any

globals().update(runpy.run_path(str(Path(__file__).parent.parent / "deploy/gunicorn.conf.py")))

_clock = threading.local()  # a request begins and ends in one thread


def pre_request(worker: Any, request: Any) -> None:
    _clock.began = time.thread_time()


def post_request(worker: Any, request: Any, environ: dict[str, Any], response: Any) -> None:
    took = 1000 * (time.thread_time() - _clock.began)
    if kind := environ.get("HTTP_X_KIND"):
        with open(os.environ["REQUESTS_LOG"], "a", encoding="utf-8") as log:
            log.write(f"{kind}\t{took:.2f}\n")
