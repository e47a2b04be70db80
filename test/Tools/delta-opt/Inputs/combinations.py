"""combinations.py DELTA-OPT: runs the CPU pipeline on every combination of
element type, rule, state layout and head map."""
import itertools
import re
import subprocess
import sys

TARGET = (
    "module attributes {deltanet.target = #deltanet.target<arch = x86_64, "
    "isa = generic, vector_bits = 128, vector_registers = 16, vector_units = 2, fma = false, "
    "l1_bytes = 32768, l2_bytes = 262144, streams = 4, matrix = none>} {\n"
)
SUPPORTED = {"f32", "bf16", "f16"}


def rule(io, kind, layout, heads):
    q, v, g = f"tensor<?x2x16x{io}>", f"tensor<?x4x32x{io}>", "tensor<?x4xf32>"
    rows = "16x32" if layout == "kv" else "32x16"
    types = {"q": q, "k": q, "v": v}
    if kind == "gated":
        types["g"] = g
    types |= {"beta": g, "state": f"tensor<1x4x{rows}xf32>"}
    results = f"({v}, {types['state']})"
    arguments = ", ".join(f"%{name}: {type}" for name, type in types.items())
    operands = " ".join(f"{name}(%{name})" for name in types)
    return (
        f"func.func @f({arguments}) -> {results} {{\n"
        f"  %o, %s = deltanet.delta_rule {kind}, {heads}, {layout} {operands}\n"
        f"    : ({', '.join(types.values())}) -> {results}\n"
        f"  return %o, %s : {v}, {types['state']}\n}}\n}}\n"
    )


compiled = refused = 0
for io, *rest in itertools.product(
    ["f32", "bf16", "f16", "f64", "i8", "f8E4M3FN"],
    ["delta", "gated"],
    ["kv", "vk"],
    ["grouped", "tiled"],
):
    run = subprocess.run(
        [sys.argv[1], "-", "--deltanet-cpu-pipeline"],
        input=TARGET + rule(io, *rest),
        capture_output=True,
        text=True,
    )
    located = re.search(r"<stdin>:\d+:\d+: error: .*expected", run.stderr)
    if run.returncode == 0:
        compiled += 1
    elif run.returncode == 1 and located:
        refused += 1
    else:
        sys.exit(f"{io} {rest}: exit code {run.returncode}\n{run.stderr}")
    if (run.returncode == 0) != (io in SUPPORTED):
        sys.exit(f"{io} {rest}: unexpected outcome\n{run.stderr}")
print(f"{compiled} compiled, {refused} refused")
