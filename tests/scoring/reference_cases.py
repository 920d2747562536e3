"""Says what the reference cases of several families share: how their files are laid out, and how near numbers are."""

import base64
import zipfile

import pytest


def write(folder, given):
    """The path of the files, laid out as a case says."""
    folder.mkdir(parents=True)
    files = {
        path: base64.b64decode(content["base64"]) if isinstance(content, dict) else content.encode()
        for path, content in given["files"].items()
    }
    way = given.get("as", "file" if len(files) == 1 else "folder")
    if way == "zip":
        with zipfile.ZipFile(folder / "upload.zip", "w") as archive:
            for path, content in files.items():
                archive.writestr(path, content)
        return folder / "upload.zip"
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder / next(iter(files)) if way == "file" else folder


def close(value):
    if isinstance(value, dict):
        return {key: close(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [close(inner) for inner in value]
    return pytest.approx(value, rel=1e-9, abs=1e-9) if isinstance(value, float) else value


def only(record, columns):
    return {name: record[name] for name in columns}
