"""The command line: commands, what they print, and the one place that catches everything."""

from __future__ import annotations
