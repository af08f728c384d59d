"""The locations of the user's own files, outside of any novel (the XDG folders)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def user_config_path(environ: Mapping[str, str]) -> Path:
    """Returns the path of `$XDG_CONFIG_HOME/studio/config.toml`, by default under `~/.config`."""
    return _xdg(environ, "XDG_CONFIG_HOME", ".config") / "config.toml"


def state_dir(environ: Mapping[str, str]) -> Path:
    """Returns the folder for trust and other machine-specific data: `$XDG_STATE_HOME/studio`."""
    return _xdg(environ, "XDG_STATE_HOME", ".local/state")


def _xdg(environ: Mapping[str, str], variable: str, fallback: str) -> Path:
    folder = environ.get(variable, "")
    if os.path.isabs(folder):  # the XDG specification: a relative path counts as unset
        return Path(folder, "studio")
    return Path(environ.get("HOME") or os.path.expanduser("~"), fallback, "studio")
