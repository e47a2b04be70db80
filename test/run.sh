#!/usr/bin/env bash
#===- run.sh - Builds Delta-Net and runs all of its tests ------------------===#
#
# Part of the Delta-Net project.
#
# Usage: test/run.sh [CMake option...], for instance -DCMAKE_BUILD_TYPE=Debug
#
# Installs missing packages (Debian 12, as root), configures, builds and runs
# the lit suite with its unit tests. The last line reads
#
#   N passed, N failed[, N skipped]
#
# and the exit status is 0 if and only if no test failed. The build lies in
# build/, or where DELTANET_BUILD says. The compiler is clang 22 unless CC and
# CXX name another.
#
#===------------------------------------------------------------------------===#
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${DELTANET_BUILD:-$root/build}
jobs=$(nproc)

bash "$root/cmake/install-packages.sh"

export CC=${CC:-clang-22} CXX=${CXX:-clang++-22}
cmake -S "$root" -B "$build" -G Ninja "$@"
cmake --build "$build" --parallel "$jobs"

# lit's own report is what is counted: its exit status alone cannot tell a
# failed test from a suite that found none.
results=$build/test-results.json
rm -f "$results"
status=0
LIT_OPTS="--output=$results --workers=$jobs ${LIT_OPTS:-}" \
  cmake --build "$build" --target check-deltanet || status=$?
[[ -e $results ]] || exit 1

python3 "$root/test/count.py" "$results" || status=1
exit "$status"
