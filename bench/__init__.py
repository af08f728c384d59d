"""Benchmarks: each measures the studio against a reference in the same run (performance.md).

A module here is a benchmark if it has a function `rows()` that returns `Row`s.
"""

from __future__ import annotations
