"""Builds zip archives whose bytes depend only on their contents."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

_WHEN = (1980, 1, 1, 0, 0, 0)
"""The earliest timestamp that a zip can hold."""
_PLAIN_FILE = 0o100644 << 16


def pack(members: Sequence[tuple[str, bytes]], stored: Sequence[str] = ()) -> bytes:
    """Packs the members in the given order; all but those in `stored` are compressed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, _WHEN)
            info.create_system = 3
            info.external_attr = _PLAIN_FILE
            deflate = name not in stored
            info.compress_type = zipfile.ZIP_DEFLATED if deflate else zipfile.ZIP_STORED
            archive.writestr(info, data, compresslevel=9 if deflate else None)
    return buffer.getvalue()
