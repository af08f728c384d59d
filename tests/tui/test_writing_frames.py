"""The thread that writes to the terminal, and the loop that leaves it its turn."""

from __future__ import annotations

import io

from studio.tui.terminal.streams import PatientWriter


def test_a_frame_is_with_the_terminal_before_the_loop_goes_on() -> None:  # req: P5
    terminal = io.StringIO()
    writer = PatientWriter(terminal)
    writer.start()
    missed = 0
    for number in range(50):
        writer.write(f"frame {number};")
        writer.flush()
        missed += not terminal.getvalue().endswith(f"frame {number};")
    writer.stop()
    assert missed < 10  # a machine that is busy may need longer than the loop waits
