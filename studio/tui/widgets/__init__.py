"""The widgets that make up a screen, each drawn from values that the views prepare."""

from __future__ import annotations
