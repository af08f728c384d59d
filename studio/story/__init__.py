"""The nouns of a novel as frozen values. Nothing here opens a file or calls a model."""

from __future__ import annotations
