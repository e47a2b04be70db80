"""The innermost loops of FILE.s that round vectors two at a time.

One line a loop: for one turn the roundings, shuffles without and with a register
of indices, vector stores and instructions. What is spilled is stored, too.
"""

import sys

from assembly import count, loops

for body in loops(open(sys.argv[1]).read().splitlines()):
    rounds = count(body, r"\bvcvtne2ps2bf16")
    shuffles = count(body, r"\b(vp?unpck|vshuf)")
    indexed = count(body, r"\bvperm")
    stores = count(body, r"\bvmov\w+\s+%[xyz]mm\d+, .*\(")
    if rounds:
        print(
            f"rounds {rounds} shuffles {shuffles} indexed {indexed} "
            f"stores {stores} instructions {len(body)}"
        )
