"""The innermost loops of FILE.s that multiply-add.

One line a kind of loop, most multiply-adds first: how many such loops, and for
one turn the instructions, multiply-adds, broadcasts, vector loads and stores. A
spilled accumulator shows as more instructions than the block needs, whatever
register the stack is addressed by.
"""

import collections
import re
import sys


def loops(lines):
    """Bodies between a label and the jump back to it with no label between."""
    label, begin = None, 0
    for number, line in enumerate(lines):
        found = re.match(r"(\.LBB\w+):", line)
        if found:
            label, begin = found.group(1), number
            continue
        jump = re.match(r"\s+j\w+\s+(\.LBB\w+)", line)
        if jump and jump.group(1) == label:
            body = [x.split("#")[0] for x in lines[begin + 1 : number + 1]]
            yield [x for x in body if re.match(r"\s+[a-z]", x)]


def count(body, pattern):
    return sum(bool(re.search(pattern, line)) for line in body)


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
