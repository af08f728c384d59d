"""The language of the interface, read before anything else is loaded."""

from __future__ import annotations

from collections.abc import Mapping

from studio.config.paths import user_config_path
from studio.i18n import LANGUAGES, locale_language


def interface_language(environ: Mapping[str, str]) -> str:
    """`interface` in the writer's own config where it is set, else the locale's language.

    A file that cannot be read is complained of by whoever loads the settings.
    """
    try:
        data = user_config_path(environ).read_bytes()
    except OSError:
        return locale_language(environ)
    if b"interface" in data:
        import tomllib

        try:
            language = tomllib.loads(data.decode()).get("interface")
        except (ValueError, RecursionError):
            language = None
        if language in LANGUAGES:
            return str(language)
    return locale_language(environ)
