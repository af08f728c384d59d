"""`python -m bench [NAME...]`: runs the named benchmarks, or all, and prints one table.

`python -m bench reference DIR` measures published prose (see bench/reference.py); `python -m bench
continuity DIR` injects faults into published books and checks whether they are detected (see
bench/continuity.py); `python -m bench names` counts the names found on labelled lists.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys

import bench
from bench.rounds import Row, table


def benchmarks() -> list[str]:
    """Returns the names of the modules that have `rows`."""
    names = [module.name for module in pkgutil.iter_modules(bench.__path__)]
    return [
        name
        for name in names
        if name != "__main__" and hasattr(importlib.import_module(f"bench.{name}"), "rows")
    ]


READINGS = {
    "background": "bench.background",
    "continuity": "bench.continuity",
    "draft-sieving": "bench.draft_sieving",
    "names": "bench.names",
    "reference": "bench.reference",
    "unseen": "bench.unseen",
    "worn-phrases": "bench.worn_phrases",
}
"""Programs that read their own texts and have no reference in the same run."""


def main(wanted: list[str]) -> int:
    """Returns exit code 1 if a goal was missed, and 2 for an unknown benchmark."""
    if wanted and wanted[0] in READINGS:
        return int(importlib.import_module(READINGS[wanted[0]]).main(wanted[1:]))
    known = benchmarks()
    unknown = [name for name in wanted if name not in known]
    if unknown:
        print(f"No benchmark {', '.join(unknown)}. There are: {', '.join(known)}", file=sys.stderr)
        return 2
    rows: list[Row] = []
    for name in wanted or known:
        print(f"{name} ...", file=sys.stderr)
        rows += importlib.import_module(f"bench.{name}").rows()
    print(table(rows))
    return 1 if any(row.missed for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
