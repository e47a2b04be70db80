#!/usr/bin/env bash
#===- fetch-bochs.sh - The library with Bochs' CPU core --------------------===#
#
# Part of the Delta-Net project.
#
# Usage: fetch-bochs.sh FILE. Writes the library to FILE unless it is there.
#
# It comes in a Python package of an exact hash, which pip only downloads: no
# code of it is run, and any Python 3 with pip will do.
#
#===------------------------------------------------------------------------===#
set -euo pipefail

target=$1
hash=08297de4c657fcda712c66745388cf81cd056e01083473c44868b96f6ea020ad
[[ -e $target ]] && exit 0

python=${PYTHON:-python3}
if ! "$python" -m pip --version >/dev/null 2>&1; then
  echo "fetch-bochs.sh: expected $python to have pip, got none" >&2
  exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "bochscpu-python==0.4.0 --hash=sha256:$hash" >"$folder/requirements.txt"
"$python" -m pip --quiet --disable-pip-version-check download --no-deps \
  --only-binary=:all: --platform manylinux_2_28_x86_64 --python-version 311 \
  --implementation cp --abi cp311 --require-hashes --dest "$folder" \
  --requirement "$folder/requirements.txt"
"$python" -m zipfile -e "$folder"/*.whl "$folder/wheel"
mkdir -p "$(dirname "$target")"
# In one step, so that builds side by side see all of it or nothing.
cp "$folder"/wheel/bochscpu/_bochscpu*.so "$target.$$"
mv "$target.$$" "$target"
