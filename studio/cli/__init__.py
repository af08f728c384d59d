"""The command line: its commands, their output, and the one place that handles all exceptions."""

from __future__ import annotations
