# ===- error_table.py - Errors of kernels on recorded inputs ----------------===#
#
# Part of the Delta-Net project.
#
# Usage: error_table.py LIBRARY.so FOLDER. Runs every kernel of the library, in
# each of its variants that this machine has, on FOLDER/KERNEL.npz and prints one
# line for each of its results. Exits 1 if an error is above its limit.
#
# ===-----------------------------------------------------------------------===#
import json
import subprocess
import sys

library, folder = sys.argv[1:]


def delta_run(*arguments):
    run = subprocess.run(
        ["delta-run", library, "--json", *arguments], capture_output=True, text=True
    )
    if not run.stdout:
        sys.exit(run.stderr)
    return json.loads(run.stdout)


def row(*cells):
    print("{:24}{:13}{:12}{:8}{:>10}{:>10}  {}".format(*cells).rstrip())


passed = True
print("error: RMS of the difference to what model code gave in float64, over its RMS")
row("recorded inputs", "variant", "algorithm", "result", "error", "limit", "")
for kernel in delta_run("--list")["kernels"]:
    name = kernel["name"]
    for variant in kernel["variants"]:
        if variant["usable"] != "runs here":
            continue
        isa = variant["isa"]
        report = delta_run(
            "--kernel", name, "--isa", isa, "--inputs", f"{folder}/{name}.npz"
        )
        passed = passed and report["passed"]
        for result in report["comparisons"]:
            if result["against"] == "recorded":
                # Sequences of one algorithm share a limit; of several, each has
                # its own rows, such as "o chunked".
                tensor, _, algorithm = result["tensor"].partition(" ")
                row(
                    name,
                    isa,
                    algorithm or report["schedules"][0].split()[0],
                    {"o": "output", "ht": "state"}[tensor],
                    f"{result['error']:.1e}",
                    f"{result['limit']:.1e}",
                    result["verdict"],
                )
sys.exit(not passed)
