"""Locates the shipped data: agents/, schemas/, themes/, docs/ and sample-project/.

Only this module knows the paths. In a wheel they are under `studio/_data`; in a checkout they are
the folders beside `studio/`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from studio.i18n import N_

SAMPLE_TITLE = "The Returns Book"
"""The title of the sample novel, by which its copies are known."""
IN_ENGLISH = N_(
    "The sample novel is in English, because the small model for trying the studio writes nothing "
    "else. Your own may be in English, Korean or Chinese."
)
"""What is said of the sample where the studio speaks another language."""


@cache
def data_root() -> Path:
    """Returns the folder that contains the shipped data folders."""
    package = Path(__file__).resolve().parent
    packed = package / "_data"
    return packed if packed.is_dir() else package.parent


def agents_dir() -> Path:
    """Returns the folder of the built-in agent prompts, one Markdown file per agent."""
    return data_root() / "agents"


def schemas_dir() -> Path:
    """Returns the folder of the JSON Schemas generated from the types in `studio.story`."""
    return data_root() / "schemas"


def themes_dir() -> Path:
    """Returns the folder of the app's colour themes."""
    return data_root() / "themes"


def sample_project_dir() -> Path:
    """Returns the folder of the sample novel. It is read-only: opening it opens a copy."""
    return data_root() / "sample-project"


def docs_dir() -> Path:
    """Returns the folder of the documentation in Markdown, which may be missing from a copy."""
    return data_root() / "docs"
