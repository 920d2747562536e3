"""A small process that has the engine loaded and forks a child for each job.

It is started with the engine and the standard library alone, so there is no key, no address of a database and no
connection that a child could inherit. A job is a socket that comes in over the control socket and carries lines of JSON
(`evalsite.jobs.sandbox` is the other end). When the other end of a job's socket is closed, or its process has died, the
child is killed; when the control socket ends, so does everything here.

Families that jobs need are loaded here once, and draws that many children need are made here, from numbers alone, so
that children are born with them. For that no file of strangers is ever opened.
"""

import ctypes
import errno
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO

from evalsite.jobs import isolation

# What comes over the control socket, with a socket for the rest.
JOB, SHARED = b"j", b"s"


def main(control: int, modules: list[str]) -> None:
    # Ctrl-C and a polite stop go to the whole group; whoever waits for the jobs decides what becomes of them.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for module in modules:
        importlib.import_module(module).prepare()
    isolation.prepare()
    _settle()
    _Server(socket.socket(fileno=control)).serve()


def _settle() -> None:
    """Reduce the memory that a child has to copy before it writes to it."""
    # Loaded objects stay shared with the children, whose garbage collector would else write to all their pages.
    gc.collect()
    gc.freeze()
    # A child would copy the old content of memory that is free here, page by page, before it uses it.
    with suppress(AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


class _Server:
    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._jobs: dict[int, socket.socket] = {}  # by the child's process
        self._ended, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)

    def serve(self) -> None:
        while True:
            poll = select.poll()
            poll.register(self._control, select.POLLIN)
            poll.register(self._ended, select.POLLIN)
            for job in self._jobs.values():
                poll.register(job, 0)  # only whether the other end is closed: what comes in is the child's to read
            events = dict(poll.poll())
            if self._ended in events:
                os.read(self._ended, 4096)
                self._reap()
            for child, job in self._jobs.items():
                if job.fileno() in events:
                    os.kill(child, signal.SIGKILL)
            if self._control.fileno() in events and not self._take():
                return

    def _take(self) -> bool:
        """Fork a child for the next job, or run what later ones share; return False when no more will come."""
        word, descriptors, _, _ = socket.recv_fds(self._control, 1, 1)
        if not word:
            for child in self._jobs:
                os.kill(child, signal.SIGKILL)
            return False
        if not descriptors:  # this process may open no more files, so the kernel has closed the job's socket
            return True
        job = socket.socket(fileno=descriptors[0])
        if word == SHARED:
            _share(job)
        else:
            self._fork(job)
        return True

    def _fork(self, job: socket.socket) -> None:
        server = os.getpid()
        try:
            child = os.fork()
        except OSError:  # the machine has no memory or no process for it, but what others have begun goes on
            traceback.print_exc()
            job.close()
            return
        if child == 0:
            _run_job(job.fileno(), server)
        self._jobs[child] = job

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while True:
                child, status = os.waitpid(-1, os.WNOHANG)
                if child == 0:
                    return
                with self._jobs.pop(child) as job, suppress(OSError):
                    job.setblocking(False)  # nobody may be there to read it
                    job.send(_line(ended=os.waitstatus_to_exitcode(status)))


def _share(request: socket.socket) -> None:
    """Run the function that was sent before the socket, so that nobody is waited for."""
    try:
        with request, request.makefile("rb") as stream:
            words = json.loads(stream.readline())
        _function(words["function"])(words["arguments"])
    except Exception:
        traceback.print_exc()  # each child can still make it
    _settle()


def _run_job(job: int, server: int) -> None:
    """Do the job in the child, and never return."""
    sys.dont_write_bytecode = True  # children read strangers' files: they write nothing beside their own
    try:
        signal.set_wakeup_fd(-1)
        isolation.die_with_parent()
        # Neither the sockets of other jobs nor anything else that the server has open.
        os.closerange(3, job)
        os.closerange(job + 1, os.sysconf("SC_OPEN_MAX"))
        if os.getppid() == server:
            _work(job)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def _work(job: int) -> None:
    with open(job, "rb", closefd=False) as stream:
        if line := stream.readline():  # none where what the job needs could not be made, as on a full disk
            _do_parts(job, stream, **json.loads(line))
    os._exit(0)


def _do_parts(job: int, stream: BinaryIO, function: str, limits: dict[str, Any]) -> None:
    do = _function(function)
    missing = isolation.restrict(**limits)
    for part in range(limits["parts"]):
        line = stream.readline()
        if not line:  # nobody asks for the other parts
            return
        if part:
            isolation.grant(limits["seconds"])
        _tell(job, _line(begun=missing))
        _tell(job, _outcome(do, json.loads(line), lambda step: _tell(job, _line(step=step))))


def _outcome(function: Callable[..., Any], arguments: dict[str, Any], on_step: Callable[[str], None]) -> bytes:
    try:
        return _line(answer=function(arguments, on_step))
    except MemoryError:
        pass  # answered below, when the memory of its frames is free again
    except OSError as error:
        return _line(broken="size") if error.errno == errno.EFBIG else _crash(error)
    except Exception as error:
        return _crash(error)
    return _line(broken="memory")


def _function(title: str) -> Callable[..., Any]:
    module, _, name = title.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function


def _crash(error: Exception) -> bytes:
    number = error.errno if isinstance(error, OSError) else None
    return _line(crashed=f"{type(error).__name__}: {error}", errno=number, trace=traceback.format_exc())


def _tell(job: int, line: bytes) -> None:
    left = line
    while left:
        left = left[os.write(job, left) :]


def _line(**words: Any) -> bytes:
    # It begins with a line break too: a child may have been killed in the middle of a line.
    return b"\n%b\n" % json.dumps(words).encode()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
