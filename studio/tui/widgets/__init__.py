"""The parts a screen is made of."""

from __future__ import annotations
