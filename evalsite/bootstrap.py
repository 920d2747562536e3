"""Prepares the project's own virtual environment before anything else is imported; standard library only.

This file and manage.py keep to the syntax of Python 3.6, so that an old Python still reaches the sentence
which says that it is too old.
"""

import ast
import contextlib
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import fcntl
except ImportError:  # Windows, where two concurrent first starts may conflict
    fcntl = None

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OLDEST_PYTHON = (3, 11)
LAPTOP, DEVELOPMENT = "requirements-laptop-lock.txt", "requirements-dev-lock.txt"
INSTALLING = "installing"  # the stamp during an installation, and after one that was interrupted
QUIET = ("--no-input", "--disable-pip-version-check", "--progress-bar", "off")
# Options of pip, and uv's for the same.
UV_OPTIONS = {
    "index-url": "--default-index",
    "extra-index-url": "--index",
    "find-links": "--find-links",
    "trusted-host": "--allow-insecure-host",
}
BY_HAND = f"Or install {LAPTOP} yourself and set EVALSITE_BOOTSTRAP=0."


def ensure_environment(argv, root=ROOT):
    """Return inside an environment that has what the command needs; may restart the command there."""
    if sys.version_info[:2] < OLDEST_PYTHON:
        needed, running = "{}.{}".format(*OLDEST_PYTHON), "{}.{}".format(*sys.version_info)
        sys.exit(f"Evalsite needs Python {needed} or newer; {sys.executable} is Python {running}.")
    if os.environ.get("EVALSITE_BOOTSTRAP") == "0":
        return
    venv = os.path.join(root, ".venv")
    name = DEVELOPMENT if argv[1:2] == ["test"] else LAPTOP
    try:
        if not is_ready(venv, root, name):
            prepare(venv, root, name)
    except KeyboardInterrupt:
        sys.exit("\nInterrupted while preparing .venv; the next start begins anew.")
    if os.path.realpath(sys.prefix) != os.path.realpath(venv):
        restart(python_of(venv))


def is_ready(venv, root, name):
    """Return whether the installed packages are those that the file locks, or development's, which include them."""
    wanted = [digest(os.path.join(root, file), python_of(venv)) for file in (name, DEVELOPMENT)]
    return os.path.exists(python_of(venv)) and read_stamp(venv) in wanted


def prepare(venv, root, name):
    """Create, repair or complete the environment, one process at a time."""
    with alone(root) as lock:
        if is_ready(venv, root, name):
            return
        if read_stamp(venv) == INSTALLING or not is_usable(python_of(venv)):
            create(venv)
        install(venv, os.path.join(root, name), lock)


def python_of(venv):
    return os.path.join(venv, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))


def digest(requirements, python):
    """Name the content of a lock file and the interpreter it is for; None where there is no such file."""
    try:
        with open(requirements, "rb") as file:
            return hashlib.sha256(os.path.realpath(python).encode() + b"\0" + file.read()).hexdigest()
    except FileNotFoundError:
        return None


def read_stamp(venv):
    """Return the digest of what is installed; "" where nothing was installed."""
    try:
        with open(stamp_of(venv), encoding="ascii") as file:
            return file.read()
    except OSError:
        return ""


def write_stamp(venv, text):
    with open(stamp_of(venv), "w", encoding="ascii") as file:
        file.write(text)


def stamp_of(venv):
    return os.path.join(venv, ".installed")


@contextlib.contextmanager
def alone(root):
    """Hold the lock of the project's folder, which stays locked while any process has what is given open."""
    if not fcntl:
        yield None
        return
    folder = os.open(root, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another start is preparing .venv; waiting for it.")
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield folder
    finally:
        os.close(folder)


def is_usable(python):
    """Return whether there is an interpreter that is new enough and has pip."""
    test = f"import pip, sys; sys.exit(sys.version_info < {OLDEST_PYTHON})"
    try:
        return subprocess.call([python, "-c", test], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def create(venv):
    if os.path.islink(venv):
        sys.exit(
            f"{venv} leads to an environment that is not as it should be, and may be somebody else's. Remove the link, "
            "or start with EVALSITE_BOOTSTRAP=0 to use it as it is."
        )
    if not all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        package = "python{}.{}-venv".format(*sys.version_info)
        sys.exit(
            "This Python comes without venv and ensurepip, which Evalsite needs to make its environment.\n"
            f"On Debian and Ubuntu: apt install {package}\n{BY_HAND}"
        )
    say("Making .venv anew, since the one here is incomplete." if os.path.exists(venv) else "Creating .venv")
    if subprocess.call([sys.executable, "-m", "venv", "--clear", venv]):
        sys.exit(f"The virtual environment {venv} could not be made; see above.\n{BY_HAND}")


def install(venv, requirements, lock):
    """Install what the file locks, by uv in a part of pip's time, or else by pip; both compare hashes."""
    name = os.path.basename(requirements)
    with open(requirements, encoding="utf-8") as file:
        n_packages = len(re.findall(r"^[\w.-]+(?:\[\S+\])?==", file.read(), re.MULTILINE))
    say(f"Installing the {n_packages} packages of {name}, once.")
    write_stamp(venv, INSTALLING)
    # Children inherit the lock, so that no other start installs before they have ended, even if we are killed.
    shared = {"stdin": subprocess.DEVNULL, **({"pass_fds": (lock,)} if fcntl else {})}
    if not install_with_uv(venv, requirements, shared) and not install_with_pip(venv, requirements, n_packages, shared):
        # It ended by itself, so what was installed before is still whole.
        write_stamp(venv, "")
        sys.exit(
            f"Installing {name} failed; see above. Where the package index cannot be reached: a mirror or a proxy is\n"
            "taken from pip's own settings (PIP_INDEX_URL, HTTPS_PROXY, pip.conf)."
        )
    write_stamp(venv, digest(requirements, python_of(venv)))


def install_with_uv(venv, requirements, shared):
    """Return whether uv could be had, and has installed all; what it complains of, pip will say."""
    locked = locked_uv(os.path.join(os.path.dirname(requirements), DEVELOPMENT))
    if not locked:
        return False
    folder = tempfile.mkdtemp()
    try:
        path = os.path.join(folder, "uv.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(locked)
        wheel = ["--no-deps", "--only-binary", ":all:", "--requirement", path]
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        if subprocess.call([*pip_of(venv), "install", *QUIET, *wheel], **silent, **shared):
            return False
        uv = os.path.join(os.path.dirname(python_of(venv)), "uv.exe" if os.name == "nt" else "uv")
        options, environ = settings_for_uv(settings_of_pip(venv))
        command = [uv, "pip", "install", "--require-hashes", "--python", python_of(venv), *options, "-r", requirements]
        # uv draws its progress into one line, and only on a terminal.
        quiet = {} if sys.stderr.isatty() else silent
        return subprocess.call(command, env={**os.environ, **environ}, **quiet, **shared) == 0
    except OSError:  # uv is for another machine
        return False
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def locked_uv(lock_file):
    """Return the lines that lock uv with its hashes; "" where there are none."""
    try:
        with open(lock_file, encoding="utf-8") as file:
            match = re.search(r"^uv==.*\n(?:[ \t].*\n?)*", file.read(), re.MULTILINE)
    except FileNotFoundError:
        return ""
    return match.group() if match else ""


def settings_of_pip(venv):
    """Return what pip's files and variables set, by the long name of the option."""
    command = [*pip_of(venv), "config", "list"]
    listed = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    settings = {}
    # What is for all commands, then what is for `install`, then variables: each outdoes the ones before.
    for section in ("global.", "install.", ":env:."):
        for line in listed.stdout.splitlines():
            key, _, value = line.partition("=")
            if key.startswith(section):
                settings[key[len(section) :]] = ast.literal_eval(value)
    return settings


def settings_for_uv(settings):
    """Return uv's options and variables that do what these settings do for pip, which uv does not read."""
    # Like pip, take the locked file from whichever place has it: its hash says that it is the right one.
    options = ["--index-strategy", "unsafe-best-match"]
    for key, option in UV_OPTIONS.items():
        for value in settings.get(key, "").split():
            options += [option, value]
    if settings.get("no-index", "0").lower() in ("1", "true", "yes", "on"):
        options.append("--no-index")
    environ = {}
    if "cert" in settings:
        environ["SSL_CERT_FILE"] = settings["cert"]
    if "proxy" in settings:
        environ["ALL_PROXY"] = settings["proxy"]
    return options, environ


def install_with_pip(venv, requirements, n_packages, shared):
    """Return whether pip has installed all, and count the packages in one line of a terminal."""
    command = [*pip_of(venv), "install", *QUIET, "--requirement", requirements]
    n = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **shared) as process:
        for line in process.stdout:
            n += line.startswith("Collecting ")
            if sys.stdout.isatty():
                print(f"\r  {n} of {n_packages}", end="" if process.poll() is None else "\n", flush=True)
    if sys.stdout.isatty():
        print()
    return process.returncode == 0


def pip_of(venv):
    return [python_of(venv), "-m", "pip"]


def restart(python):
    """Run the same command line, options of the interpreter included, with the environment's Python."""
    sys.stdout.flush()
    command = [python] + sys.orig_argv[1:]
    if os.name == "nt":  # where exec returns to the shell at once and leaves the new process behind
        sys.exit(subprocess.call(command))
    os.execv(python, command)


def say(text):
    print(text, flush=True)
