"""Startup of the app on this terminal."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from studio.i18n import _
from studio.tui.app import StudioApp
from studio.tui.terminal import capabilities
from studio.tui.terminal.streams import outlive_any_stop, outlive_the_terminal, take_pastes_whole


def run(folder: Path | None, overrides: Mapping[str, object] | None = None) -> int:
    """Runs the app on a novel, or on the launcher for None; returns the exit code.

    Raises StudioError (exit 2) if the terminal cannot show it.
    """
    capabilities.refuse_unfit(os.environ)
    take_pastes_whole()
    outlive_the_terminal()
    outlive_any_stop()
    app = StudioApp(folder, overrides)
    code = app.run()
    if app.signalled is not None and app.signalled != signal.SIGHUP:
        print(_("Stopped; nothing is lost. Open the novel again to go on."), file=sys.stderr)
    return app.return_code or 0 if code is None else int(code)
