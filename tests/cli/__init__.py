"""What the command line says, and with which exit code it ends."""

from __future__ import annotations
