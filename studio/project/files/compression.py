"""Compression with a limit on the unpacked size, so that a small malicious file cannot fill
memory."""

from __future__ import annotations

import zlib

_ALWAYS = 64 * 1024 * 1024
_RATIO = 16
"""The highest accepted ratio: prose packs to a quarter, call logs to a tenth. A large file that
packs better is no book."""


def most_unpacked(packed_size: int) -> int:
    """Returns the maximum unpacked size in bytes of a packed file of this size."""
    return max(_ALWAYS, _RATIO * packed_size)


def pack(data: bytes) -> bytes:
    """Compresses data with zlib, never further than `unpack` allows."""
    small = zlib.compress(data, 6)
    return small if len(data) <= most_unpacked(len(small)) else zlib.compress(data, 0)


def unpack(data: bytes) -> bytes | None:
    """Reverses `pack`; returns None for any other data, or if the result would be too large."""
    limit, stream = most_unpacked(len(data)), zlib.decompressobj()
    try:
        content = stream.decompress(data, limit)
    except zlib.error:
        return None
    return content if stream.eof else None
