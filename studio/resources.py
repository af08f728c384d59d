"""Where the shipped data lives: agents/, schemas/, themes/, docs/ and sample-project/.

The only module that knows. In a wheel they are under `studio/_data`; in a
checkout they are the folders beside `studio/`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def data_root() -> Path:
    """The folder that holds the shipped data folders."""
    package = Path(__file__).resolve().parent
    packed = package / "_data"
    return packed if packed.is_dir() else package.parent


def agents_dir() -> Path:
    """Built-in agent prompts, one Markdown file an agent."""
    return data_root() / "agents"


def schemas_dir() -> Path:
    """JSON Schemas generated from the types in `studio.story`."""
    return data_root() / "schemas"


def themes_dir() -> Path:
    """Colour themes of the app."""
    return data_root() / "themes"


def sample_project_dir() -> Path:
    """The sample novel. Read only: whoever opens it opens a copy."""
    return data_root() / "sample-project"


def docs_dir() -> Path:
    """The pages of the documentation, Markdown; a folder that may be missing from a copy."""
    return data_root() / "docs"
