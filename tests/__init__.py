"""Tests of the studio; the tree mirrors the package."""

from __future__ import annotations
