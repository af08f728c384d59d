"""What the app has around it when it is opened, apart from the novel."""

from __future__ import annotations

import os
from pathlib import Path

NAMED = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
"""The models are at an address where nobody listens."""
HOME = Path("/home/mara")
MACHINE = {**NAMED, "HOME": str(HOME)}
"""A writer's machine whose places have the same names in every picture."""


def no_server() -> dict[str, str]:
    """The test's environment, with the models at that address."""
    return {**os.environ, **NAMED}


def with_key() -> dict[str, str]:
    """The test's environment, with a key for the vendor."""
    return {**os.environ, "ANTHROPIC_API_KEY": "k"}


def environ_of(tmp_path: Path, **more: str) -> dict[str, str]:
    """The environment of a writer with nothing of her own yet."""
    state = {"XDG_STATE_HOME": str(tmp_path / "s"), "XDG_CONFIG_HOME": str(tmp_path / "c")}
    plain = {k: v for k, v in os.environ.items() if not k.startswith("ANTHROPIC")}
    return {**plain, **state, **more}
