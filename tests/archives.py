"""Archives for uploads; no Django, as the chaos suite's people have none."""

import io
import zipfile
from collections.abc import Mapping


def zip_of(files: Mapping[str, str | bytes]) -> bytes:
    """Return an archive with equal bytes for equal files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
