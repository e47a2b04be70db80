"""Writes the cases of test inputs as seeds for the fuzzer.

usage: make_seeds.py DIRECTORY TEST_FOLDER

A case is a part of an .mlir file between // ----- lines; those with operations
that inputs of the compiler cannot have are left out, and comments are dropped.
"""

import pathlib
import re
import sys

OTHER = re.compile(r"\b(arith|linalg|llvm|memref|scf|tensor|vector|cf)\.[a-z]")
# The malformed cases use these.
ALIASES = {
    "#avx2": "#deltanet.target<arch = x86_64, isa = avx2, vector_bits = 256, "
    "vector_registers = 16, vector_units = 2, fma = true, l1_bytes = 32768, l2_bytes = 524288, streams = 4, "
    "matrix = none>",
    "!x": "tensor<?x1x16xf32>",
    "!b": "tensor<?x1xf32>",
    "!s": "tensor<?x1x16x16xf32>",
}


def main():
    directory, tests = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    count = 0
    for path in sorted(tests.rglob("*.mlir")):
        for case in path.read_text(encoding="utf-8").split("// -----\n"):
            case = re.sub(r"^ *//.*\n", "", case, flags=re.MULTILINE)
            if "deltanet" not in case or OTHER.search(case):
                continue
            for alias, text in ALIASES.items():
                case = re.sub(re.escape(alias) + r"\b", text, case)
            if len(case) > 4096:
                continue
            (directory / f"seed{count}").write_text(case, encoding="utf-8")
            count += 1
    print(f"{count} seeds")
    sys.exit(count < 50)


main()
