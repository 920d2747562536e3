"""Gunicorn behind the proxy: `gunicorn --config deploy/gunicorn.conf.py evalsite.wsgi`."""

bind = "127.0.0.1:8000"
worker_class = "gthread"
workers = 2
threads = 8
# Seconds without a sign of life of a whole process; a request may take as long as the proxy waits for its answer.
timeout = 60
graceful_timeout = 30
# The proxy keeps its connections open; other clients have nothing to do here.
keepalive = 35
forwarded_allow_ips = "127.0.0.1"
limit_request_line = 4094
limit_request_fields = 60
limit_request_field_size = 8190
# Now and then a new process, so that what a library leaks does not add up; not all at the same moment.
max_requests = 5_000
max_requests_jitter = 500
control_socket_disable = True
# Requests are in the site's own log, where keys are cut out of addresses. Gunicorn's would have them whole.
accesslog = None
