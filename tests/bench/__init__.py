"""Tests of how the benchmarks measure."""

from __future__ import annotations
