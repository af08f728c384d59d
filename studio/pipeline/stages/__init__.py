"""One module a stage. Stages do not import each other."""

from __future__ import annotations
