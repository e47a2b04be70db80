"""The innermost loops of FILE.s that multiply-add.

One line a kind of loop, most multiply-adds first: how many such loops, and for
one turn the instructions, multiply-adds, broadcasts, vector loads and stores. A
spilled accumulator shows as more instructions than the block needs, whatever
register the stack is addressed by.
"""

import collections
import sys

from assembly import count, loops

kinds = collections.Counter()
for body in loops(open(sys.argv[1]).read().splitlines()):
    kind = (
        count(body, r"\bvfn?m(add|sub)"),
        len(body),
        count(body, r"\bvbroadcast"),
        count(body, r"\bvmovu?p?a?[sd]\w*\s+[^,]*\(.*\), %[xyz]mm"),
        count(body, r"\bvmovu?p?a?[sd]\w*\s+%[xyz]mm\d+, .*\("),
    )
    if kind[0]:
        kinds[kind] += 1
for kind in sorted(kinds, reverse=True):
    fma, size, broadcasts, loads, stores = kind
    print(
        f"fma {fma} instructions {size} broadcasts {broadcasts} loads {loads} "
        f"stores {stores} times {kinds[kind]}"
    )
print("calls", count(open(sys.argv[1]).read().splitlines(), r"\scallq?\s"))
