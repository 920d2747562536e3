"""Gunicorn behind the proxy: `gunicorn --config deploy/gunicorn.conf.py evalsite.wsgi`, once for pages and once for
uploads.

Options of the command line override this file, such as `--bind 10.0.0.5:8000 --forwarded-allow-ips 10.0.0.1` where the
proxy has a machine of its own.
"""

# Only the proxy connects: it buffers slow clients, and its headers say who the client is.
bind = "127.0.0.1:8000"
forwarded_allow_ips = "127.0.0.1"
# Two processes, since Python computes in one thread of each; threads, since requests mostly wait for the database.
# There are more threads than CHECKS_AT_ONCE and CHECKS_WAITING together, so that checks of files leave some for other
# pages. The unit of pages, which checks no files, has four: more of them only take turns in the same two processes.
# Each thread has a connection to the database; a process takes some 250 MB.
worker_class = "gthread"
workers = 2
threads = 8
# Seconds without a heartbeat of a whole process; a request may take as long as the proxy waits for its answer.
timeout = 60
# Seconds that requests under way have when the site is stopped or reloaded.
graceful_timeout = 30
# Longer than the proxy keeps idle connections open, so that it never sends a request into one that is being closed.
keepalive = 75
# The heartbeat touches a file: on a disk that hangs, all processes would be taken for dead.
worker_tmp_dir = "/dev/shm"
# Longer than any address or header of ours.
limit_request_line = 4094
limit_request_fields = 60
limit_request_field_size = 8190
# Processes are replaced now and then, so that leaks do not add up; the jitter keeps them from ending together.
max_requests = 50_000
max_requests_jitter = 5_000
# A program could change the site at run time by it; nobody needs that, and the socket would lie in the home folder.
control_socket_disable = True
# The site's own log has the requests, with keys cut out of addresses, and so has the proxy's. Gunicorn's would have
# the keys.
accesslog = None
# Gunicorn's own messages go where the site's go.
errorlog = "-"
