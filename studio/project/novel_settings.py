"""The settings of one novel, which may come from anybody: what of them takes a decision from the
writer counts only once she agreed to it on this machine, and what speaks to the models is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from studio.config.catalog import Home, Setting, all_settings
from studio.config.load import change_setting, load_settings, state_dir
from studio.config.schema import LENGTHS, Settings
from studio.errors import StudioError
from studio.fsio import Root, sha256_hex
from studio.messages import Said, said, series
from studio.project import layout as places
from studio.project.files.other_hands import own_names
from studio.story.form.document import encode

AUTO_ACCEPT = "auto_accept"
"""The approval of the types of directives that need no question."""
DECIDED_HERE = "decided"
"""The record of the guidelines that her own answers made on this machine, exactly as they stand."""
INSTRUCTIONS = "instructions"
"""The record that the writer was told which files speak to the models; it permits nothing."""
_KEY = "review.auto_accept"
_FORM = "novel.form"
_LENGTHS = ("scene_length", "chapter_length")
_MOST_NAMED = 8


def settings_of_novel(
    novel: Path | None, environ: Mapping[str, str], overrides: Mapping[str, object] | None = None
) -> Settings:
    """Returns the settings in force for a novel, or outside of any if `novel` is None.

    Types in the novel's `[review] auto_accept` that she neither has in her own file nor agreed to
    on this machine are left out, with a warning. Raises StudioError like `load_settings`.
    """
    settings = load_settings(novel, environ, overrides)
    if novel is None or settings.provenance(_KEY) != "studio.toml":
        return settings
    from studio.project.trust import is_approved  # not needed to open most novels (P5)

    asked, own = settings.review.auto_accept, settings.own.review.auto_accept
    foreign = [kind for kind in asked if kind not in own]
    if not foreign or is_approved(Root(novel), state_dir(environ), AUTO_ACCEPT, _sha(asked)):
        return settings
    in_force = tuple(kind for kind in asked if kind in own)
    review = settings.review.model_copy(update={"auto_accept": in_force})
    warning = said(
        "This novel asks for {kinds} to be accepted without asking you. That counts once you "
        "agree on this machine: `studio config set {key} {kinds2}`.",
        kinds=series(foreign),
        key=_KEY,
        kinds2=",".join(asked),
    )
    return settings.model_copy(update={"review": review}).with_warning(warning)


def change_novel_setting(
    setting: Setting,
    value: Any,
    home: Home,
    novel: Path | None,
    environ: Mapping[str, str],
    overrides: Mapping[str, object] | None = None,
) -> Settings:
    """Writes one value like `change_setting`; what the writer sets herself she agrees to. With the
    form of a novel its target lengths change, where the file has the usual ones of the form it
    had."""
    before = None
    if setting.key == _FORM and home == "studio.toml":
        with suppress(StudioError):  # what stands there may be no form; she is mending it
            before = load_settings(novel, environ, overrides)
    settings = change_setting(setting, value, home, novel, environ, overrides)
    for key, length in _lengths_to_change(before, settings):
        (of_form,) = (one for one in all_settings() if one.key == key)
        settings = change_setting(of_form, length, home, novel, environ, overrides)
    if setting.key == _KEY and home == "studio.toml" and novel is not None and value:
        from studio.project.trust import approve

        approve(Root(novel), state_dir(environ), AUTO_ACCEPT, _sha(settings.review.auto_accept))
    return settings_of_novel(novel, environ, overrides)


def _lengths_to_change(before: Settings | None, settings: Settings) -> Iterator[tuple[str, int]]:
    """Yields the lengths of another form, where the novel's file has the usual ones of the form it
    had before."""
    if before is None:
        return
    usual, fresh = (
        LENGTHS["serial" if one.novel.is_serial else "literary"].get(one.novel.language, {})
        for one in (before, settings)
    )
    for name in _LENGTHS:
        key = f"targets.{name}"
        is_usual = getattr(settings.targets, name) == usual.get(name)
        if is_usual and usual != fresh and settings.provenance(key) == "studio.toml":
            yield key, fresh[name]


def lengths_sentence(setting: Setting, before: Settings, settings: Settings) -> Said | str:
    """Returns the target lengths where they changed with the novel's form, else ""."""
    targets = settings.targets
    if setting.key != _FORM or before.targets == targets:
        return ""
    return said(
        "The target lengths are now {scene} for a scene and {whole} in all.",
        scene=targets.scene_length,
        whole=targets.chapter_length,
    )


def instructions_sentence(root: Root, state: Path | None) -> str:
    """Returns, once for each novel on this machine and again after one was added, which files of
    the novel speak to the models; "" otherwise.

    Raises StudioError (exit 1) if the state folder cannot be written.
    """
    from studio.project.trust import approve, is_approved

    files = sorted(_instructions(root))
    if is_decided_here(root, state):
        files = [path for path in files if path != places.DECIDED]
    sha256 = sha256_hex(encode(files))
    if not files or state is None or is_approved(root, state, INSTRUCTIONS, sha256):
        return ""
    approve(root, state, INSTRUCTIONS, sha256)
    more = said(" and {n} more", n=len(files) - _MOST_NAMED) if len(files) > _MOST_NAMED else ""
    return said(
        "These files of the novel speak to the models: {files}{and_more}. Read them if the "
        "novel is not yours alone.",
        files=series(map(_named, files[:_MOST_NAMED])),
        and_more=more,
    )


def _named(path: str) -> str:
    if path != places.DECIDED:
        return path
    return said("what was decided for the whole book ({path})", path=path)


def is_decided_here(root: Root, state: Path | None) -> bool:
    """Whether nothing but her own answers on this machine made the guidelines of what was decided:
    their bytes are the ones that an answer left, or there are none."""
    from studio.project.trust import is_approved

    data = root.find(places.DECIDED)
    return data is None or is_approved(root, state, DECIDED_HERE, sha256_hex(data))


def agree_to_decided(root: Root, state: Path | None) -> None:
    """Records that the guidelines of what was decided stand as her answer left them. Where the
    state folder cannot be written, they are named like anybody else's."""
    from studio.project.trust import approve

    data = root.find(places.DECIDED)
    if data is not None and state is not None:
        with suppress(StudioError):
            approve(root, state, DECIDED_HERE, sha256_hex(data))


def _instructions(root: Root) -> Iterator[str]:
    if root.find(places.BLOCKS) is not None:
        yield places.BLOCKS
    for folder in (places.AGENTS, places.GUIDELINES, places.KNOWLEDGE):
        for name in own_names(root, folder):
            if name.endswith(".md") and not name.startswith("."):
                yield f"{folder}/{name}"


def _sha(kinds: tuple[str, ...]) -> str:
    return sha256_hex(encode(sorted(kinds)))
