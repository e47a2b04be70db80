#!/usr/bin/env bash
#===- run.sh - Builds Delta-Net and runs all of its tests ------------------===#
#
# Part of the Delta-Net project.
#
# Usage: test/run.sh [--release-only] [CMake option of the release build...]
#
# Installs missing packages (Debian 12, as root), configures, builds and runs
#
#   release   the lit suite with its unit tests
#   asan      the same and a minute of the fuzzer, with the address and
#             undefined behaviour sanitizers
#   tsan      the tests of the runtime with the thread sanitizer
#
# where a warning is an error. The last line is the sum of them all and reads
#
#   N passed, N failed[, N skipped]
#
# and the exit status is 0 if and only if no test failed. The builds lie in
# build/, build-asan/ and build-tsan/, or where DELTANET_BUILD says, with the
# same endings. The compiler is clang 22 unless CC and CXX name another for the
# release build.
#
#===------------------------------------------------------------------------===#
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${DELTANET_BUILD:-$root/build}
jobs=$(nproc)
release_only=
if [[ ${1:-} == --release-only ]]; then
  release_only=1
  shift
fi

bash "$root/cmake/install-packages.sh"

# One copy of Bochs for all builds. Without it what needs the emulator is skipped,
# unless DELTANET_REQUIRE_EMULATOR says that it must be there.
if [[ $(uname -m) == x86_64 ]]; then
  export DELTANET_BOCHS=${DELTANET_BOCHS:-$build/bochs/bochs.so}
  if ! bash "$root/lib/Emulation/X86/fetch-bochs.sh" "$DELTANET_BOCHS"; then
    [[ ! ${DELTANET_REQUIRE_EMULATOR:-} ]] || exit 1
    echo "run.sh: no emulator, see above" >&2
  fi
fi

export CC=${CC:-clang-22} CXX=${CXX:-clang++-22}
status=0
reports=()

# check DIR SUITE CMAKE_OPTION...: configures DIR, builds and runs a test suite.
# lit's own report is what is counted: its exit status alone cannot tell a
# failed test from a suite that found none.
check() {
  local dir=$1 suite=$2 report=$1/test-results.json
  shift 2
  echo "== $suite in $dir"
  cmake -S "$root" -B "$dir" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON "$@"
  rm -f "$report"
  LIT_OPTS="--output=$report --workers=$jobs ${LIT_OPTS:-}" \
    cmake --build "$dir" --parallel "$jobs" --target "$suite" || status=$?
  [[ -e $report ]] || exit 1
  reports+=("$report")
}

check "$build" check-deltanet -G Ninja "$@"
if [[ ! $release_only ]]; then
  check "$build-asan" check-deltanet --preset asan
  check "$build-tsan" check-deltanet-runtime --preset tsan
fi

python3 "$root/test/count.py" "${reports[@]}" || status=1
exit "$status"
