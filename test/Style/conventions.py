# ===- conventions.py - What every source file keeps to ---------------------===#
#
# Part of the Delta-Net project.
#
# Usage: conventions.py ROOT. Exits 1 if a file lacks its banner, is named after
# nothing in particular, or does what only another part may do.
#
# ===-----------------------------------------------------------------------===#
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
FOLDERS = "include lib dialect runtime tools test benchmarks examples".split()
# Pattern, where it may stand, and what is expected instead.
RESTRICTED = [
    (r"\bcl::(opt|list|bits)<", ("tools/", "benchmarks/"), "options in tools only"),
    (
        r"\b(secure_)?getenv\(",
        ("runtime/", "test/", "lib/Emulation/"),
        "getenv in the runtime only",
    ),
    (r"\b(llvm::)?dbgs\(\)|LLVM_DEBUG", (), "remarks for what a pass did"),
    (r"\b(TODO|FIXME|XXX)\b", (), "finished work"),
]
errors = []

for folder in FOLDERS:
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in {".h", ".c", ".cpp", ".td"} or "Inputs" in path.parts:
            continue
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text()
        # Test cases in C are the commands that run them.
        if "RUN:" not in text:
            banner = rf"//===- {re.escape(path.name)} - \S.*===//\n//\n// Part of the"
            if not re.match(banner, text):
                errors.append(f"{name}: expected a banner with the file's purpose")
        if re.search(r"Util|Helper|Common|Misc", path.stem):
            errors.append(f"{name}: expected a name that tells the subject")
        for pattern, places, expected in RESTRICTED:
            if not name.startswith(places) and (found := re.search(pattern, text)):
                errors.append(f"{name}: expected {expected}, got {found[0]}")

print("\n".join(errors))
sys.exit(bool(errors))
