# ===- generate.py - The generated pages of docs/ ---------------------------===#
#
# Part of the Delta-Net project.
#
# Usage: generate.py --tblgen MLIR-TBLGEN --include DIR [--check]
#
# Writes docs/dialect.md and docs/passes.md from the .td files, which hold all of
# their text. mlir-tblgen sorts passes by name; the page has them in pipeline
# order under the stages that they lead to, as Passes.td has. With --check writes
# nothing, and exits 1 with a diff if a page is not up to date.
#
# ===-----------------------------------------------------------------------===#
import argparse
import difflib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTE = "<!-- Generated from {} by the target deltanet-docs. Edit that. -->\n\n"
PASSES_INTRO = """\
# Passes

In pipeline order, under the stage that they lead to. `delta-opt` has each as a
flag, and these pipelines:

| flag | from | to |
| --- | --- | --- |
| `--deltanet-to-STAGE` | rules | the stage `rule` … `llvm`: all passes down to it, and upstream's between them |
| `--deltanet-cpu-pipeline` | rules | the LLVM dialect, as `--deltanet-to-llvm` |
| `--deltanet-scalar-from-STAGE` | the stage `rule` … `buffers` | the LLVM dialect as plain loops over elements: slow, but with next to nothing of ours, to find the stage that broke a computation; what `delta-run --stage` runs |

The first two take `schedule={…}` as `delta-compile --schedule` does, and need a
`deltanet.target` on the module. `--dump-pass-pipeline` prints what one consists of.
"""


def tblgen(arguments, source, *flags):
    """The Markdown that mlir-tblgen makes of a .td file, without its note."""
    command = [arguments.tblgen, f"-I{ROOT}/dialect", f"-I{arguments.include}"]
    command += [*flags, f"{ROOT}/dialect/{source}"]
    text = subprocess.run(command, check=True, capture_output=True, text=True)
    return text.stdout.split("-->\n", 1)[1].strip() + "\n"


def dialect_page(arguments):
    page = ""
    for dialect, source in [
        ("deltanet", "deltanet/DeltaNetOps.td"),
        ("fragment", "fragment/FragmentOps.td"),
    ]:
        flags = ["-gen-dialect-doc", f"-dialect={dialect}"]
        page += tblgen(arguments, source, *flags).replace("[TOC]\n\n", "") + "\n"
    return NOTE.format("dialect/*/*.td") + re.sub(r"\n{3,}", "\n\n", page.strip()) + "\n"


def passes_page(arguments):
    text = tblgen(arguments, "deltanet/Passes.td", "-gen-pass-doc")
    sections = {}
    for section in re.split(r"^(?=### )", text, flags=re.MULTILINE):
        if name := re.match(r"### `-(\S+)`", section):
            sections[name[1]] = section.replace(f"`-{name[1]}`", f"`{name[1]}`", 1)

    # Headings of stages and names of passes, in the order of the file.
    source = (ROOT / "dialect/deltanet/Passes.td").read_text()
    page = PASSES_INTRO
    pattern = r'^//===-+===//\n// (.+)\n//===-+===//|: Pass<\s*"([^"]+)"'
    for heading, name in re.findall(pattern, source, flags=re.MULTILINE):
        if heading:
            page += f"\n## {heading}\n"
        else:
            page += "\n" + sections.pop(name).rstrip() + "\n"
    assert not sections, f"passes without a place: {list(sections)}"
    return NOTE.format("dialect/deltanet/Passes.td") + page


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tblgen", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()

    stale = False
    for name, page in [("dialect.md", dialect_page), ("passes.md", passes_page)]:
        path = ROOT / "docs" / name
        now = path.read_text() if path.exists() else ""
        then = page(arguments)
        if now == then:
            continue
        if not arguments.check:
            path.write_text(then)
            continue
        stale = True
        sys.stdout.writelines(
            difflib.unified_diff(
                now.splitlines(True), then.splitlines(True), name, f"{name} (generated)"
            )
        )
    if stale:
        print("expected generated pages to be up to date: build deltanet-docs")
    return stale


sys.exit(main())
