"""Packed bytes: how much they may become, so that a small file from anybody fills no memory."""

from __future__ import annotations

import zlib

_ALWAYS = 64 * 1024 * 1024
_RATIO = 16
"""Prose packs to a quarter, logs of calls to a tenth. What packs better and is large is no book."""


def most_unpacked(packed_size: int) -> int:
    """How many bytes a packed file of this size may unpack to."""
    return max(_ALWAYS, _RATIO * packed_size)


def pack(data: bytes) -> bytes:
    """Compressed with zlib, never further than `unpack` allows."""
    small = zlib.compress(data, 6)
    return small if len(data) <= most_unpacked(len(small)) else zlib.compress(data, 0)


def unpack(data: bytes) -> bytes | None:
    """What `pack` was given; None for anything else, and for more than it may become."""
    limit, stream = most_unpacked(len(data)), zlib.decompressobj()
    try:
        content = stream.decompress(data, limit)
    except zlib.error:
        return None
    return content if stream.eof else None
