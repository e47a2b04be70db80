"""What FILE.s moves between the stack and vector or tile registers.

One line: such instructions in innermost loops, and in all.
"""

import sys

from assembly import count, loops

STACK = r"[%][xyz]mm\d+.*\(%r[sb]p|\(%r[sb]p.*[%][xyz]mm\d+"
TILES = r"\btile(load|store).*\(%r[sb]p"

lines = open(sys.argv[1]).read().splitlines()
inner = sum(count(body, f"{STACK}|{TILES}") for body in loops(lines))
print(
    f"on the stack in inner loops {inner} vectors {count(lines, STACK)} "
    f"tiles {count(lines, TILES)}"
)
