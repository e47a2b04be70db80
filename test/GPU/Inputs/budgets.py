# ===- budgets.py - Registers, spills and shared memory against budgets -----===#
#
# Part of the Delta-Net project.
#
# Usage: budgets.py BUDGETS [--renew] [--measured=FILE]. Compiles the kernels below by
# delta-compile and ptxas and holds what ptxas tells of each to the table BUDGETS;
# exits 1 if one needs more, or if one of them is missing. --renew writes the table
# instead. What was measured is kept in FILE and taken from there if it exists.
#
# ===-----------------------------------------------------------------------===#
import argparse
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent import futures

import layer

GPUS = ["80", "89", "90a", "100a", "120a"]
# State layout, type of q, K = V or KxV, and a schedule if it is not the cost model's.
KERNELS = [
    *itertools.product(["kv", "vk"], ["bf16", "f32"], [16, 48, 64, 128, 256]),
    ("kv", "bf16", "96x192"),
    ("kv", "f16", 128),
]
RENEW = "PATH=build/bin:$PATH python3 test/GPU/Inputs/budgets.py test/GPU/ptxas-budgets.txt --renew"
HEAD = f"""\
# What ptxas may give to each kernel of test/GPU/Inputs/budgets.py: registers of a
# thread, bytes of spills and bytes of shared memory, or - where a GPU has no such
# kernel. Renewed by
#   {RENEW}
"""
WHAT = ["registers", "bytes of spills", "bytes of shared memory"]
REMARK = re.compile(
    r"remark: (\w+) for sm_\w+: (\d+) registers, \d+ bytes of stack, (\d+) and (\d+) bytes"
    r" stored and loaded by spills, (\d+) bytes of shared memory(?: and (\d+) more)?"
)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def measure():
    """For each kernel function and GPU the numbers of WHAT."""
    measured = {}
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "rules.mlir")
        source.write_text("".join(layer.rule(*each) for each in KERNELS))

        def compile_for(gpu):
            return run(
                *["delta-compile", str(source), "--target=nvptx", f"--sm={gpu}", "-v"],
                *["-o", f"{folder}/rules.{gpu}.cubin"],
            )

        with futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            texts = pool.map(compile_for, GPUS)
        for gpu, told in zip(GPUS, texts):
            for function, registers, stores, loads, static, added in REMARK.findall(told):
                measured.setdefault(function, {})[f"sm_{gpu}"] = [
                    int(registers),
                    max(int(stores), int(loads)),
                    int(static) + int(added or 0),
                ]
    return measured


def write(path, measured):
    columns = [f"sm_{gpu}" for gpu in GPUS]
    rows = [["kernel", *columns]]
    for function, numbers in sorted(measured.items()):
        told = ("/".join(map(str, numbers.get(gpu, "-"))) for gpu in columns)
        rows.append([function, *told])
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    path.write_text(HEAD + "\n".join(lines) + "\n")


def read(path):
    lines = [line.split() for line in path.read_text().splitlines() if line[:1] != "#"]
    gpus = lines[0][1:]
    return {
        function: {
            gpu: list(map(int, numbers.split("/")))
            for gpu, numbers in zip(gpus, row)
            if numbers != "-"
        }
        for function, *row in lines[1:]
    }


def compare(budgets, measured):
    for function in sorted(budgets.keys() | measured.keys()):
        for gpu in budgets.get(function, {}):
            if gpu not in measured.get(function, {}):
                yield f"{function} for {gpu}: expected a kernel for its budget, got none"
        for gpu, numbers in measured.get(function, {}).items():
            budget = budgets.get(function, {}).get(gpu)
            if not budget:
                yield f"{function} for {gpu}: expected a budget, got none"
                continue
            for what, most, number in zip(WHAT, budget, numbers):
                if number > most:
                    yield f"{function} for {gpu}: expected at most {most} {what}, got {number}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("budgets", type=pathlib.Path)
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--measured", type=pathlib.Path)
    options = parser.parse_args()
    if options.measured and options.measured.exists():
        measured = json.loads(options.measured.read_text())
    else:
        measured = measure()
    if options.measured:
        options.measured.write_text(json.dumps(measured))
    if options.renew:
        return write(options.budgets, measured)
    wrong = list(compare(read(options.budgets), measured))
    print(f"{len(measured)} kernels on {len(GPUS)} GPUs")
    if wrong:
        print("\n".join(wrong), f"If that is wanted: {RENEW}", sep="\n")
    return bool(wrong)


sys.exit(main())
