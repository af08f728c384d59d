"""Environments in which the tests open the app."""

from __future__ import annotations

import os
from pathlib import Path

from tests.fake_messages import FakeMessages

NAMED = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
"""Points the models to an address where nothing listens."""
NO_MODEL = "import sys; sys.modules['xllamacpp'] = None"
"""The `sitecustomize` of a Python without the library that runs the small model."""
HOME = Path("/home/mara")
MACHINE = {**NAMED, "HOME": str(HOME)}
"""A writer's machine whose paths are the same in every picture."""


def no_server() -> dict[str, str]:
    """Returns the test's environment, with the models at an address where nothing listens."""
    return {**os.environ, **NAMED}


def with_key() -> dict[str, str]:
    """Returns the test's environment, with an API key."""
    return {**os.environ, "ANTHROPIC_API_KEY": "k"}


def environ_of(tmp_path: Path, **more: str) -> dict[str, str]:
    """Returns the environment of a writer who has neither settings nor state yet."""
    state = {"XDG_STATE_HOME": str(tmp_path / "s"), "XDG_CONFIG_HOME": str(tmp_path / "c")}
    plain = {k: v for k, v in os.environ.items() if not k.startswith("ANTHROPIC")}
    return {**plain, **state, **more}


def environ_to(tmp_path: Path, server: FakeMessages) -> dict[str, str]:
    """Returns the environment of such a writer, with her key for the server."""
    return environ_of(tmp_path, ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY="k")
