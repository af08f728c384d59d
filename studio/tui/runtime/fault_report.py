"""Reports of unexpected faults: details in a file, a sentence for the writer, never a traceback."""

from __future__ import annotations

import os
import platform
import traceback
from collections.abc import Mapping

from studio import __version__
from studio.config.state_files import keep_report
from studio.errors import Problem, StudioError
from studio.i18n import _


def kept_fault(error: BaseException, environ: Mapping[str, str] = os.environ) -> Problem:
    """Writes the traceback to a file and returns a problem that names the file; a StudioError
    returns its own problem."""
    if isinstance(error, StudioError):
        return error.problem
    trace = "".join(traceback.format_exception(error))
    report = _(
        "studio {version}, Python {python_version}\n\n{trace}",
        version=__version__,
        python_version=platform.python_version(),
        trace=trace,
    )
    try:
        path = keep_report(environ, "fault.txt", report)
        hint = _("Your texts are safe. What happened is written down in {path}.", path=path)
    except StudioError:
        hint = _("Your texts are safe.")
    return Problem(
        _("Something went wrong inside the studio ({name}).", name=type(error).__name__), hint
    )
