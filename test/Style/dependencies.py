# ===- dependencies.py - What each part may include and link ----------------===#
#
# Part of the Delta-Net project.
#
# Usage: dependencies.py ROOT. Reads the #include directives and the link
# libraries of every part; exits 1 if one goes against the direction
#
#   IR -> Target -> Schedule -> Transforms -> ABI -> {CPU, GPU} -> Pipelines -> Codegen
#
# Fragment is a dialect of its own for those from Transforms on.
#
# Verification judges what the others make: it runs pipelines, but takes no code
# of their passes, and no other part uses it. Emulation knows none of them. The
# runtime includes the C headers alone; its parts for CPUs and GPUs know of what
# both need in runtime/abi, and not of each other.
#
# ===-----------------------------------------------------------------------===#
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
SHARED = {"IR", "Fragment", "Target", "Schedule", "Transforms", "ABI"}
MAY_USE = {
    "IR": set(),
    "Fragment": set(),
    "Target": {"IR"},
    "Schedule": {"IR", "Target"},
    "Transforms": {"IR", "Fragment", "Target", "Schedule"},
    "ABI": {"IR", "Target", "Schedule", "Transforms"},
    "CPU": SHARED,
    "GPU": SHARED,
    "Pipelines": SHARED | {"CPU", "GPU"},
    "Codegen": SHARED | {"CPU", "GPU", "Pipelines"},
    "Emulation": set(),
    "Verification": {"IR", "Target", "Pipelines", "Emulation"},
}
errors = []


def sources(*folders):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".h", ".c", ".cpp"}:
                yield path


def check(path, what, legal):
    if not legal:
        errors.append(f"{path.relative_to(ROOT)}: expected no use of {what}")


def includes(path):
    return re.findall(r'^#include ([<"])(.+)[>"]', path.read_text(), re.MULTILINE)


def is_beside(path, name):
    return "/" not in name and (path.parent / name).exists()


parts = {path.name for path in (ROOT / "lib").iterdir() if path.is_dir()}
for part in sorted(parts - MAY_USE.keys()):
    errors.append(f"lib/{part}: expected a part that this test knows")

for part in sorted(parts & MAY_USE.keys()):
    own = MAY_USE[part] | {part}
    for path in sources(f"lib/{part}", f"include/deltanet/{part}"):
        for _, name in includes(path):
            if match := re.match(r"deltanet/(\w+)/", name):
                check(path, name, match[1] in own)
            elif name in {"deltanet-c/runtime.h", "deltanet-c/cuda.h"}:
                check(path, name, part == "Verification")
            elif name.startswith(".."):
                check(path, name, False)
    listing = ROOT / "lib" / part / "CMakeLists.txt"
    for library in re.findall(r"\bDeltaNet([A-Z]\w*)", listing.read_text()):
        if library in MAY_USE:
            check(listing, f"DeltaNet{library}", library in own)

for path in sources("runtime"):
    for quote, name in includes(path):
        shared = name.startswith("abi/") and (ROOT / "runtime" / name).exists()
        own = name.startswith("deltanet-c/") or shared or is_beside(path, name)
        system = quote == "<" and re.fullmatch(r"[\w/]+\.h", name)
        check(path, name, own or system)

C_HEADERS = {
    "stddef.h",
    "stdint.h",
    "deltanet-c/kernel_abi.h",
    "deltanet-c/runtime.h",
}
for path in sources("include/deltanet-c"):
    for _, name in includes(path):
        check(path, name, name in C_HEADERS)

print("\n".join(errors))
sys.exit(bool(errors))
