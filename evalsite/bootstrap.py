"""Prepares the project's own virtual environment before anything else is imported; standard library only.

This file and manage.py keep to the syntax of Python 3.6, so that an old Python still reaches the sentence
which says that it is too old.
"""

import contextlib
import hashlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

try:
    import fcntl
except ImportError:  # Windows: two first starts at once are not kept apart there
    fcntl = None

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OLDEST_PYTHON = (3, 11)
INSTALLING = "installing"
SHOWN = r"Collecting |Processing |Installing |WARNING: Retrying| \+ "  # of pip's lines, and uv's


class BootstrapError(Exception):
    """Something that the reader of the message can put right."""


def ensure_environment(argv, root=ROOT):
    """Returns inside an environment that has what the command needs; may restart the command there."""
    if sys.version_info[:2] < OLDEST_PYTHON:
        sys.exit(too_old(sys.version_info, sys.executable))
    if os.environ.get("EVALSITE_BOOTSTRAP") == "0":
        return
    venv = os.path.join(root, ".venv")
    requirements = os.path.join(root, requirements_for(argv))
    try:
        if not is_ready(venv, requirements):
            prepare(venv, requirements)
    except BootstrapError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("\nInterrupted while preparing .venv; the next start begins anew.")
    if os.path.realpath(sys.prefix) != os.path.realpath(venv):
        restart(python_of(venv))


def requirements_for(argv):
    """The lock file, whose hashes the installer compares with what it gets."""
    return "requirements-dev-lock.txt" if argv[1:2] == ["test"] else "requirements-lock.txt"


def is_ready(venv, requirements):
    """Whether the last installation was completed, of these very requirements, for this very interpreter."""
    python = python_of(venv)
    complete = os.path.exists(os.path.join(venv, "pyvenv.cfg")) and os.path.exists(python)
    return complete and digest(requirements, python) in read_stamp(venv)


def prepare(venv, requirements):
    """Creates, repairs or completes the environment, one process at a time."""
    with end_on_sigterm(), locked(venv) as lock:
        if is_ready(venv, requirements):
            return
        uv = find_uv(os.environ)
        if read_stamp(venv) == [INSTALLING] or not is_usable(python_of(venv), uv):
            create(venv, uv)
        install(venv, requirements, uv, lock)


def python_of(venv):
    return os.path.join(venv, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))


def digest(requirements, python):
    """Names the content of a requirements file, with all that it includes, and the interpreter it is for."""
    content = hashlib.sha256(os.path.realpath(python).encode())
    for path in with_included(requirements):
        with open(path, "rb") as file:
            content.update(b"\0" + file.read())
    return content.hexdigest()


def with_included(requirements):
    """The file itself and those that its `-r` lines name, each included one after the one that names it."""
    paths = [requirements]
    with open(requirements, encoding="utf-8") as file:
        for name in re.findall(r"^-r\s+(\S+)", file.read(), re.MULTILINE):
            paths += with_included(os.path.join(os.path.dirname(requirements), name))
    return paths


def read_stamp(venv):
    """Digests of what is installed; only INSTALLING while, or after, an installation that did not end."""
    try:
        with open(stamp_of(venv), encoding="ascii") as file:
            return file.read().split()
    except FileNotFoundError:
        return []


def write_stamp(venv, lines):
    with open(stamp_of(venv), "w", encoding="ascii") as file:
        file.write("\n".join(lines))


def stamp_of(venv):
    return os.path.join(venv, ".installed")


@contextlib.contextmanager
def end_on_sigterm():
    """Lets SIGTERM end the installer too; Python by itself turns only Ctrl-C into an exception."""
    previous = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


@contextlib.contextmanager
def locked(venv):
    """Holds the environment's lock; gives its file, which stays locked while any process has it open."""
    try:
        os.makedirs(venv, exist_ok=True)
        file = open(lock_of(venv), "w")  # noqa: SIM115 - closed two lines below
    except OSError as error:
        raise BootstrapError(not_writable(venv, error)) from error
    with file:
        if fcntl:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("Another start is preparing .venv; waiting for it.")
                fcntl.flock(file, fcntl.LOCK_EX)
        yield file


def lock_of(venv):
    return os.path.join(venv, ".lock")


def find_uv(environ):
    """Where a working uv is; None also if only pip has settings (its index, say): uv does not read them."""
    uv = shutil.which("uv", path=environ.get("PATH"))
    if not uv or (is_configured("PIP_", pip_files(environ), environ) and not is_configured("UV_", (), environ)):
        return None
    # A shim of a version manager may stand on PATH without a uv behind it.
    return uv if is_successful([uv, "--version"]) else None


def is_configured(prefix, files, environ):
    return any(name.startswith(prefix) for name in environ) or any(os.path.exists(path) for path in files)


def pip_files(environ):
    home = os.path.expanduser("~")
    config = environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    return (
        "/etc/pip.conf",
        "/etc/xdg/pip/pip.conf",
        os.path.join(config, "pip", "pip.conf"),
        os.path.join(home, ".pip", "pip.conf"),
        os.path.join(home, "Library", "Application Support", "pip", "pip.conf"),
        os.path.join(environ.get("APPDATA", home), "pip", "pip.ini"),
    )


def is_usable(python, uv):
    """Whether there is an interpreter, young enough, that can be installed into."""
    need_pip = "" if uv else "import pip; "
    return is_successful([python, "-c", f"{need_pip}import sys; sys.exit(sys.version_info < {OLDEST_PYTHON})"])


def is_successful(command):
    try:
        return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def create(venv, uv):
    if os.path.islink(venv):
        raise BootstrapError(
            f"{venv} leads to an environment that is not as it should be, and may be somebody else's. Remove the link, "
            "or start with EVALSITE_BOOTSTRAP=0 to use it as it is."
        )
    if os.path.exists(os.path.join(venv, "pyvenv.cfg")):
        say("Making .venv anew, since the one here is incomplete.")
    else:
        say("Creating .venv")
    if not has_modules("venv") or not (uv or has_modules("ensurepip")):
        raise BootstrapError(venv_missing(sys.version_info))
    empty(venv)
    command = [sys.executable, "-m", "venv", venv] + (["--without-pip"] if uv else [])
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    if process.returncode:
        raise BootstrapError(f"{process.stdout}\nThe virtual environment {venv} could not be made; see above.")


def has_modules(*names):
    return all(importlib.util.find_spec(name) for name in names)


def empty(venv):
    """Removes everything but the lock, which we hold."""
    for entry in list(os.scandir(venv)):
        if entry.path == lock_of(venv):
            continue
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.remove(entry.path)


def install(venv, requirements, uv, lock):
    python = python_of(venv)
    name, count = os.path.basename(requirements), count_packages(requirements)
    say(f"Installing {name} with {'uv' if uv else 'pip'}: {count} packages, once.")
    write_stamp(venv, [INSTALLING])
    started = time.monotonic()
    status, output = run_installer(installer(python, requirements, uv), lock)
    if status:
        # The installer ended by itself, so what it had installed before is still whole.
        write_stamp(venv, [])
        raise BootstrapError(install_failed(output, name))
    write_stamp(venv, [digest(path, python) for path in with_included(requirements)])
    say(f"Installed in {time.monotonic() - started:.0f} s")


def count_packages(requirements):
    count = 0
    for path in with_included(requirements):
        with open(path, encoding="utf-8") as file:
            count += sum(1 for line in file if re.match(r"\w", line))
    return count


def installer(python, requirements, uv):
    if uv:
        return [uv, "pip", "install", "--python", python, "--requirement", requirements]
    quiet = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    return [python, "-m", "pip", "install", *quiet, "--requirement", requirements]


def run_installer(command, lock):
    """Shows a line for each package, on a terminal one line with a clock; gives status and whole output."""
    # With the lock open in the installer too, nobody else begins before it has ended, even if we are killed.
    shared = {"pass_fds": (lock.fileno(),)} if fcntl else {}
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    output, done = [], threading.Event()
    clock = threading.Thread(target=show_clock, args=(output, done))
    with subprocess.Popen(command, cwd=ROOT, errors="replace", **pipes, **shared) as process:
        try:
            if sys.stdout.isatty():
                clock.start()
            for line in process.stdout:
                output.append(line)
                if not clock.is_alive() and re.match(SHOWN, line):
                    say("  " + re.sub(r"\S*/", "", line.strip())[:100])
            process.wait()
        finally:
            done.set()
            if clock.is_alive():
                clock.join()
            process.terminate()  # if we were interrupted; one that has ended does not hear it
    return process.returncode, "".join(output)


def show_clock(output, done):
    started = time.monotonic()
    width = shutil.get_terminal_size().columns - 1
    while not done.wait(0.5):
        latest = output[-1].strip() if output else ""
        sys.stdout.write(f"\r\033[K{f'  {time.monotonic() - started:3.0f} s  {latest}'[:width]}")
        sys.stdout.flush()
    sys.stdout.write("\r\033[K")
    sys.stdout.flush()


def restart(python):
    """Runs the same command line, options of the interpreter included, with the environment's Python."""
    sys.stdout.flush()
    command = [python] + sys.orig_argv[1:]
    if os.name == "nt":  # where exec returns to the shell at once and leaves the new process behind
        sys.exit(subprocess.call(command))
    os.execv(python, command)


def say(text):
    print(text, flush=True)


def too_old(version, executable):
    needed, found = "{}.{}".format(*OLDEST_PYTHON), "{}.{}".format(*version)
    return f"Evalsite needs Python {needed} or newer; {executable} is Python {found}."


def venv_missing(version):
    package = "python{}.{}-venv".format(*version)
    return (
        "This Python comes without venv and ensurepip, which Evalsite needs to make its environment.\n"
        f"On Debian and Ubuntu: apt install {package}\n"
        "Or install requirements-lock.txt yourself and set EVALSITE_BOOTSTRAP=0."
    )


def not_writable(venv, error):
    return (
        f"{venv} can't be written ({error.strerror}), so nothing can be installed there.\n"
        "Make the folder writable, or install requirements-lock.txt yourself and set EVALSITE_BOOTSTRAP=0."
    )


def install_failed(output, name):
    unreachable = re.search(
        r"NameResolutionError|NewConnectionError|ConnectTimeout|ProxyError|Failed to establish|timed out"
        r"|Connection refused|Temporary failure in name resolution|Network is unreachable|Failed to fetch",
        output,
    )
    advice = (
        "The package index can't be reached. Is there a network?\n"
        "A mirror or a proxy is taken from pip's own settings (PIP_INDEX_URL, HTTPS_PROXY, pip.conf)."
        if unreachable
        else "The installer's output is above."
    )
    return f"{output}\nInstalling {name} failed. {advice}"
