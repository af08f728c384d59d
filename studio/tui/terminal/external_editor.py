"""Passes a text to the writer's own editor and reads the result (DESIGN section 12)."""

from __future__ import annotations

import os
import shlex
import subprocess

from textual.app import App, SuspendNotSupported

from studio.errors import Exit, Problem, StudioError
from studio.i18n import _
from studio.project.unsaved import Unsaved
from studio.tui.terminal.capabilities import editor_command, environment_for_children


def handed_over(app: App[int], setting: str | None, unsaved: Unsaved, text: str) -> str | None:
    """Returns the text as the editor left it; None if it is unchanged.

    The app is suspended while the editor runs. Raises StudioError (exit 1) if there is no editor,
    if it fails, or if it leaves an empty text or one that is not UTF-8; nothing is changed then.
    """
    environ = getattr(app, "environ", {})
    command = editor_command(setting, environ)
    if command is None:
        raise _failure(
            _("No editor is set."), _("Set EDITOR, or `editor` in your own config.toml.")
        )
    path = unsaved.keep(text)
    try:
        with app.suspend():
            code = subprocess.run(
                [*shlex.split(command), str(path)],
                check=False,
                env=environment_for_children(os.environ),
            ).returncode
        fresh = path.read_bytes().decode()
    except (OSError, ValueError, SuspendNotSupported) as error:
        raise _failure(
            _("The editor failed: {error}.", error=error), _("Nothing was changed.")
        ) from error
    finally:
        app.refresh(layout=True)
    if code != 0:
        raise _failure(_("The editor ended with {code}.", code=code), _("Nothing was changed."))
    if text.strip() and not fresh.strip():
        raise _failure(_("The editor left an empty text."), _("Nothing was changed."))
    return fresh if fresh != text else None


def _failure(message: str, hint: str) -> StudioError:
    return StudioError(Problem(message, hint, exit_code=Exit.FAILED, kind="editor"))
