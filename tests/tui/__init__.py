"""Tests of the app."""

from __future__ import annotations
