"""Benchmarks, each of which compares the studio with a reference in the same run (README.md).

A module of this package is a benchmark if it has a function `rows()` that returns `Row`s.
"""

from __future__ import annotations
