"""All file changes go through this package: durable, confined to one root, with fault points.

It is the only package that opens files for writing (reliability section 7). A change is on disk
when its function returns; after a kill or power cut a file has either its old or its new content.
Symlinks inside a root are never followed.
"""

from __future__ import annotations

from studio.fsio.fault_points import point
from studio.fsio.flock import close_to_others, hold, in_turn
from studio.fsio.folders import (
    finish_folder,
    make_root,
    refuse_root,
    remove_tree,
    sweep,
    whole_folder,
)
from studio.fsio.guards import guard, unguard
from studio.fsio.looks import remember_looks
from studio.fsio.messages import NOTHING_CHANGED, ChangedOnDisk
from studio.fsio.own_writes import is_own, remember_writes
from studio.fsio.read import (
    Readable,
    displaced_below,
    first_sha,
    parts_of,
    sha256_hex,
    sha256_of,
    stamp_of,
    temporary_below,
)
from studio.fsio.root import Root

__all__ = [
    "NOTHING_CHANGED",
    "ChangedOnDisk",
    "Readable",
    "Root",
    "close_to_others",
    "displaced_below",
    "finish_folder",
    "first_sha",
    "guard",
    "hold",
    "in_turn",
    "is_own",
    "make_root",
    "parts_of",
    "point",
    "refuse_root",
    "remember_looks",
    "remember_writes",
    "remove_tree",
    "sha256_hex",
    "sha256_of",
    "stamp_of",
    "sweep",
    "temporary_below",
    "unguard",
    "whole_folder",
]
