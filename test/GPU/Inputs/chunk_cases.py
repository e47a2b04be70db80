# ===- chunk_cases.py - Decays and inverses by a block, against plain loops -===#
#
# Part of the Delta-Net project.
#
# Usage: chunk_cases.py FOLDER [FAULT]. Takes deltanet.decay and deltanet.tril_inverse
# for all lengths of chunks through the passes from `fused` on, as the work item of a
# kernel of 4 warps, runs them in delta-ptxsim and compares with loops in float64.
# Prints what each executed. Exits 1 if a result is off, or if delta-ptxsim finds
# anything. FAULT is added to the last element of what is expected.
#
# ===-----------------------------------------------------------------------===#
import math
import pathlib
import random
import re
import sys

import kernels

WARPS = 4
PASSES = [
    "--deltanet-gpu-expand-decay",
    "--deltanet-gpu-expand-triangular-inverse",
    "--deltanet-bufferize-kernels",
    "--deltanet-place-scratch",
    "--deltanet-split-into-work-items",
    "--deltanet-gpu-map-to-blocks",
    "--deltanet-gpu-insert-barriers",
    "--deltanet-gpu-distribute-to-threads",
    "--canonicalize",
    "--cse",
    "--deltanet-gpu-expand-math",
]


def tensor(*shape):
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


class Case:
    """An operation on what the work item has copied to its scratch, or on memory of the
    call, whose results it copies to `o`, one after the other."""

    in_place = False

    def module(self):
        taken, given = math.prod(self.taken), sum(map(math.prod, self.given))
        lines, at = [], 0
        for number, shape in enumerate(self.given):
            size, flat = math.prod(shape), f"%c{number}"
            place = f"[{at}] [{size}] [1]"
            out = f"%e{number}"
            lines.append(
                f"""{out} = tensor.extract_slice %o{number}{place}
                    : {tensor(given)} to {tensor(size)}"""
            )
            if len(shape) > 1:
                out, flat = f"%d{number}", f"%f{number}"
                lines.append(
                    f"""{out} = tensor.expand_shape %e{number} [[0, 1]]
                        output_shape {list(shape)} : {tensor(size)} into {tensor(*shape)}"""
                )
            lines.append(
                f"""%c{number} = linalg.copy ins(%r{number} : {tensor(*shape)})
                    outs({out} : {tensor(*shape)}) -> {tensor(*shape)}"""
            )
            if len(shape) > 1:
                lines.append(
                    f"""{flat} = tensor.collapse_shape %c{number} [[0, 1]]
                        : {tensor(*shape)} into {tensor(size)}"""
                )
            lines.append(
                f"""%o{number + 1} = tensor.insert_slice {flat} into %o{number}{place}
                    : {tensor(size)} into {tensor(given)}"""
            )
            at += size
        copy = f"""%empty = bufferization.alloc_tensor() : {tensor(taken)}
            %x = linalg.copy ins(%a : {tensor(taken)}) outs(%empty : {tensor(taken)})
                -> {tensor(taken)}"""
        whole = f"[0] [{given}] [1] : {tensor(given)} into {tensor(given)}"
        return f"""
        func.func @f(%a: {tensor(taken)} {{deltanet.role = #deltanet<role g>}},
                     %dst: {tensor(given)} {{deltanet.role = #deltanet<role o>}})
            -> {tensor(given)}
            attributes {{deltanet.kernel = #deltanet.kernel<rule = delta,
                head_map = grouped, state_layout = kv, h = 1, hv = 1, k = 16, v = 16,
                io = f32, scale = 1.0 : f32>}} {{
          %all = scf.forall (%i) in (1) shared_outs(%o0 = %dst) -> ({tensor(given)}) {{
            {'' if self.in_place else copy}
            {self.operation('%a' if self.in_place else '%x')}
            {" ".join(lines)}
            scf.forall.in_parallel {{
              tensor.parallel_insert_slice %o{len(self.given)} into %o0{whole}
            }}
          }} {{deltanet.schedule = #deltanet.schedule<recurrent, value_slice = 16,
                                                      state = registers, warps = {WARPS}>}}
          return %all : {tensor(given)}
        }}"""

    def compile(self, folder):
        """The function of the stage as a kernel of its own."""
        text = kernels.run("delta-opt", *PASSES, text=self.module())
        stage = re.search(
            r"  func.func private @f.stage0\((%\w+: \S+ 1>, %\w+: \S+ 1>), %\w+: \S+ 1>,"
            r" (%\w+): (memref<\S+ 3>), (%\w+): index, (%\w+): index\) .*?\n(.*?\n  })",
            text,
            re.DOTALL,
        )
        tensors, scratch, memory, begin, end, body = stage.groups()
        self.ptx = folder / "case.ptx"
        kernels.lower(
            f"""memref.global "private" @arena : {memory} = uninitialized {{alignment = 128}}
            func.func @f({tensors}) attributes {{nvvm.reqntid = array<i32: {32 * WARPS}>}} {{
              {scratch} = memref.get_global @arena : {memory}
              {begin} = arith.constant 0 : index
              {end} = arith.constant 1 : index
              {body}""",
            self.ptx,
        )

    def run(self, folder, values):
        taken, given = math.prod(self.taken), sum(map(math.prod, self.given))
        arguments = [("a", "in", "f32", [taken]), ("o", "out", "f32", [given])]
        outputs, self.report = kernels.simulate(
            self.ptx, "f", 32 * WARPS, arguments, {"a": values}, folder
        )
        return outputs["o"]

    def counts(self):
        mix = self.report["mix"]
        shared = [each for each in self.report["accesses"] if each["space"] == "shared"]
        parts, ideal = (sum(each[key] for each in shared) for key in ("parts", "idealParts"))
        return (
            f"{self.report['instructions']} instructions, {mix['bar.sync'] // WARPS} barriers,"
            f" {parts} waves of {ideal}"
        )


class Decay(Case):
    inputs = ["zero", "weak", "huge", "infinite", "mixed", "all infinite"]

    def __init__(self, chunk):
        self.name, self.chunk, self.taken = f"decay {chunk}", chunk, [chunk]
        self.given = [[chunk, chunk], [chunk], [chunk]]

    def operation(self, x):
        types = ", ".join(tensor(*shape) for shape in self.given)
        return f"%r0, %r1, %r2 = deltanet.decay {x} : {tensor(self.chunk)} -> {types}"

    def values(self, kind):
        def gate():
            rare = random.random() < 0.1
            weak = kernels.round_to_f32(-random.expovariate(10))
            return {
                "zero": 0.0,
                "weak": weak,
                "huge": -1e4,
                "infinite": -math.inf if rare else weak,
                "mixed": random.choice([0.0, weak, weak, -1e4 if rare else weak]),
                "all infinite": -math.inf,
            }[kind]

        return [gate() for _ in range(self.chunk)]

    def expected(self, gates):
        c = self.chunk
        def decay(i, j):
            log = math.fsum(gates[j + 1 : i + 1])
            # Zero is exact where a gate is −∞, else as near as f32 has numbers.
            return 0.0 if j > i or math.isinf(log) else max(math.exp(log), 1e-300)

        matrix = [decay(i, j) for i in range(c) for j in range(c)]
        prefix = [math.fsum(gates[: i + 1]) for i in range(c)]
        suffix = [math.fsum(gates[i + 1 :]) for i in range(c)]
        return matrix + prefix + suffix

    def is_near(self, got, expected):
        if expected == 0 or math.isinf(expected):
            return got == expected
        return abs(got - expected) <= 4e-6 * abs(expected) + 1e-37


class Inverse(Case):
    inputs = ["zero", "drawn", "equal", "alternating"]

    def __init__(self, chunk):
        self.name, self.chunk = f"inverse {chunk}", chunk
        self.taken, self.given = [chunk * chunk], [[chunk, chunk]]
        # Shared memory does not hold the largest matrix twice.
        self.in_place = chunk == 128

    def operation(self, x):
        matrix = tensor(self.chunk, self.chunk)
        return f"""
            %m = tensor.expand_shape {x} [[0, 1]] output_shape [{self.chunk}, {self.chunk}]
                : {tensor(self.chunk**2)} into {matrix}
            %r0 = deltanet.tril_inverse %m : {matrix}"""

    def values(self, kind):
        """Products of keys; what is not below the diagonal is no number."""

        def product(i, j):
            if j >= i:
                return math.nan
            near = 1 - random.random() * 1e-3
            value = {
                "zero": 0.0,
                "drawn": random.uniform(-0.4, 0.4),
                "equal": near,
                "alternating": 1.9 * near,
            }[kind]
            return kernels.round_to_f32(value)

        c = self.chunk
        return [product(i, j) for i in range(c) for j in range(c)]

    def expected(self, matrix):
        c = self.chunk
        rows = []
        for i in range(c):
            row = [0.0] * i + [1.0] + [0.0] * (c - 1 - i)
            for j in range(i):
                factor, above = matrix[i * c + j], rows[j]
                for k in range(j + 1):
                    row[k] -= factor * above[k]
            rows.append(row)
        self.largest = max(abs(each) for row in rows for each in row)
        return sum(rows, [])

    def is_near(self, got, expected):
        return abs(got - expected) <= 1e-5 * self.largest


def main():
    random.seed(3)
    folder = pathlib.Path(sys.argv[1])
    fault = float((sys.argv + ["0"])[2])
    failed = False
    for case in [kind(chunk) for kind in (Decay, Inverse) for chunk in (16, 32, 64, 128)]:
        case.compile(folder)
        for kind in case.inputs:
            values = case.values(kind)
            got, expected = case.run(folder, values), case.expected(values)
            expected[-1] += fault
            wrong = [
                number
                for number, (x, y) in enumerate(zip(got, expected))
                if not case.is_near(x, y)
            ]
            if wrong:
                failed = True
                first = wrong[0]
                print(
                    f"{case.name} of {kind} values: expected {expected[first]} as element"
                    f" {first}, got {got[first]}; {len(wrong)} are off"
                )
        print(f"{case.name}: {case.counts()}")
    return failed


sys.exit(main())
