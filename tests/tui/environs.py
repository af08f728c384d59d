"""What the app has around it when it is opened, apart from the novel."""

from __future__ import annotations

import os


def no_server() -> dict[str, str]:
    """The test's environment, with the models at an address where nobody listens."""
    return {**os.environ, "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}


def with_key() -> dict[str, str]:
    """The test's environment, with a key for the vendor."""
    return {**os.environ, "ANTHROPIC_API_KEY": "k"}
