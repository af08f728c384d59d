"""Ids as fields of our types; what a name may be is in `studio.story.form.slugs`."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, StringConstraints

from studio.errors import usage
from studio.story.form.slugs import SLUG_PATTERN, slug_fault

SHA256_PATTERN = r"^[0-9a-f]{64}$"

LONGEST_NAME = 200
"""Characters of a name or an alias; more is a passage in the wrong place."""


def _check_slug(text: str) -> str:
    fault = slug_fault(text)
    if fault is not None:
        raise ValueError(fault)
    return text


def refuse_long_names(*names: str) -> None:
    """StudioError (exit 2) where one is a passage in the place of a name."""
    for name in names:
        fault = _name_fault(name)
        if fault is not None:
            raise usage(f"{name[:40]}…: {fault}.", "A few words will do for a name.")


def _name_fault(name: str) -> str | None:
    if len(name) <= LONGEST_NAME:
        return None
    return f"the name has {len(name):,} characters; at most {LONGEST_NAME} are allowed"


def _check_name(text: str) -> str:
    fault = _name_fault(text)
    if fault is not None:
        raise ValueError(fault)
    return text


Name = Annotated[str, AfterValidator(_check_name)]
"""What somebody or something is called; every text of the book is searched for it."""
Slug = Annotated[str, StringConstraints(pattern=SLUG_PATTERN), AfterValidator(_check_slug)]
Sha256 = Annotated[str, StringConstraints(pattern=SHA256_PATTERN)]
