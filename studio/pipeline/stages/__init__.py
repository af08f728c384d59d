"""The stages, one module each. Stages do not import each other."""

from __future__ import annotations
