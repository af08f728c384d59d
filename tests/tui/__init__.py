"""Tests of the terminal app."""

from __future__ import annotations
