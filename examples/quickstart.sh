#!/usr/bin/env bash
#===- quickstart.sh - From a fresh machine to verified kernels -------------===#
#
# Part of the Delta-Net project.
#
# Usage: examples/quickstart.sh
#
# On Debian 12, as root: installs missing packages, builds the tools into build/
# (or where DELTANET_BUILD says), compiles two files of rules to libraries, runs
# them on inputs that were recorded from public model code and on generated ones,
# and prints the errors. Exits 1 if one is above its limit.
#
#===------------------------------------------------------------------------===#
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${DELTANET_BUILD:-$root/build}
out=$build/quickstart

echo "Building takes about four minutes on two cores, missing packages as long as" \
  "their download, and the rest seconds."
bash "$root/cmake/install-packages.sh"
export CC=${CC:-clang-22} CXX=${CXX:-clang++-22}
cmake -S "$root" -B "$build" -G Ninja
cmake --build "$build" --parallel "$(nproc)" --target delta-compile delta-run
mkdir -p "$out"
export PATH=$build/bin:$PATH

say() {
  printf '\n$ %s\n' "$*"
  "$@"
}

cd "$root"
say delta-compile examples/qwen3-next.mlir -o "$out/qwen3-next.so" \
  --header "$out/qwen3-next.h"
say delta-compile examples/recorded.mlir -o "$out/recorded.so"
say python3 examples/error_table.py "$out/recorded.so" test/Execution/golden
say delta-run "$out/qwen3-next.so" --kernel qwen3_next --lengths 300,0,1,70

printf '\nAll passed: every error is within its limit (docs/spec.md).\n'
