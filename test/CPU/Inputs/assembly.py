"""What tests of machine code look for in the lines of FILE.s."""

import re


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
