# ===- walkthrough.py - The IR shown in docs/pipeline.md and gpu-pipeline.md ===#
#
# Part of the Delta-Net project.
#
# Usage: walkthrough.py --compile DELTA-COMPILE [--check] PAGE...
#
# The first block of MLIR in a page, "pipeline" or "gpu-pipeline", is a rule. This
# compiles it, for avx2 or sm_90a, and writes what each later block shows, which a
# comment above it names:
#
#   <!-- STAGE: lines "REGEX" -->               the lines that match
#   <!-- STAGE: around "REGEX" up N -->         N operations out from the first
#                                               line that matches, whole
#   <!-- STAGE: around "REGEX" from A to B -->  so many lines before and after it
#   <!-- asm: loop "REGEX" -->                  the first loop where lines match
#                                               that jumps to its own label
#   <!-- STAGE: after "REGEX" … -->             any of these, below the first line
#                                               that matches
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

FOLDER = pathlib.Path(__file__).resolve().parent
# Options of the compiler, and the last stage with the suffix of its text.
PAGES = {
    "pipeline": (["--isa=avx2"], "asm", ".s"),
    "gpu-pipeline": (["--sm=90a", "--cuda=none"], "ptx", ".ptx"),
}
RULE = re.compile(r"```mlir\n(.*?)```", re.DOTALL)
SHOWN = re.compile(r"(<!-- (\w+): (.*?) -->\n```\w*\n)(.*?)(```)", re.DOTALL)


def stages(compiler, rule, options, last, suffix):
    """The text of every stage, by its name."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "rule.mlir").write_text(rule)
        output = folder / f"rule{suffix}"
        subprocess.run(
            [compiler, folder / "rule.mlir", "-o", output, *options]
            + [f"--dump-stages={folder}/stages"],
            check=True,
        )
        found = {last: output.read_text()}
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


def first_match(lines, pattern):
    for at, line in enumerate(lines):
        if re.search(pattern, line):
            return at
    sys.exit(f"expected a line that matches {pattern}, got none")


def without_maps(text):
    return re.sub(r"indexing_maps = \[.*?\](?=[,} ])", "indexing_maps = […]", text)


def excerpt(lines, request):
    if below := re.fullmatch(r'after "(.+?)" (.+)', request):
        return excerpt(lines[first_match(lines, below[1]) + 1 :], below[2])
    what, pattern, rest = re.fullmatch(r'(\w+) "(.+)"(.*)', request).groups()
    first_match(lines, pattern)
    matches = [at for at, line in enumerate(lines) if re.search(pattern, line)]
    if what == "loop":
        first, last = next(
            (first, last)
            for first, last in loops(lines)
            if any(first < at < last for at in matches)
        )
        chosen = [line.split("#")[0].rstrip() for line in lines[first : last + 1]]
    elif what == "lines":
        chosen = [
            textwrap.fill(without_maps(lines[at].strip()), 100, subsequent_indent="    ")
            for at in matches
        ]
    elif up := re.fullmatch(r" up (\d+)", rest):
        first, last = operation_around(lines, matches[0], int(up[1]))
        chosen = lines[first : last + 1]
    else:
        first, last = re.fullmatch(r" from (-?\d+) to (-?\d+)", rest).groups()
        chosen = lines[matches[0] + int(first) : matches[0] + int(last) + 1]
    text = without_maps(textwrap.dedent("\n".join(chosen)).expandtabs(8))
    # What is read where is clear without the ends of long lines, too.
    return re.sub(r"^(.{150}).+$", r"\1 …", text, flags=re.MULTILINE)


def renew(page, compiler, is_check):
    """Whether the page is up to date, or is now."""
    path = FOLDER / f"{page}.md"
    now = path.read_text()
    found = stages(compiler, RULE.search(now)[1], *PAGES[page])
    then = SHOWN.sub(
        lambda block: block[1] + excerpt(found[block[2]], block[3]) + "\n" + block[5],
        now,
    )
    if now == then:
        return True
    if not is_check:
        path.write_text(then)
        return True
    sys.stdout.writelines(
        difflib.unified_diff(now.splitlines(True), then.splitlines(True), path.name)
    )
    print(f"expected the IR in docs/{page}.md to be up to date: build deltanet-docs")
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compile", required=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("pages", nargs="+", choices=PAGES)
    arguments = parser.parse_args()
    done = [renew(page, arguments.compile, arguments.check) for page in arguments.pages]
    return 0 if all(done) else 1


sys.exit(main())
