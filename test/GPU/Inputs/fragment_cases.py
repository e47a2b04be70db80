# ===- fragment_cases.py - Tiles of many layouts against plain loops --------===#
#
# Part of the Delta-Net project.
#
# Usage: fragment_cases.py FOLDER [FAULT [PASS]…]. Writes a kernel for each layout, shape
# and type into FOLDER, runs it in delta-ptxsim and compares each element of each
# result with loops over lists. All values are integers that the types hold exactly.
# Exits 1 if one differs, or if delta-ptxsim finds anything. FAULT is added to the
# last element of what is expected, the passes run before tiles are lowered.
#
# ===-----------------------------------------------------------------------===#
import itertools
import math
import pathlib
import random
import re
import sys

import kernels


def lanes(a, b, c, d):
    return f"#fragment.lanes<lanes = [{a}, {b}], warps = [{c}, {d}]>", a * c, 4 * b * d, c, d


def accumulator(c, d):
    return f"#fragment.accumulator<warps = [{c}, {d}]>", 16 * c, 8 * d, c, d


def left(c, d):
    return f"#fragment.left<warps = [{c}, {d}]>", 16 * c, 16, c, d


class Case:
    """z = x·row + column − yᵀ, zero right of a diagonal, z transposed, the row and
    column, and the sums and maxima of z where one warp has them."""

    def __init__(self, name, layout, rows, columns, element, alignment):
        self.name, self.element = name, element
        self.layout, row_step, column_step, self.c, self.d = layout
        self.rows, self.columns = rows * row_step, columns * column_step
        self.align = f"alignment {alignment}" if alignment else ""
        self.what = f"{self.layout} {self.rows}x{self.columns} {element} {self.align}"
        m, n = self.rows, self.columns
        self.arguments = [
            ("x", "in", element, [m, n]),
            ("y", "in", element, [n, m]),
            ("row", "in", element, [n]),
            ("column", "in", element, [m]),
            ("z", "out", element, [m, n]),
            ("zt", "out", element, [n, m]),
            ("row_out", "out", element, [n]),
            ("column_out", "out", element, [m]),
        ]
        if self.d == 1:
            names = ["row_sums", "row_max", "shifted"]
            self.arguments += [(name, "out", "f32", [m]) for name in names]
            self.arguments += [("spread", "out", "f32", [m, n])]
        if self.c == 1:
            self.arguments += [(name, "out", "f32", [1, n]) for name in ["column_sums", "column_max"]]
        self.arguments += [("sum", "out", "f32", [1, 1])] if self.c * self.d == 1 else []
        # Rows of lanes that keep different sums: as many as rows of a thread allow.
        self.parts = 1
        if found := re.match(r"#fragment.lanes<lanes = \[(\d+), (\d+)\]", self.layout):
            a, b = map(int, found.groups())
            self.parts = math.gcd(m // (a * self.c), b) if self.d == 1 else 1
            self.few = self.layout.replace(f"[{a}, {b}]", f"[{a * self.parts}, {b // self.parts}]", 1)
        if self.parts > 1:
            names = ["row_sums_once", "row_sums_all", "row_max_once"]
            self.arguments += [(name, "out", "f32", [m]) for name in names]
        self.memory = {
            name: f"memref<{'x'.join(map(str, shape))}x{element}, 1>"
            for name, _, element, shape in self.arguments
        }

    def tile(self, rows, columns, element):
        return f"!fragment.tile<{rows}x{columns}x{element}, {self.layout}>"

    def kernel(self):
        m, n, t, memory, align = self.rows, self.columns, self.element, self.memory, self.align
        whole, row, column = self.tile(m, n, t), self.tile(1, n, t), self.tile(m, 1, t)
        names = "abrc"
        elements = "\n".join(
            f"%{x} = arith.extf %{x}0 : {t} to f32" for x in names if t != "f32"
        )
        suffix = "" if t == "f32" else "0"
        narrow = "" if t == "f32" else f"%s0 = arith.truncf %s : f32 to {t}"
        text = f"""
          func.func @{self.name}({', '.join(f'%{name}: {memory[name]}' for name in memory)})
              attributes {{nvvm.reqntid = array<i32: {32 * self.c * self.d}>}} {{
            %zero = arith.constant 0.0 : f32
            %c3 = arith.constant 3 : index
            %tx = fragment.load %x {align} : {memory['x']} -> {whole}
            %ty = fragment.load %y dims [1, 0] {align} : {memory['y']} -> {whole}
            %trow = fragment.load %row dims [1] {align} : {memory['row']} -> {row}
            %tcolumn = fragment.load %column dims [0] {align} : {memory['column']} -> {column}
            %tz = fragment.map %tx, %ty, %trow, %tcolumn
                : ({whole}, {whole}, {row}, {column}) -> {whole} {{
            ^bb0({', '.join(f'%{x}{suffix}: {t}' for x in names)}):
              {elements}
              %p = arith.mulf %a, %r : f32
              %q = arith.addf %p, %c : f32
              %d = arith.subf %q, %b : f32
              %i = fragment.index 0
              %j = fragment.index 1
              %end = arith.addi %i, %c3 : index
              %keep = arith.cmpi ult, %j, %end : index
              %s = arith.select %keep, %d, %zero : f32
              {narrow}
              fragment.yield %s{suffix} : {t}
            }}
            fragment.store %tz, %z {align} : {whole}, {memory['z']}
            fragment.store %tz, %zt dims [1, 0] {align} : {whole}, {memory['zt']}
            fragment.store %trow, %row_out dims [1] {align} : {row}, {memory['row_out']}
            fragment.store %tcolumn, %column_out dims [0] {align}
                : {column}, {memory['column_out']}"""
        return text + "".join(self.sums()) + "\nreturn\n}\n"

    def sums(self):
        m, n, memory = self.rows, self.columns, self.memory
        wide, row, column = self.tile(m, n, "f32"), self.tile(1, n, "f32"), self.tile(m, 1, "f32")
        convert = f"%f = arith.extf %e : {self.element} to f32"
        yield f"""
            %wide = fragment.map %tz : ({self.tile(m, n, self.element)}) -> {wide} {{
            ^bb0(%e: {self.element}):
              {convert if self.element != 'f32' else '%f = arith.addf %e, %zero : f32'}
              fragment.yield %f : f32
            }}"""
        if "row_sums" in memory:
            yield f"""
            %rs = fragment.reduce %wide along 1 : {wide} -> {column}
            fragment.store %rs, %row_sums dims [0] : {column}, {memory['row_sums']}
            %rm = fragment.reduce max %wide along 1 : {wide} -> {column}
            fragment.store %rm, %row_max dims [0] : {column}, {memory['row_max']}
            %ts = fragment.map %rs, %tcolumn
                : ({column}, {self.tile(m, 1, self.element)}) -> {column} {{
            ^bb0(%total_sum: f32, %e: {self.element}):
              {convert if self.element != 'f32' else '%f = arith.addf %e, %zero : f32'}
              %shifted_sum = arith.addf %total_sum, %f : f32
              fragment.yield %shifted_sum : f32
            }}
            fragment.store %ts, %shifted dims [0] : {column}, {memory['shifted']}
            %tw = fragment.map %wide, %ts : ({wide}, {column}) -> {wide} {{
            ^bb0(%e: f32, %f: f32):
              %u = arith.addf %e, %f : f32
              fragment.yield %u : f32
            }}
            fragment.store %tw, %spread {self.align} : {wide}, {memory['spread']}"""
        if self.parts > 1:
            few = f"!fragment.tile<{m}x1xf32, {self.few}>"
            yield f"""
            %few = fragment.reduce %wide along 1 : {wide} -> {few}
            fragment.store %few, %row_sums_once dims [0] : {few}, {memory['row_sums_once']}
            %largest = fragment.reduce max %wide along 1 : {wide} -> {few}
            fragment.store %largest, %row_max_once dims [0] : {few}, {memory['row_max_once']}
            %back = fragment.broadcast %few : {few} to {column}
            fragment.store %back, %row_sums_all dims [0] : {column}, {memory['row_sums_all']}"""
        if "column_sums" in memory:
            yield f"""
            %cs = fragment.reduce %wide along 0 : {wide} -> {row}
            fragment.store %cs, %column_sums {self.align} : {row}, {memory['column_sums']}
            %cm = fragment.reduce max %wide along 0 : {wide} -> {row}
            fragment.store %cm, %column_max {self.align} : {row}, {memory['column_max']}"""
        if "sum" in memory:
            one = self.tile(1, 1, "f32")
            yield f"""
            %total = fragment.reduce %cs along 1 : {row} -> {one}
            %number = fragment.extract %total : {one}
            %splat = fragment.splat %number : {one}
            fragment.store %splat, %sum : {one}, {memory['sum']}"""

    def expected(self, x, y, row, column):
        m, n = range(self.rows), range(self.columns)
        z = [
            [x[i * len(n) + j] * row[j] + column[i] - y[j * len(m) + i] if j < i + 3 else 0 for j in n]
            for i in m
        ]
        return {
            "z": [z[i][j] for i in m for j in n],
            "zt": [z[i][j] for j in n for i in m],
            "row_out": list(row),
            "column_out": list(column),
            **{f"row_sums{kind}": [sum(z[i]) for i in m] for kind in ["", "_once", "_all"]},
            **{f"row_max{kind}": [max(z[i]) for i in m] for kind in ["", "_once"]},
            "column_max": [max(z[i][j] for i in m) for j in n],
            "shifted": [sum(z[i]) + column[i] for i in m],
            "spread": [z[i][j] + sum(z[i]) + column[i] for i in m for j in n],
            "column_sums": [sum(z[i][j] for i in m) for j in n],
            "sum": [sum(map(sum, z))],
        }

    def wrong(self, ptx, folder, fault):
        """Names of results that are not as expected."""
        inputs = {
            name: [random.randrange(-7, 8) for _ in range(shape[0] * (shape + [1])[1])]
            for name, direction, _, shape in self.arguments
            if direction == "in"
        }
        block = 32 * self.c * self.d
        outputs, _ = kernels.simulate(ptx, self.name, block, self.arguments, inputs, folder)
        expected = self.expected(**inputs)
        for values in expected.values():
            values[-1] += fault
        return [name for name in outputs if outputs[name] != expected[name]]


def cases():
    splits = [lanes(a, 32 // a, *warps) for a in [1, 2, 4, 8, 16, 32] for warps in [(1, 1), (4, 1)]]
    splits += [lanes(1, 32, 1, 2), lanes(4, 8, 2, 2), lanes(8, 4, 1, 4), lanes(2, 16, 3, 1)]
    pieces = [accumulator(*warps) for warps in [(1, 1), (4, 1), (2, 2), (1, 3)]]
    operands = [left(*warps) for warps in [(1, 1), (4, 1), (2, 2)]]
    sizes = itertools.cycle([(1, 1), (2, 2), (3, 1), (1, 3)])
    elements = itertools.cycle(["f32", "bf16", "f32", "f16"])
    alignments = itertools.cycle([16, None, 16, 8, 16])
    for number, layout in enumerate(splits + pieces + operands):
        yield Case(f"case{number}", layout, *next(sizes), next(elements), next(alignments))
    # Sizes of kernels: a state over 4 warps, a matrix of a chunk.
    yield Case("state", lanes(1, 32, 4, 1), 8, 1, "f32", 16)
    yield Case("wide", lanes(1, 32, 4, 1), 4, 2, "f32", 16)
    yield Case("many_rows", lanes(1, 32, 1, 1), 24, 1, "f32", 16)
    yield Case("chunk", accumulator(4, 1), 1, 8, "f32", 16)


def main():
    random.seed(1)
    folder = pathlib.Path(sys.argv[1])
    ptx = folder / "cases.ptx"
    every = list(cases())
    kernels.lower("".join(case.kernel() for case in every), ptx, sys.argv[3:])
    failed = False
    fault = int((sys.argv + ["0"])[2])
    for case in every:
        if wrong := case.wrong(ptx, folder, fault):
            print(f"{case.name}: {case.what}: expected other values in {', '.join(wrong)}")
            failed = True
    print(f"{len(every)} kernels")
    return failed


sys.exit(main())
