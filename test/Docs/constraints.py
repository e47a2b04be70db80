# ===- constraints.py - The numbered constraints agree everywhere -----------===#
#
# Part of the Delta-Net project.
#
# Usage: constraints.py ROOT. The constraints C1, C2, … of docs/spec.md have no
# gap, read the same where a .td file repeats them, and each is cited by the code
# that checks it and by a test. Exits 1 if not.
#
# ===-----------------------------------------------------------------------===#
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
errors = []


def read(folder, *suffixes):
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix in suffixes:
            yield path, path.read_text()


def constraints(text):
    """Number and text of each bullet `- C7: …`, on one line."""
    bullets = r"^ *- C(\d+): (.+(?:\n +(?![ -]).+)*)"
    for number, words in re.findall(bullets, text, re.MULTILINE):
        yield int(number), " ".join(words.split())


def cited(text):
    """Numbers in `C7` and `C6 to C10`."""
    for first, last in re.findall(r"\bC(\d+)(?:\s+to\s+C(\d+))?\b", text):
        yield from range(int(first), int(last or first) + 1)


spec = dict(constraints((ROOT / "docs/spec.md").read_text()))
if list(spec) != list(range(1, len(spec) + 1)):
    errors.append(f"docs/spec.md: expected C1, C2, … in order, got {list(spec)}")

for path, text in read("dialect", ".td"):
    for number, words in constraints(text):
        if words != spec.get(number):
            name = path.relative_to(ROOT)
            errors.append(f"{name}: expected C{number} as in docs/spec.md")

for folder, suffixes in [("lib", [".cpp"]), ("test", [".mlir"])]:
    numbers = {n for _, text in read(folder, *suffixes) for n in cited(text)}
    for number in spec.keys() - numbers:
        errors.append(f"{folder}/: expected a file that cites C{number}")

print("\n".join(errors))
sys.exit(bool(errors))
