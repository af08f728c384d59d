"""Reads context/: blocks.toml, the templates it names, guidelines and knowledge.

Nothing outside context/ is read, whatever a file says, because it would be sent to a model. A
StudioError from here is exit 5 and names the file and the place in it.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from studio.config.toml_text import parse_toml
from studio.errors import StudioError, damaged
from studio.fsio import Root
from studio.messages import said
from studio.project import layout as places
from studio.project.files import front_matter, load
from studio.project.files.other_hands import own_names
from studio.story.form.slugs import slug_fault
from studio.story.form.validation import check
from studio.story.prompt_config import BlocksFile, Fragment, FragmentKind, FragmentMeta

LARGEST = 64_000
"""The maximum size in bytes of a file below context/."""
_FOLDERS: dict[FragmentKind, str] = {
    "guideline": places.GUIDELINES,
    "knowledge": places.KNOWLEDGE,
}
_HINT = said(
    "Nothing was sent. Name a plain text file below context/, without `..`, or take it out."
)


def blocks_file(root: Root) -> BlocksFile:
    """Returns the content of context/blocks.toml; empty if there is no such file."""
    text = load.text(root, places.BLOCKS)
    if text is None:
        return BlocksFile()
    _refuse_large(places.BLOCKS, text)
    try:
        data = parse_toml(text)
    except (ValueError, RecursionError) as error:
        raise damaged(
            said("{blocks} is not TOML: {error}.", blocks=places.BLOCKS, error=error),
            said("Nothing was sent. Mend the line, or take the file out of the way."),
        ) from error
    return check(BlocksFile, data, places.BLOCKS)


def template(root: Root, file: str, place: str) -> str:
    """Returns the text of a file below context/ that `place` of blocks.toml names."""
    source = f"{places.BLOCKS}, {place}"
    path = f"{_CONTEXT}/{file}"
    if _leaves(file):
        raise damaged(
            said("{source}: {file} is not below context/.", source=source, file=repr(file)), _HINT
        )
    try:
        text = load.text(root, path)
    except StudioError as error:
        raise damaged(f"{source}: {error.problem.message}", _HINT) from error
    if text is None:
        raise damaged(said("{source}: there is no file {path}.", source=source, path=path), _HINT)
    _refuse_large(path, text)
    return text


def fragments(root: Root) -> tuple[Fragment, ...]:
    """Returns all guidelines, then all knowledge, ordered by file name."""
    return tuple(
        _fragment(root, kind, f"{folder}/{name}", name.removesuffix(".md"))
        for kind, folder in _FOLDERS.items()
        for name in own_names(root, folder)
        if name.endswith(".md") and not name.startswith(".")
    )


def read_all(root: Root) -> None:
    """Reads everything under context/ that a prompt could contain; raises for the first fault."""
    for name, agent in blocks_file(root).agents.items():
        for key, file in agent.files():
            template(root, file, f"agents.{name}.{key}")
    fragments(root)


_CONTEXT = str(PurePosixPath(places.BLOCKS).parent)


def _leaves(file: str) -> bool:
    """Whether a path leaves the folder it is relative to, or could do so on any system."""
    parts = PurePosixPath(file).parts
    odd = "\\" in file or ":" in file or any(ord(letter) < 32 for letter in file)
    return odd or not parts or file.startswith("/") or ".." in parts


def _fragment(root: Root, kind: FragmentKind, path: str, stem: str) -> Fragment:
    if fault := slug_fault(stem):
        raise damaged(
            said("{path} cannot be sent: {fault}.", path=path, fault=fault),
            said("Rename the file."),
        )
    text = load.text(root, path) or ""
    _refuse_large(path, text)
    meta, body = front_matter.split_front_matter(text, path)
    return Fragment(stem, kind, check(FragmentMeta, meta, path), body.strip())


def _refuse_large(path: str, text: str) -> None:
    if len(text.encode()) > LARGEST:
        raise damaged(
            said("{path} is larger than {largest} kB.", path=path, largest=LARGEST // 1000),
            said("Nothing was sent. Cut it down: all of it would be sent with every prompt."),
        )
