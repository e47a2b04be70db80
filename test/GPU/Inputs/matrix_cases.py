# ===- matrix_cases.py - Products of tiles against plain loops --------------===#
#
# Part of the Delta-Net project.
#
# Usage: matrix_cases.py FOLDER [FAULT]. As fragment_cases.py, of chains of two
# products by tensor cores: operands come from memory, as they lie and transposed,
# whole and cut off, through shared memory, and from the accumulators before. Reads of
# right operands with bank conflicts are reported, too. Operands of f32 have low bits
# that no product may use, and of causal operands no more is written than needed.
#
# ===-----------------------------------------------------------------------===#
import itertools
import pathlib
import random
import sys

import kernels


class Case:
    """y = x·r + 1 and z = y·s, where r has fewer rows than its tile. s is causal if it
    can be."""

    def __init__(self, name, shape, warps, element, dims, alignment, rows, left_in_shared):
        self.name, self.element, self.rows = name, element, rows
        self.m, self.k, self.n, self.p = shape
        self.c, self.d = warps
        self.r_dims, self.s_dims, self.x_dims = dims
        self.align = f"alignment {alignment}" if alignment else ""
        self.left_in_shared = left_in_shared
        self.causal = "causal" if self.n == self.p and self.d == 1 else ""
        self.what = f"{shape} {warps} {element} {dims} {alignment} {rows} {left_in_shared}"
        t = element
        self.arguments = [
            ("x", "in", t, self.lying([self.m, self.k], self.x_dims)),
            ("r", "in", t, self.lying([self.k, self.n], self.r_dims)),
            ("s", "in", t, self.lying([self.n, self.p], self.s_dims)),
            ("y", "out", "f32", [self.m, self.n]),
            ("z", "out", "f32", [self.m, self.p]),
            f"u64:{rows}",
        ]

    @staticmethod
    def lying(shape, dims):
        return [shape[each] for each in dims]

    def left(self, rows, columns):
        return f"!fragment.tile<{rows}x{columns}x{self.element}, #fragment.left<warps = [{self.c}, {self.d}]>>"

    def sums(self, rows, columns, element="f32"):
        layout = f"#fragment.accumulator<warps = [{self.c}, {self.d}]>"
        return f"!fragment.tile<{rows}x{columns}x{element}, {layout}>"

    def causal_copies(self):
        """Of s, which lies as [N,K], what a causal product reads."""
        n, t, block = self.n, self.element, 8 if self.element == "f32" else 16
        for row in range(0, n, block):
            what = f"{block}x{row + block}x{t}, strided<[{n}, 1], offset: {row * n}>"
            for name, space in [("s", 1), ("s_shared", 3)]:
                yield f"""
            %{name}_{row} = memref.subview %{name}[{row}, 0] [{block}, {row + block}] [1, 1]
                : memref<{n}x{n}x{t}, {space}> to memref<{what}, {space}>"""
            yield f"""
            fragment.copy_async %s_{row} to %s_shared_{row} {self.align} swizzled
                : memref<{what}, 1>, memref<{what}, 3>"""

    def kernel(self):
        m, k, n, p, t, align = self.m, self.k, self.n, self.p, self.element, self.align
        shapes = {each[0]: each[3] for each in self.arguments[:-1]}
        text = {
            name: f"{'x'.join(map(str, shape))}x{'f32' if name in 'yz' else t}"
            for name, shape in shapes.items()
        }
        places, used = {}, 0
        for name, rows, columns in [("x", m, k), ("r", k, n), ("s", n, p), ("y", m, n)]:
            places[name] = used
            used += (4 if t == "f32" else 2) * rows * columns
        shared = "\n".join(
            f"""%at_{name} = arith.constant {place} : index
            %{name}_shared = memref.view %arena[%at_{name}][] : memref<49152xi8, 3>
                to memref<{text[name] if name != 'y' else f'{m}x{n}x{t}'}, 3>"""
            for name, place in places.items()
        )
        r_rows, r_columns = shapes["r"]
        cut = f"memref<?x{r_columns}x{t}, strided<[{r_columns}, 1]>, 1>"
        spread = f"!fragment.tile<{n}x{p}x{t}, #fragment.lanes<lanes = [8, 4], warps = [{self.c * self.d}, 1]>>"
        if self.left_in_shared:
            x = f"""fragment.load %x_shared dims {self.x_dims} swizzled
                : memref<{text['x']}, 3> -> {self.left(m, k)}"""
        else:
            x = f"fragment.load %x dims {self.x_dims} {align} : memref<{text['x']}, 1> -> {self.left(m, k)}"
        if self.causal and self.s_dims == [1, 0]:
            s = "".join(self.causal_copies())
        else:
            s = f"""
            %ts = fragment.load %s dims {self.s_dims} {align} : memref<{text['s']}, 1> -> {spread}
            fragment.store %ts, %s_shared dims {self.s_dims} swizzled : {spread}, memref<{text['s']}, 3>"""
        if self.d == 1:
            operand = f"%yl = fragment.cast %yn : {self.sums(m, n, t)} to {self.left(m, n)}"
        else:
            operand = f"""
            fragment.store %yn, %y_shared swizzled : {self.sums(m, n, t)}, memref<{m}x{n}x{t}, 3>
            fragment.barrier
            %yl = fragment.load %y_shared swizzled : memref<{m}x{n}x{t}, 3> -> {self.left(m, n)}"""
        return f"""
          func.func @{self.name}({', '.join(f'%{name}: memref<{text[name]}, 1>' for name in shapes)},
              %rows: index) attributes {{nvvm.reqntid = array<i32: {32 * self.c * self.d}>}} {{
            %one = arith.constant 1.0 : f32
            %zero = arith.constant 0.0 : f32
            %arena = memref.get_global @arena : memref<49152xi8, 3>
            {shared}
            %r_cut = memref.subview %r[0, 0] [%rows, {r_columns}] [1, 1]
                : memref<{text['r']}, 1> to {cut}
            fragment.copy_async %r_cut to %r_shared {align} swizzled : {cut}, memref<{text['r']}, 3>
            fragment.commit
            fragment.copy_async %x to %x_shared {align} swizzled
                : memref<{text['x']}, 1>, memref<{text['x']}, 3>
            {s}
            fragment.commit
            fragment.wait 0
            fragment.barrier
            %tx = {x}
            %ones = fragment.splat %one : {self.sums(m, n)}
            %ty = fragment.mma %tx, %r_shared, %ones dims {self.r_dims}
                : {self.left(m, k)}, memref<{text['r']}, 3>, {self.sums(m, n)}
            fragment.store %ty, %y : {self.sums(m, n)}, memref<{text['y']}, 1>
            %yn = fragment.map %ty : ({self.sums(m, n)}) -> {self.sums(m, n, t)} {{
            ^bb0(%a: f32):
              %b = {f'arith.truncf %a : f32 to {t}' if t != 'f32' else 'arith.addf %a, %zero : f32'}
              fragment.yield %b : {t}
            }}
            {operand}
            %zeros = fragment.splat %zero : {self.sums(m, p)}
            %tz = fragment.mma %yl, %s_shared, %zeros dims {self.s_dims} {self.causal}
                : {self.left(m, n)}, memref<{text['s']}, 3>, {self.sums(m, p)}
            fragment.store %tz, %z : {self.sums(m, p)}, memref<{text['z']}, 1>
            return
          }}
        """

    def expected(self, x, r, s):
        def at(values, shape, dims):
            rows, columns = shape
            step = (columns, 1) if dims == [0, 1] else (1, rows)
            return [[values[i * step[0] + j * step[1]] for j in range(columns)] for i in range(rows)]

        x, r, s = (
            at(x, (self.m, self.k), self.x_dims),
            at(r, (self.k, self.n), self.r_dims),
            at(s, (self.n, self.p), self.s_dims),
        )
        for i, j in itertools.product(range(self.k), range(self.n)):
            if [i, j][self.r_dims[0]] >= self.rows:
                r[i][j] = 0
        product = lambda a, b: [[sum(map(int.__mul__, row, each)) for each in zip(*b)] for row in a]
        y = [[1 + each for each in row] for row in product(x, r)]
        return {"y": sum(y, []), "z": sum(product(y, s), [])}

    def wrong(self, ptx, folder, fault):
        inputs = {
            each[0]: [random.randrange(-1, 2) for _ in range(each[3][0] * each[3][1])]
            for each in self.arguments[:3]
        }
        if self.causal:
            for i, j in itertools.product(range(self.n), range(self.n)):
                k, n = (i, j) if self.s_dims == [0, 1] else (j, i)
                inputs["s"][i * self.n + j] *= k <= n
        block = 32 * self.c * self.d
        ignored = 1 + 2**-12 if self.element == "f32" else 1
        given = {name: [each * ignored for each in values] for name, values in inputs.items()}
        outputs, report = kernels.simulate(ptx, self.name, block, self.arguments, given, folder)
        expected = self.expected(**inputs)
        for values in expected.values():
            values[-1] += fault
        free = ["ldmatrix", "ld.shared.v2.b32"]
        if self.element == "f32" and all(each[3][1] % 32 == 0 for each in self.arguments[:3]):
            free.append("ld.shared.b32")
        conflicts = [
            access["instruction"]
            for access in report["accesses"]
            if access["instruction"].startswith(tuple(free))
            and access["parts"] != access["idealParts"]
        ]
        return [name for name in outputs if outputs[name] != expected[name]] + conflicts


def cases():
    shapes = [
        ((16, 16, 16, 16), (1, 1)),
        ((64, 64, 32, 32), (4, 1)),
        ((32, 48, 64, 64), (2, 2)),
        ((32, 32, 96, 32), (2, 1)),
        ((16, 128, 32, 64), (1, 4)),
        ((64, 32, 32, 48), (2, 2)),
        ((48, 80, 48, 16), (3, 1)),
        ((64, 16, 64, 64), (4, 1)),
    ]
    straight, turned = [0, 1], [1, 0]
    alignments = itertools.cycle([16, 8, 4, None, 16])
    lefts = itertools.cycle([True, False, True])
    halves = [(*each, ["bf16", "f16"][number % 2]) for number, each in enumerate(shapes * 2)]
    shapes.append(((16, 24, 8, 16), (1, 1)))
    words = [(*each, "f32") for each in shapes * 2]
    for number, (shape, warps, element) in enumerate(halves + words):
        dims = [straight if number & bit else turned for bit in (1, 2, 4)]
        whole = shape[1] if dims[0] == straight else shape[2]
        rows = [whole, whole - 5, 0, 1][number % 4]
        yield Case(
            f"case{number}", shape, warps, element, dims, next(alignments), rows, next(lefts)
        )


def main():
    random.seed(2)
    folder = pathlib.Path(sys.argv[1])
    ptx = folder / "cases.ptx"
    every = list(cases())
    arena = 'memref.global "private" @arena : memref<49152xi8, 3> = uninitialized {alignment = 16}\n'
    kernels.lower(arena + "".join(case.kernel() for case in every), ptx)
    failed = False
    fault = int((sys.argv + ["0"])[2])
    for case in every:
        if wrong := case.wrong(ptx, folder, fault):
            print(f"{case.name}: {case.what}: expected other values in {', '.join(wrong)}")
            failed = True
    print(f"{len(every)} kernels")
    return failed


sys.exit(main())
