"""Determines the language of the interface before anything else is loaded."""

from __future__ import annotations

from collections.abc import Mapping

from studio.config.paths import user_config_path
from studio.config.toml_text import parse_toml
from studio.i18n import LANGUAGES, locale_language


def interface_language(environ: Mapping[str, str]) -> str:
    """Returns `interface` from the user's config if it is set, otherwise the locale's language.

    An unreadable file is ignored here; loading the settings reports it.
    """
    try:
        data = user_config_path(environ).read_bytes()
    except OSError:
        return locale_language(environ)
    if b"interface" in data:
        try:
            language = parse_toml(data.decode()).get("interface")
        except (ValueError, RecursionError):
            language = None
        if language in LANGUAGES:
            return str(language)
    return locale_language(environ)
