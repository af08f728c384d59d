"""The `---` block of YAML at the beginning of some Markdown files, such as the bible's entries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from studio.errors import damaged
from studio.messages import said
from studio.story.bible_entry import EntryMeta
from studio.story.form.document import Value, to_jsonable
from studio.story.form.front_matter import FrontMatterFault, front_matter
from studio.story.form.ids import Sha256
from studio.story.form.validation import check

_BLOCK = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class Provenance(Value):
    """The text that a derived Markdown file (summary, memory) was made from."""

    chapter: int = Field(ge=1)
    source_sha256: Sha256
    made_from_sha256: Sha256 | None = None
    """The sha256 of the text it was originally made from, if a guarded rewrite carried it over to
    `source_sha256`."""


def split_front_matter(text: str, source: str) -> tuple[dict[str, Any], str]:
    """Returns the block's keys and the text after it; without a block the keys are empty.

    Raises StudioError (exit 5) naming the file and line if the block is not a YAML mapping.
    """
    match = _BLOCK.match(text)
    if match is None:
        return {}, text
    try:
        meta = front_matter(match[1])
    except FrontMatterFault as fault:
        line = "" if fault.line is None else said(" line {line}", line=fault.line + 1)
        raise damaged(
            said(
                "The front matter of {source} cannot be read:{line} {fault}.",
                source=source,
                line=line,
                fault=fault,
            ),
            said("It goes between two `---` lines and holds `key: value` lines."),
        ) from fault
    return meta, text[match.end() :].lstrip("\r\n")


def join(meta: Mapping[str, Any], body: str) -> str:
    """Returns a Markdown file with `meta` (keys sorted) in front of `body`."""
    import yaml

    block = yaml.safe_dump(dict(meta), allow_unicode=True, sort_keys=True, width=1000)
    return f"---\n{block}---\n\n{body.strip()}\n"


def with_provenance(provenance: Provenance, body: str) -> str:
    """Returns a derived Markdown file that names the text it was made from.

    Control characters are removed: a zero byte would make the file unreadable for good.
    """
    meta = {k: v for k, v in to_jsonable(provenance).items() if v is not None}
    return join(meta, _CONTROLS.sub("", body))


def provenance(text: str, source: str) -> Provenance | None:
    """Returns what a derived file was made from; None if it does not say.

    Raises StudioError (exit 5) if the provenance is invalid.
    """
    meta, _ = split_front_matter(text, source)
    fields = {k: v for k, v in meta.items() if k in Provenance.model_fields}
    return check(Provenance, fields, source) if fields else None


def entry_parts(text: str, path: str) -> tuple[EntryMeta, str]:
    """Returns an entry's front matter and the text after it.

    Raises StudioError (exit 5) that names the file, and the key whose value does not fit.
    """
    fields, body = split_front_matter(text, path)
    return check(EntryMeta, fields, path), body
