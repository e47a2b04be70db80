"""Feeds malformed inputs to a tool, one process a case, and checks how it fails.

usage: check_cases.py [--at-least N] DIRECTORY FILE... -- COMMAND...

A FILE holds cases separated by // -----. The first line of a case is a comment
that names it. A line `// error: TEXT` says that an error with TEXT is expected
at the next line, `// error@N: TEXT` at the N-th line of the case. Before every
case stands one line that defines #avx2 (a target) and the types of the smallest
rule: !x (q, k, v, o), !b (beta, g), !s (state). Inputs that are no text are in
RAW. COMMAND gets the path of the input where it says {}.

Every case must end with exit code 1, no output, and as its first diagnostic an
error with file, line and column whose message begins in lower case; a crash, a
stack dump or an unlocated error fails.
"""

import concurrent.futures
import os
import re
import subprocess
import sys

PRELUDE = (
    "#avx2 = #deltanet.target<arch = x86_64, isa = avx2, vector_bits = 256, "
    "vector_registers = 16, vector_units = 2, fma = true, l1_bytes = 32768, l2_bytes = 524288, streams = 4, "
    "matrix = none> !x = tensor<?x1x16xf32> !b = tensor<?x1xf32> "
    "!s = tensor<?x1x16x16xf32>\n"
)
RAW = {
    "empty file": (b"", 1, "expected at least one kernel"),
    "blank file": (b"\n\n// nothing\n", None, "expected at least one kernel"),
    "control characters": (b"\x01\x02\x03", 1, "unexpected character"),
    "nul byte": (b"module {\n  \x00\n}\n", None, ""),
    "no utf-8": (b'module @"\xff\xfe" {}\n', None, ""),
    "an object file": (b"\x7fELF\x02\x01\x01" + bytes(57), 1, ""),
    "truncated bytecode": (b"ML\xefR\x0dMLIR22.1.8\x00", None, ""),
    "deep nesting": (b"module {" * 400, None, ""),
}
CRASH = re.compile(
    r"Stack dump|PLEASE submit|LLVM ERROR|Assertion|Sanitizer|runtime error:"
)
ERROR = re.compile(r"error: ")


class Case:
    def __init__(self, name, data, line, fragment):
        self.name, self.data = name, data
        self.line, self.fragment = line, fragment


def parse(path):
    with open(path, encoding="utf-8") as file:
        parts = file.read().split("// -----\n")
    for part in parts:
        part = part.strip("\n") + "\n"
        name = part.split("\n", 1)[0].removeprefix("// ")
        marks = re.findall(r"^ *// error(?:@(\d+))?: (.*)$", part, re.MULTILINE)
        if len(marks) != 1:
            sys.exit(f"{path}: expected one error in case '{name}'")
        (line, fragment), lines = marks[0], part.split("\n")
        if line:
            line = int(line)
        else:
            line = 2 + next(
                i for i, text in enumerate(lines) if "// error: " in text
            )
        yield Case(name, (PRELUDE + part).encode(), line + 1, fragment)


def check(number, case, directory, command):
    """Runs one case; returns what is wrong with it, or nothing."""
    path = os.path.join(directory, f"case{number}.mlir")
    with open(path, "wb") as file:
        file.write(case.data)
    try:
        run = subprocess.run(
            [word.replace("{}", path) for word in command],
            capture_output=True,
            timeout=60,
        )
    except subprocess.TimeoutExpired:
        return "still running after 60 s"
    text = run.stderr.decode("utf-8", errors="replace")
    shown = "\n".join(line[:300] for line in text.split("\n")[:12])
    if run.returncode != 1:
        return f"exit code {run.returncode}\n{shown}"
    if CRASH.search(text):
        return f"crash\n{shown}"
    if run.stdout.strip():
        return "output in spite of an error"
    errors = [line for line in text.split("\n") if ERROR.search(line)]
    if not errors:
        return f"no error\n{shown}"
    located = re.match(
        rf"{re.escape(path)}:(\d+):(\d+): error: (.*)", errors[0]
    )
    if not located:
        return f"error without location\n{shown}"
    line, message = int(located[1]), located[3]
    # Bytecode has no lines.
    binary = case.data.startswith(b"ML\xefR")
    if not binary and (line < 1 or int(located[2]) < 1):
        return f"location 0\n{shown}"
    if case.line and line != case.line:
        return f"expected line {case.line}, got {line}\n{shown}"
    if case.fragment not in message:
        return f"expected '{case.fragment}'\n{shown}"
    if message[:1].isupper():
        return f"message in upper case\n{shown}"
    return None


def main():
    arguments, command = sys.argv[1:], []
    split = arguments.index("--")
    arguments, command = arguments[:split], arguments[split + 1 :]
    least = 0
    if arguments[0] == "--at-least":
        least, arguments = int(arguments[1]), arguments[2:]
    directory, files = arguments[0], arguments[1:]
    os.makedirs(directory, exist_ok=True)
    cases = [Case(name, *raw) for name, raw in RAW.items()]
    for path in files:
        cases += parse(path)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(
            pool.map(
                lambda item: check(item[0], item[1], directory, command),
                enumerate(cases),
            )
        )
    wrong = [(c, r) for c, r in zip(cases, results) if r]
    for case, result in wrong:
        print(f"{case.name}: {result}\n", file=sys.stderr)
    print(f"{len(cases) - len(wrong)} of {len(cases)} cases fail as expected")
    sys.exit(1 if wrong or len(cases) < least else 0)


main()
