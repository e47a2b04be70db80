# ===- walkthrough.py - The IR shown in docs/pipeline.md --------------------===#
#
# Part of the Delta-Net project.
#
# Usage: walkthrough.py --compile DELTA-COMPILE [--check]
#
# The first block of code in docs/pipeline.md is a rule. This compiles it, for
# avx2, and writes what each later block shows, which a comment above it names:
#
#   <!-- STAGE: lines "REGEX" -->               the lines that match
#   <!-- STAGE: around "REGEX" up N -->         N operations out from the first
#                                               line that matches, whole
#   <!-- STAGE: around "REGEX" from A to B -->  so many lines before and after it
#   <!-- asm: loop "REGEX" -->                  the first loop where lines match
#                                               that jumps to its own label
#
# With --check writes nothing, and exits 1 with a diff if a block is not up to
# date.
#
# ===-----------------------------------------------------------------------===#
import argparse
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

PAGE = pathlib.Path(__file__).resolve().parent / "pipeline.md"
RULE = re.compile(r"```mlir\n(.*?)```", re.DOTALL)
SHOWN = re.compile(r"(<!-- (\w+): (.*?) -->\n```\w*\n)(.*?)(```)", re.DOTALL)


def stages(compiler, rule):
    """The text of every stage, by its name; `asm` is the assembly."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "rule.mlir").write_text(rule)
        subprocess.run(
            [compiler, folder / "rule.mlir", "-o", folder / "rule.s", "--isa=avx2"]
            + [f"--dump-stages={folder}/stages"],
            check=True,
        )
        found = {"asm": (folder / "rule.s").read_text()}
        for path in (folder / "stages").iterdir():
            name = re.match(r"\d+-(\w+)", path.name)[1]
            found[name] = path.read_text()
    return {name: text.splitlines() for name, text in found.items()}


def indent(line):
    return len(line) - len(line.lstrip())


def operation_around(lines, at, up):
    """First and last line of the operation that is `up` operations out."""
    first = at
    for _ in range(up):
        inner = indent(lines[first])
        while indent(lines[first]) >= inner:
            first -= 1
    last = first + 1
    while indent(lines[last]) > indent(lines[first]) or "^bb" in lines[last]:
        last += 1
    return first, last


def loops(lines):
    """First and last line of each block that jumps to its own label."""
    label, at = None, 0
    for here, line in enumerate(lines):
        if found := re.match(r"(\.\w+):", line):
            label, at = found[1], here
        elif label and re.fullmatch(rf"\s+j\w+\s+{re.escape(label)}", line):
            yield at, here


def excerpt(lines, request):
    what, pattern, rest = re.fullmatch(r'(\w+) "(.+)"(.*)', request).groups()
    matches = [at for at, line in enumerate(lines) if re.search(pattern, line)]
    if not matches:
        sys.exit(f"{PAGE.name}: expected a line that matches {pattern}")
    if what == "loop":
        first, last = next(
            (first, last)
            for first, last in loops(lines)
            if any(first < at < last for at in matches)
        )
        chosen = [line.split("#")[0].rstrip() for line in lines[first : last + 1]]
    elif what == "lines":
        chosen = [
            textwrap.fill(lines[at].strip(), 100, subsequent_indent="    ")
            for at in matches
        ]
    elif up := re.fullmatch(r" up (\d+)", rest):
        first, last = operation_around(lines, matches[0], int(up[1]))
        chosen = lines[first : last + 1]
    else:
        first, last = re.fullmatch(r" from (-?\d+) to (-?\d+)", rest).groups()
        chosen = lines[matches[0] + int(first) : matches[0] + int(last) + 1]
    text = textwrap.dedent("\n".join(chosen)).expandtabs(8)
    # What is read where is clear without maps and the ends of long lines.
    text = re.sub(r"indexing_maps = \[.*?\](?=[,} ])", "indexing_maps = […]", text)
    return re.sub(r"^(.{150}).+$", r"\1 …", text, flags=re.MULTILINE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compile", required=True)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()

    now = PAGE.read_text()
    found = stages(arguments.compile, RULE.search(now)[1])
    then = SHOWN.sub(
        lambda block: block[1] + excerpt(found[block[2]], block[3]) + "\n" + block[5],
        now,
    )
    if now == then:
        return 0
    if not arguments.check:
        PAGE.write_text(then)
        return 0
    sys.stdout.writelines(
        difflib.unified_diff(now.splitlines(True), then.splitlines(True), PAGE.name)
    )
    print("expected the IR in docs/pipeline.md to be up to date: build deltanet-docs")
    return 1


sys.exit(main())
