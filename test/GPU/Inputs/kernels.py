# ===- kernels.py - Kernels of fragment operations, run in delta-ptxsim -----===#
#
# Part of the Delta-Net project.
#
# Usage: kernels.py FILE.mlir FILE.ptx, for tests that say themselves what they run.
#
# ===-----------------------------------------------------------------------===#
import json
import pathlib
import re
import struct
import subprocess
import sys

PASSES = [
    "--deltanet-gpu-lower-fragments",
    "--cse",
    "--canonicalize",
    "--convert-scf-to-cf",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-vector-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm=use-bare-ptr-memref-call-conv",
    "--convert-to-llvm",
    "--reconcile-unrealized-casts",
]
NPY_TYPES = {"f32": "<f4", "f16": "<f2", "bf16": "<u2", "s32": "<i4"}
CODES = {"f32": "f", "f16": "e", "s32": "i"}


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return done.stdout


def lower(module, path, passes=()):
    """PTX of functions, each a kernel. The passes run first."""
    text = run("delta-opt", *passes, *PASSES, text=module)
    text = re.sub(r"(llvm\.func @.*) attributes \{", r"\1 attributes {nvvm.kernel, ", text)
    path.write_text(run("delta-translate", "--nvvm-to-ptx", "--chip=sm_80", text=text))


def round_to_f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def write_array(path, element, shape, values):
    header = f"{{'descr': '{NPY_TYPES[element]}', 'fortran_order': False, "
    header += f"'shape': ({', '.join(map(str, shape))},)}}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    if element == "bf16":
        # Rounded towards zero: for values that it holds.
        words = struct.unpack(f"<{len(values)}I", struct.pack(f"<{len(values)}f", *values))
        body = struct.pack(f"<{len(values)}H", *(word >> 16 for word in words))
    else:
        body = struct.pack(f"<{len(values)}{CODES[element]}", *values)
    magic = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
    path.write_bytes(magic + header.encode() + body)


def read_array(path, element):
    data = path.read_bytes()
    body = data[10 + struct.unpack("<H", data[8:10])[0] :]
    if element == "bf16":
        words = struct.unpack(f"<{len(body) // 2}H", body)
        packed = struct.pack(f"<{len(words)}I", *(word << 16 for word in words))
        return list(struct.unpack(f"<{len(words)}f", packed))
    code = CODES[element]
    return list(struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body))


def simulate(ptx, kernel, block, arguments, inputs, folder, shared=0):
    """The outputs, and what the report tells. An argument is a scalar TYPE:VALUE or
    (name, in or out, element type, shape)."""
    command = ["delta-ptxsim", str(ptx), f"--kernel={kernel}", "--grid=1"]
    command += [f"--block={block}", f"--shared={shared}", f"--report={folder}/report.json"]
    for argument in arguments:
        if isinstance(argument, str):
            command.append(f"--arg={argument}")
            continue
        name, direction, element, shape = argument
        spec = f"--arg={name}={direction}:{element}:{'x'.join(map(str, shape))}"
        path = folder / f"{name}.npy"
        if direction == "in":
            write_array(path, element, shape, inputs[name])
            spec += f":{path}"
        else:
            command.append(f"--save={name}={path}")
        command.append(spec)
    run(*command)
    outputs = {
        each[0]: read_array(folder / f"{each[0]}.npy", each[2])
        for each in arguments
        if not isinstance(each, str) and each[1] == "out"
    }
    return outputs, json.loads((folder / "report.json").read_text())


if __name__ == "__main__":
    lower(pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2]))
