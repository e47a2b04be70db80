#!/bin/sh
# ===- generate.sh - PTX of the kernel beside it --------------------------===#
#
# Part of the Delta-Net project.
#
# Usage: generate.sh [FOLDER]. Writes the PTX that the tests of delta-run put
# into a kernel library to a folder, by default this one: Recurrent.ptx, and
# Recurrent.MACRO.ptx for each macro that Recurrent.cu tells of. What is here
# came from nvcc 13.0.88, which gives the same bytes wherever it runs.
#
# ===-----------------------------------------------------------------------===#
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=$(cd "${1:-$here}" && pwd)
# Names in the PTX's comments do not depend on where the sources are.
cd "$here"

compile() { # [MACRO]
  nvcc --ptx --gpu-architecture=sm_80 --std=c++17 -I../../../../../include \
    ${1:+-D$1} --output-file="$to/Recurrent${1:+.$1}.ptx" Recurrent.cu
}

compile
for what in PAST_THE_END MISSING_TOKEN MISSING_BARRIER GAP_READ TWO_STAGES; do
  compile "$what"
done
