"""Tags and comments that a page opens and never closes, made the text they are.

Python's parser of HTML looks for the end of each from where it begins (in
versions before 3.11.14 at least) and stops with an error at a declaration
that it does not know, so that a page of a few hundred kB could hold a
program for an hour, or end it.
"""

from __future__ import annotations

_COMMENT, _COMMENT_END = "<!--", "-->"
_DECLARATION = "<!["


def without_unclosed(page: str) -> str:
    """The page with every `<` that begins nothing as `&lt;`.

    A declaration like `<![endif]>` becomes what browsers read it as, a
    comment up to the next `>`.
    """
    commented = page.rfind(_COMMENT_END) + len(_COMMENT_END) if _COMMENT_END in page else 0
    page = page[:commented] + page[commented:].replace(_COMMENT, "&lt;!--")
    tagged = page.rfind(">") + 1
    page = page[:tagged] + page[tagged:].replace("<", "&lt;")
    return page.replace(_DECLARATION, "<! [")
