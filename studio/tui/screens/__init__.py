"""One screen a module, its style in the .tcss of the same name."""

from __future__ import annotations
