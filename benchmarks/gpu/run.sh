#!/usr/bin/env bash
#===- run.sh - Checks and times the kernels on this machine's GPU ----------===#
#
# Part of the Delta-Net project.
#
# Usage: run.sh OUTDIR [option of delta-gpu-bench...]
#
# Needs an NVIDIA driver of CUDA 12 and nothing else. Lies in the folder that
#
#   ninja deltanet-gpu-bench
#
# makes (gpu-bench/ of the build), which may be copied anywhere. In this order:
#
#   check      what the kernels compute, against a float64 recurrence and against
#              what a simulated GPU computed when the folder was made
#   sanitizer  a few calls under memcheck, racecheck, synccheck and initcheck,
#              where compute-sanitizer is in PATH or in the CUDA toolkit
#   time       every kernel, with the times that others publish beside it
#
# OUTDIR gets checks.json, times.json, facts of the machine and all that was
# printed. What fails does not keep the rest from running. The last line tells what
# failed; the exit status is 0 if nothing did, 1 if something did, 2 for wrong
# usage.
#
#===------------------------------------------------------------------------===#
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$here/delta-gpu-bench

usage() {
  echo "run.sh: $*" >&2
  exit 2
}

if [[ ! -x $program ]]; then
  usage "expected delta-gpu-bench beside this script, got none: build the" \
    "target deltanet-gpu-bench and run gpu-bench/run.sh of that build"
fi
if (($# < 1)) || [[ $1 == -* ]]; then
  usage "expected OUTDIR, got '${1:-}'"
fi
out=$1
shift
mkdir -p "$out" || usage "expected a folder that can be made, got '$out'"
options=("$@")
kernels=("$here"/kernels/*.so)
failed=()

# part NAME COMMAND...: runs it and keeps what it prints.
part() {
  local name=$1
  shift
  echo "== $name"
  # A kernel that never ends does not keep the rest from running either.
  if ! timeout --kill-after=30 1800 "$@" 2>&1 | tee "$out/$name.txt"; then
    failed+=("$name")
  fi
}

{
  uname -a
  nvidia-smi || echo "no nvidia-smi"
  nvidia-smi -q -d CLOCK,POWER 2>/dev/null
} >"$out/machine.txt" 2>&1

part check "$program" --check "${kernels[@]}" --stored="$here/stored" \
  --json="$out/checks.json" "${options[@]}"

sanitizer=$(PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin command -v compute-sanitizer)
if [[ $sanitizer ]]; then
  for tool in memcheck racecheck synccheck initcheck; do
    for action in check time; do
      part "$tool-$action" "$sanitizer" --tool "$tool" --error-exitcode 1 \
        "$program" --$action "${kernels[@]}" "${options[@]}" --cases=smoke
    done
  done
else
  echo "== no compute-sanitizer: expected it in PATH or CUDA_HOME, got none"
fi

part time "$program" --time "${kernels[@]}" --json="$out/times.json" \
  "${options[@]}"

if ((${#failed[@]})); then
  echo "failed: ${failed[*]}; see $out"
  exit 1
fi
echo "passed; see $out"
