"""Everything of Textual that is used here and has no public name, each with what it is needed for.

Tried on Textual 8.2.8. Another version may change any of it without a word: then read its code for
each row, try it, and write the new number here. No other module names a private part of Textual, or
puts something of ours in the place of a part (tests/architecture/test_textual_private.py).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

# Which sequences of a terminal are which keys, and the marks around a frame.
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS, SYNC_END, SYNC_START

# Calls a handler with as many arguments as it takes, and waits for it.
from textual._callback import invoke

# What composes a frame: ours renders what changed and is visible (performance P18).
from textual._compositor import ChopsUpdate, Compositor, ReflowResult

# Which widget is running now: a message belongs to its page, a fault to its screen.
from textual._context import active_message_pump

# Reads keys and pastes from a terminal: ours takes a paste whole (reliability T9).
from textual._xterm_parser import XTermParser

# Writes to a terminal: ours goes on when the terminal is gone (reliability T2).
from textual.drivers._writer_thread import WriterThread

# Textual's name for the key that types a character.
from textual.keys import _character_to_key as name_of_key

# Messages in the corner: Textual offers no other class for them and no way to take one back.
from textual.widgets._toast import Toast, ToastHolder, ToastRack

if TYPE_CHECKING:
    from asyncio import Event, Task
    from queue import Queue
    from typing import IO

    from textual.binding import BindingsMap
    from textual.geometry import Region
    from textual.message_pump import MessagePump
    from textual.scrollbar import ScrollBar
    from textual.timer import Timer
    from textual.widget import Widget

__all__ = [
    "ANSI_SEQUENCES_KEYS",
    "SYNC_END",
    "SYNC_START",
    "ChopsUpdate",
    "Compositor",
    "ReflowResult",
    "Toast",
    "ToastHolder",
    "ToastRack",
    "WriterThread",
    "XTermParser",
    "active_message_pump",
    "invoke",
    "name_of_key",
]

T = TypeVar("T")
Method = TypeVar("Method", bound=Callable[..., Any])


class Part(Generic[T]):
    """A private attribute or method of a class or module of Textual."""

    def __init__(self, home: str, name: str, reason: str) -> None:
        self.home = home
        """The class or module, by its dotted name."""
        self.name = name
        self.reason = reason

    def of(self, owner: object) -> T:
        """Returns the part; of `super()`, Textual's own."""
        return cast("T", getattr(owner, self.name))

    def put(self, owner: object, value: object) -> None:
        """Sets the part of an object."""
        setattr(owner, self.name, value)

    def stand_in(self, ours: object) -> None:
        """Puts something of ours in the place of the part itself, for the whole program; what
        holds it has been imported."""
        module, _dot, name = self.home.rpartition(".")
        owner = sys.modules.get(self.home) or getattr(sys.modules[module], name)
        setattr(owner, self.name, ours)


class Hook(Part[Callable[..., Any]]):
    """A private method that Textual calls and we override: decorates ours, which has a name of its
    own."""

    def __call__(self, method: Method) -> Method:
        """Puts a method of a class in the place of Textual's."""
        return cast("Method", _Placed(method, self.name))


class _Placed:
    """A method until its class is made: then it stands under both names."""

    def __init__(self, method: Callable[..., Any], private_name: str) -> None:
        self._method = method
        self._private_name = private_name

    def __set_name__(self, owner: type, name: str) -> None:
        setattr(owner, name, self._method)
        setattr(owner, self._private_name, self._method)


_APP, _SCREEN, _WIDGET = "textual.app.App", "textual.screen.Screen", "textual.widget.Widget"
_PUMP, _NODE, _MESSAGE = (
    "textual.message_pump.MessagePump",
    "textual.dom.DOMNode",
    "textual.message.Message",
)
_COMPOSITOR, _DRIVER = (
    "textual._compositor.Compositor",
    "textual.drivers.linux_driver.LinuxDriver",
)
_WRITER = "textual.drivers._writer_thread.WriterThread"
_ROWS, _AREA = "textual.widgets.text_area.WrappedDocument", "textual.widgets.TextArea"
_PALETTE = "textual.command.CommandPalette"

# Frames and layouts (performance P4, P5, P18)

COMPOSITOR: Part[Compositor] = Part(_SCREEN, "_compositor", "puts our compositor in its place")
DIRTY_REGIONS: Part[set[Region]] = Part(
    _COMPOSITOR, "_dirty_regions", "says what is to be drawn, and what no longer"
)
REGIONS_TO_SPANS: Part[Callable[..., Any]] = Part(
    _COMPOSITOR, "_regions_to_spans", "divides what is to be drawn into parts of rows"
)
RENDER_ROWS = Hook(_COMPOSITOR, "_render_chops", "renders whole rows sparingly too")
LAY_OUT = Hook(_SCREEN, "_refresh_layout", "asks for no second layout by the sizes of the first")
DRAW = Hook(_SCREEN, "_compositor_refresh", "keeps threads waiting for as long as a drawing takes")
DRAW_NOW: Part[Callable[[], None]] = Part(
    _SCREEN, "_on_timer_update", "draws at once what a key did, not at the next tick"
)
UNDRAWN_WIDGETS: Part[set[Widget]] = Part(_SCREEN, "_dirty_widgets", "says if that is needed")
RESUME_SCREEN: Part[Callable[..., Any]] = Part(
    _SCREEN, "_on_screen_resume", "is called without the styles that are as new as the widgets"
)
MUST_REPAINT: Part[bool] = Part(_WIDGET, "_repaint_required", "spares a second drawing after it")
TAKE_SIZE = Hook(_WIDGET, "_size_updated", "fits the rows before they are drawn in a new size")
SIZES_LAY_OUT: Part[bool] = Part(
    "textual.reactive.Reactive", "_layout", "is off while a layout itself sets sizes"
)
SIZES_REPAINT: Part[bool] = Part("textual.reactive.Reactive", "_repaint", "likewise")
SHOW_FRAME = Hook(_APP, "_display", "notes which screen she has seen: keys typed earlier wait")
FRAMES_HELD: Part[int] = Part(_APP, "_batch_count", "says that a frame was not shown")

# What is opened and closed

PRUNE: Part[Callable[..., Any]] = Part(
    _APP, "_prune", "removes a screen without a layout of the one below"
)
START_WIDGET: Part[Callable[[Widget, Widget], None]] = Part(
    _APP, "_start_widget", "mounts our scrollbar as Textual does its own"
)
SCROLLBAR: Part[ScrollBar | None] = Part(
    _WIDGET, "_vertical_scrollbar", "holds our scrollbar, whose rows are made once"
)
BINDINGS: Part[BindingsMap] = Part(
    _NODE, "_bindings", "gives each pane its keys without a class of its own (performance P5)"
)
AWAIT_RESULT: Part[Callable[..., None]] = Part(
    _SCREEN, "_push_result_callback", "lets Textual switch from the first screen"
)

# Faults, and work that goes on when a page closes (reliability T6)

END_BY_FAULT = Hook(_APP, "_handle_exception", "stops the run and saves its text first")
FAULT: Part[Exception | None] = Part(_APP, "_exception", "is what a test is told of it")
FAULT_EVENT: Part[Event] = Part(_APP, "_exception_event", "wakes a test that waits")
EXIT_CODE: Part[int | None] = Part(_APP, "_return_code", "is the code of the problem")
IS_ENDING: Part[bool] = Part(_APP, "_exit", "tells a screen that is left half made from a fault")
END = Hook(_APP, "_shutdown", "cancels work before the widgets go that it draws in")
DO_ACTION = Hook(_APP, "_dispatch_action", "lets the app go on when an action fails")
HANDLERS = Hook(_PUMP, "_get_dispatch_methods", "lets the others go on when a handler fails")
TASK: Part[Task[Any] | None] = Part(
    "textual.worker.Worker", "_task", "closes the work of a task that never began"
)

# Keys and messages

SENDER: Part[MessagePump | None] = Part(
    _MESSAGE, "_sender", "says where a key ends, so that the next one may begin"
)
IS_STOPPED: Part[bool] = Part(_MESSAGE, "_stop_propagation", "likewise")
NOTIFICATIONS: Part[Any] = Part(_APP, "_notifications", "are the messages in the corner now")
SHOW_NOTIFICATIONS: Part[Callable[[], None]] = Part(
    _APP, "_refresh_notifications", "puts one in the place of others in one step"
)
TAKE_BACK: Part[Callable[..., None]] = Part(_APP, "_unnotify", "takes away one of them")
NAME_NOTHING_FOUND = Hook(
    _PALETTE, "_start_no_matches_countdown", "says in her language that nothing was found"
)
NAME_NOTHING_NO_MORE: Part[Callable[[], None]] = Part(
    _PALETTE, "_stop_no_matches_countdown", "is the other half of it"
)
NOTHING_FOUND_TIMER: Part[Timer | None] = Part(_PALETTE, "_no_matches_timer", "likewise")
NOTHING_FOUND_SECONDS: Part[float] = Part(_PALETTE, "_NO_MATCHES_COUNTDOWN", "likewise")
NOTHING_FOUND_ID: Part[str] = Part(_PALETTE, "_NO_MATCHES", "likewise")
IS_LIST_VISIBLE: Part[bool] = Part(_PALETTE, "_list_visible", "likewise")

# The terminal (reliability T1 to T4, T9)

CONTINUE = Hook(_DRIVER, "_sigcont_application", "takes the terminal over after any stop")
MAY_RESTART: Part[bool] = Part(_DRIVER, "_auto_restart", "says whether that is to be done")
IS_STOPPED_BY_KEY: Part[bool] = Part(_DRIVER, "_must_signal_resume", "tells Ctrl+Z from a SIGSTOP")
WRITER: Part[WriterThread | None] = Part(_DRIVER, "_writer_thread", "is waited for after a frame")
UNWRITTEN: Part[Queue[str | None]] = Part(_WRITER, "_queue", "is what our thread writes")
TERMINAL_FILE: Part[IO[str]] = Part(_WRITER, "_file", "is where it writes")

# The text area: rows broken as in the reading view, only changed rows drawn (performance P9)

TAKE_DOCUMENT = Hook(_AREA, "_set_document", "holds the text in a document that keeps it exactly")
MARK_SYNTAX: Part[Callable[[], None]] = Part(_AREA, "_build_highlight_map", "belongs to that")
WRAP_AGAIN = Hook(
    _AREA, "_rewrap_and_refresh_virtual_size", "draws the rows when their width has changed"
)
ROW_WIDTH: Part[int] = Part(_ROWS, "_width", "is what the rows of a document were broken to")
TAB_WIDTH: Part[int] = Part(_ROWS, "_tab_width", "likewise")
TAB_WIDTHS: Part[list[list[int]]] = Part(_ROWS, "_tab_width_cache", "likewise, by line")
ROW_BREAKS: Part[list[list[int]]] = Part(_ROWS, "_wrap_offsets", "are the breaks by line")
ROWS_OF_LINES: Part[list[list[int]]] = Part(
    _ROWS, "_line_index_to_offsets", "are the numbers of the rows by line"
)
LINES_OF_ROWS: Part[list[tuple[int, int]]] = Part(
    _ROWS, "_offset_to_line_info", "are the lines by the number of the row"
)

# In whose place something of ours stands: Textual names them itself, and takes no other

_TERMINAL = "textual.drivers.linux_driver"
PARSER_CLASS: Part[type] = Part(_TERMINAL, "XTermParser", "a paste arrives whole")
WRITER_CLASS: Part[type] = Part(_TERMINAL, "WriterThread", "a closed terminal blocks nothing")
DRIVER_CLASS: Part[type] = Part(_TERMINAL, "LinuxDriver", "any stop is outlived")
LINE_BREAKS: Part[Any] = Part(
    "textual.content", "divide_line", "no row begins with a mark that may not begin one"
)
TOAST_CLASS: Part[type] = Part("textual.widgets._toast", "Toast", "wide characters stay whole")
IS_PRINTABLE: Part[Any] = Part(
    "textual.events.Key", "is_printable", "what Python calls unprintable is text too"
)
