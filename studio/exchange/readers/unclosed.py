"""Escapes tags and comments that a page never closes, so that they are read as text.

Python's HTML parser searches for the end of each one from its start (at least in versions before
3.11.14) and raises an error at an unknown declaration, so a page of a few hundred kB could block a
program for an hour, or crash it.
"""

from __future__ import annotations

_COMMENT, _COMMENT_END = "<!--", "-->"
_DECLARATION = "<!["


def without_unclosed(page: str) -> str:
    """Returns the page with every `<` that begins no tag replaced by `&lt;`.

    A declaration like `<![endif]>` becomes a comment up to the next `>`, as in browsers.
    """
    commented = page.rfind(_COMMENT_END) + len(_COMMENT_END) if _COMMENT_END in page else 0
    page = page[:commented] + page[commented:].replace(_COMMENT, "&lt;!--")
    tagged = page.rfind(">") + 1
    page = page[:tagged] + page[tagged:].replace("<", "&lt;")
    return page.replace(_DECLARATION, "<! [")
