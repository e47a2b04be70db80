#!/usr/bin/env bash
#===- install-packages.sh - What Delta-Net needs on Debian 12 --------------===#
#
# Part of the Delta-Net project.
#
# Installs the packages that building and testing need, and no others. Says
# nothing when all are there; then it needs no root and no network. Exits 1 with
# a reason where it cannot help.
#
#===------------------------------------------------------------------------===#
set -euo pipefail

packages=(
  # Build.
  cmake ninja-build g++ clang-22 lld-22 llvm-22-dev libmlir-22-dev
  mlir-22-tools zlib1g-dev python3
  # Tests: FileCheck and lit, sanitizers and fuzzing, unit tests, style.
  llvm-22-tools libclang-rt-22-dev libfuzzer-22-dev libgtest-dev
  clang-format-22 clang-tidy-22
  # Benchmarks and what they are compared with.
  libbenchmark-dev libomp-22-dev
)

# pip fetches the CPU core of the emulator.
python3 -m pip --version >/dev/null 2>&1 || packages+=(python3-pip)

fail() {
  echo "install-packages.sh: $*" >&2
  exit 1
}

release=$(. /etc/os-release 2>/dev/null && echo "${ID:-} ${VERSION_ID:-}") || true
if [[ $release != "debian 12" ]]; then
  fail "expected Debian 12, got '${release:-an unknown system}'; install by" \
    "hand what this script lists"
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || true
  [[ $status == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

if ((EUID)); then
  fail "expected to run as root to install ${missing[*]}"
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { apt-get update && apt-get install --yes --no-install-recommends \
  "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
  tail -n 20 "$log" >&2
  fail "apt-get failed, see above"
fi
