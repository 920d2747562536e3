"""Gunicorn behind the proxy: `gunicorn --config deploy/gunicorn.conf.py evalsite.wsgi`, once for pages and once for
uploads.

A word of the command line goes before what stands here, such as `--bind 10.0.0.5:8000 --forwarded-allow-ips 10.0.0.1`
where the proxy has a machine of its own.
"""

# Nobody but the proxy: it alone waits for slow clients, and its word on who the client is is believed.
bind = "127.0.0.1:8000"
forwarded_allow_ips = "127.0.0.1"
# Two processes, since Python computes in one thread of each; threads, since requests wait for the database most of
# their time. They are more than CHECKS_AT_ONCE and CHECKS_WAITING together, so that files which are opened for a page
# leave some for other pages. Each has a connection to the database. A process has some 250 MB.
worker_class = "gthread"
workers = 2
threads = 8
# Seconds without a sign of life of a whole process; a request may take as long as the proxy waits for its answer.
timeout = 60
# Seconds that requests under way have when the site is stopped or loaded anew.
graceful_timeout = 30
# Longer than the proxy keeps idle connections open, so that it never sends a request into one that is being closed.
keepalive = 75
# The sign of life is a file that is touched: on a disk that hangs, all processes would be taken for dead.
worker_tmp_dir = "/dev/shm"
# Longer than any address or header of ours.
limit_request_line = 4094
limit_request_fields = 60
limit_request_field_size = 8190
# Now and then a new process, so that what a library leaks does not add up; not all at the same moment.
max_requests = 50_000
max_requests_jitter = 5_000
# By it a program could change the site at run time; nobody asked for one, and it would lie in the user's home folder.
control_socket_disable = True
# Requests are in the site's own log, where keys are cut out of addresses, and in the proxy's. Gunicorn's would have the
# keys whole.
accesslog = None
# What it says of itself goes where the site's lines go.
errorlog = "-"
