"""Packed bytes: how much they may become, so that a small file from anybody fills no memory."""

from __future__ import annotations

import zlib

_ALWAYS = 64 * 1024 * 1024
_RATIO = 16
"""Prose packs to a quarter, logs of calls to a tenth. What packs better and is large is no book."""


def most_unpacked(packed_size: int) -> int:
    """Bytes that so many packed ones may become."""
    return max(_ALWAYS, _RATIO * packed_size)


def packed(data: bytes) -> bytes:
    """Compressed with zlib, never further than `unpacked` allows."""
    small = zlib.compress(data, 6)
    return small if len(data) <= most_unpacked(len(small)) else zlib.compress(data, 0)


def unpacked(data: bytes) -> bytes | None:
    """What `packed` was given; None for anything else, and for more than it may become."""
    most, stream = most_unpacked(len(data)), zlib.decompressobj()
    try:
        found = stream.decompress(data, most)
    except zlib.error:
        return None
    return found if stream.eof else None
