"""What is known of an endpoint: whether it is the vendor's or on this machine, whether a key may be
sent there, and what probing it found, which is kept in this machine's state folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from studio.config.paths import state_dir
from studio.config.state_files import keep_in
from studio.foreign_json import read_json

VENDOR_URL = "https://api.anthropic.com"
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


def is_vendor(base_url: str) -> bool:
    """Whether this is the vendor's own host, reached over a connection nobody else can read."""
    parts = urlsplit(base_url)
    return (parts.scheme, parts.hostname) == ("https", urlsplit(VENDOR_URL).hostname)


def is_loopback(base_url: str) -> bool:
    """Whether this address is on this machine, which no proxy should come before (M9)."""
    return urlsplit(base_url).hostname in LOCAL_HOSTS


def may_carry_a_key(base_url: str) -> bool:
    """Whether a key may go to this address without having been set together with it: the key of
    a vendor is then sent to nobody but that vendor, or stays on this machine (CONTRACTS 12)."""
    return is_vendor(base_url) or is_loopback(base_url)


PROBES_FILE = "probes.json"
_NOTHING: dict[str, Any] = {"facts": {}}


def probes(environ: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Returns the probe result of each endpoint by its base URL (empty for the vendor's own).

    The studio can recreate the file, so an unreadable one counts as no probes.
    """
    return _probes_in(state_dir(environ))


def _probes_in(state: Path) -> dict[str, dict[str, Any]]:
    try:
        data = read_json((state / PROBES_FILE).read_bytes(), dict)
        return {
            url: probe
            for url, probe in data["probes"].items()
            if isinstance(probe, dict) and isinstance(probe.get("facts"), dict)
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def keep_probe(environ: Mapping[str, str], base_url: str, probe: Mapping[str, Any]) -> Path:
    """Saves the result of probing an endpoint; its `facts` are fields of EndpointProfile. A window
    learned earlier is preserved."""
    window = probes(environ).get(base_url, _NOTHING)["facts"].get("window")
    facts = {"window": window, **probe["facts"]} if window else probe["facts"]
    return _keep_probes(state_dir(environ), base_url, {**probe, "facts": facts})


def keep_window(state: Path, base_url: str, window: int) -> Path:
    """Saves an endpoint's context window in tokens, beside its other probe results."""
    probe = _probes_in(state).get(base_url, _NOTHING)
    return _keep_probes(state, base_url, {**probe, "facts": {**probe["facts"], "window": window}})


def _keep_probes(state: Path, base_url: str, probe: Mapping[str, Any]) -> Path:
    all_probes = {**_probes_in(state), base_url: dict(probe)}
    data = json.dumps({"schema_version": 1, "probes": all_probes}, indent=2, sort_keys=True)
    return keep_in(state, PROBES_FILE, f"{data}\n".encode())
