"""Every change of a file in one place: durable, under one root, and with points to fail at.

The only module that opens files for writing (reliability section 7). A change
is on the disk when its function returns; after a kill or a power cut a file is
the old one or the new one. Links inside a root are never followed.
"""

from __future__ import annotations

from studio.fsio.fault_points import point
from studio.fsio.flock import close_to_others, hold, in_turn
from studio.fsio.folders import finish_folder, make_root, remove_tree, sweep, whole_folder
from studio.fsio.guards import guard, unguard
from studio.fsio.messages import NOTHING_CHANGED, ChangedOnDisk
from studio.fsio.open_writers import stamp_of
from studio.fsio.own_writes import is_own, remember_writes
from studio.fsio.read import Readable, sha256_hex, sha256_of
from studio.fsio.root import Root

__all__ = [
    "NOTHING_CHANGED",
    "ChangedOnDisk",
    "Readable",
    "Root",
    "close_to_others",
    "finish_folder",
    "guard",
    "hold",
    "in_turn",
    "is_own",
    "make_root",
    "point",
    "remember_writes",
    "remove_tree",
    "sha256_hex",
    "sha256_of",
    "stamp_of",
    "sweep",
    "unguard",
    "whole_folder",
]
