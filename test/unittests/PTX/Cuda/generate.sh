#!/bin/sh
# ===- generate.sh - PTX of the CUDA kernels beside it --------------------===#
#
# Part of the Delta-Net project.
#
# Usage: generate.sh [FOLDER]. Writes the PTX that the tests read to a folder,
# by default this one. Kernels with a fault planted are KERNEL.FAULT.ptx, of a
# macro that the kernel's file explains. What is here came from nvcc 13.0.88,
# which gives the same bytes wherever it runs.
#
# ===-----------------------------------------------------------------------===#
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=$(cd "${1:-$here}" && pwd)
# Names in the PTX's comments do not depend on where the sources are.
cd "$here"

compile() { # KERNEL [FAULT]
  nvcc --ptx --gpu-architecture=sm_80 --std=c++17 ${2:+-D$2} \
    --output-file="$to/$1${2:+.$2}.ptx" "$1.cu"
}

for kernel in *.cu; do
  compile "${kernel%.cu}"
done
compile AsyncCopyPipeline MISSING_WAIT
compile BlockSoftmax UNINITIALISED_READ
compile ByteHistogram PAST_THE_END
compile NamedBarriers DEADLOCK
compile StridedCopy MISALIGNED
compile TiledProduct DIVERGENT_BARRIER
compile TiledProduct MISSING_BARRIER
