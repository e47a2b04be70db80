// REQUIRES: asm-nvptx
// RUN: delta-translate --nvvm-to-ptx %s -o %t.ptx && FileCheck %s < %t.ptx
// RUN: delta-ptxsim %t.ptx --grid=1 --block=32 --shared=768 --arg=a=in:bf16:16x16:iota \
// RUN:     --arg=b=in:bf16:8x16:one --arg=c=out:f32:16x8 --print=c:128 \
// RUN:   | FileCheck %s --check-prefix=SUMS
// RUN: delta-translate --nvvm-to-ptx --chip=sm_90a %s \
// RUN:   | FileCheck %s --check-prefix=HOPPER

// A product of tiles as kernels will do it: copied to shared memory behind the
// threads' backs, read as fragments, multiplied by the tensor core, in PTX that
// runs on this machine.

// CHECK: .version 7.0
// CHECK: .target sm_80
// CHECK: .extern .shared .align 16 .b8 memory[];
// CHECK: .visible .entry product(
// CHECK: .reqntid 32
// CHECK-COUNT-2: cp.async.cg.shared.global
// CHECK: cp.async.wait_group 0;
// CHECK: bar.warp.sync
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: ldmatrix.sync.aligned.m8n8.x2.shared.b16
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK-COUNT-2: st.global.v2.b32
// CHECK-NOT: .local
// HOPPER: .target sm_90a

// Row i is the sum of 16i to 16i + 15: 256 i + 120, in each of its 8 columns.
// SUMS: c: 120 120 120 120 120 120 120 120 376

module attributes {deltanet.target = #deltanet.gpu_target<chip = sm_80, multiprocessors = 108,
    threads = 2048, shared_bytes = 166912, shared_bytes_in_all = 167936, tensor_core = mma,
    async_copy = cp_async>} {
llvm.mlir.global external @memory() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

llvm.func @product(%a: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
                   %b: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
                   %c: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c2 = llvm.mlir.constant(2 : i32) : i32
  %c3 = llvm.mlir.constant(3 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  %c15 = llvm.mlir.constant(15 : i32) : i32
  %c16 = llvm.mlir.constant(16 : i32) : i32
  %lane = nvvm.read.ptx.sreg.tid.x range <i32, 0, 32> : i32
  %shared = llvm.mlir.addressof @memory : !llvm.ptr<3>

  // 16 bytes a lane: all of a, then b by half of the lanes.
  %bytes = llvm.shl %lane, %c4 : i32
  %a_from = llvm.getelementptr %a[%bytes] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  %a_to = llvm.getelementptr %shared[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  nvvm.cp.async.shared.global %a_to, %a_from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  %is_half = llvm.icmp "ult" %lane, %c16 : i32
  llvm.cond_br %is_half, ^copy_b, ^copied
^copy_b:
  %b_from = llvm.getelementptr %b[%bytes] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  %b_to = llvm.getelementptr %a_to[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  nvvm.cp.async.shared.global %b_to, %b_from, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.br ^copied
^copied:
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 0
  nvvm.bar.warp.sync %all : i32

  // Lane l names row l mod 16 of a, columns from 8 (l / 16) on; and of b row
  // l mod 8, columns from 8 (l / 8 mod 2) on.
  %a_row = llvm.and %lane, %c15 : i32
  %a_half = llvm.lshr %lane, %c4 : i32
  %a_row2 = llvm.shl %a_row, %c1 : i32
  %a_index = llvm.add %a_row2, %a_half : i32
  %a_bytes = llvm.shl %a_index, %c4 : i32
  %a_place = llvm.getelementptr %shared[%a_bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %a_tile = nvvm.ldmatrix %a_place {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  %b_row = llvm.and %lane, %c7 : i32
  %b_eighth = llvm.lshr %lane, %c3 : i32
  %b_half = llvm.and %b_eighth, %c1 : i32
  %b_row2 = llvm.shl %b_row, %c1 : i32
  %b_index = llvm.add %b_row2, %b_half : i32
  %b_bytes = llvm.shl %b_index, %c4 : i32
  %b_base = llvm.getelementptr %shared[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %b_place = llvm.getelementptr %b_base[%b_bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %b_tile = nvvm.ldmatrix %b_place {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>

  %a0 = llvm.extractvalue %a_tile[0] : !llvm.struct<(i32, i32, i32, i32)>
  %a1 = llvm.extractvalue %a_tile[1] : !llvm.struct<(i32, i32, i32, i32)>
  %a2 = llvm.extractvalue %a_tile[2] : !llvm.struct<(i32, i32, i32, i32)>
  %a3 = llvm.extractvalue %a_tile[3] : !llvm.struct<(i32, i32, i32, i32)>
  %b0 = llvm.extractvalue %b_tile[0] : !llvm.struct<(i32, i32)>
  %b1 = llvm.extractvalue %b_tile[1] : !llvm.struct<(i32, i32)>
  %sums = nvvm.mma.sync A[%a0, %a1, %a2, %a3] B[%b0, %b1] C[%zero, %zero, %zero, %zero] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>

  // Rows l / 4 and l / 4 + 8, columns 2 (l mod 4) and the next.
  %s0 = llvm.extractvalue %sums[0] : !llvm.struct<(f32, f32, f32, f32)>
  %s1 = llvm.extractvalue %sums[1] : !llvm.struct<(f32, f32, f32, f32)>
  %s2 = llvm.extractvalue %sums[2] : !llvm.struct<(f32, f32, f32, f32)>
  %s3 = llvm.extractvalue %sums[3] : !llvm.struct<(f32, f32, f32, f32)>
  %none = llvm.mlir.poison : vector<2xf32>
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %u0 = llvm.insertelement %s0, %none[%i0 : i32] : vector<2xf32>
  %upper = llvm.insertelement %s1, %u0[%c1 : i32] : vector<2xf32>
  %l0 = llvm.insertelement %s2, %none[%i0 : i32] : vector<2xf32>
  %lower = llvm.insertelement %s3, %l0[%c1 : i32] : vector<2xf32>
  %pair = llvm.getelementptr %c[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<2xf32>
  %pair_below = llvm.getelementptr %pair[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, vector<2xf32>
  llvm.store %upper, %pair {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<1>
  llvm.store %lower, %pair_below {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<1>
  llvm.return
}
}
