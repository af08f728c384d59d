"""The nouns of a novel as frozen values. No module here opens a file or calls a model."""

from __future__ import annotations
