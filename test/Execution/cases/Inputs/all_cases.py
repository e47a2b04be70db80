"""all_cases.py TESTS-FOLDER: lists which test holds which numbered case, and
fails unless every number has one."""
import collections
import pathlib
import re
import sys

# Mistakes of public kernels that this project's kernels could make as well.
NUMBERS = [
    *range(1, 4), 5, 6, 8, 9, 11, 12, *range(13, 20), *range(22, 26),
    *range(27, 31), 33, *range(36, 58), *range(59, 64),
]  # fmt: skip

# TEST(Suite, Case05_Text), a parameter "Case45_Text", or a file case-57.mlir.
IN_SOURCE = re.compile(r"(?:TEST\w*\(\w+,\s*|\{\")(Case(\d\d)\w*)")
AS_FILE = re.compile(r"case-(\d\d)\b.*\.(?:mlir|test)$")

root = pathlib.Path(sys.argv[1])
found = collections.defaultdict(list)
for path in sorted(root.rglob("*")):
    where = path.relative_to(root)
    if match := AS_FILE.match(path.name):
        found[int(match[1])].append(str(where))
    if path.suffix == ".cpp":
        for name, number in IN_SOURCE.findall(path.read_text()):
            found[int(number)].append(f"{where}: {name}")

for number in sorted(found):
    for test in found[number]:
        print(f"case {number}: {test}")
missing = [number for number in NUMBERS if number not in found]
if missing:
    sys.exit(f"no test for case {', '.join(map(str, missing))}")
print(f"{len(NUMBERS)} cases have tests")
