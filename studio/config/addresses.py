"""Which servers are the vendor's or on this machine, and where a key may be sent."""

from __future__ import annotations

from urllib.parse import urlsplit

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
