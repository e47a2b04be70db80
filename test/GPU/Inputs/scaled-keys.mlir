// A kernel at the stage target in two stages: keys with their channels reversed,
// through shared memory, to the workspace; then o = scale e^g times that.
#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv,
    h = 2, hv = 2, k = 32, v = 32, io = f32, scale = 2.5e-01 : f32,
    schedules = [#deltanet.schedule<recurrent, tokens = 1, rows = 1, value_slice = 32,
                                    state = registers, warps = 4>]>
!k = memref<?x2x32xf32, strided<[?, ?, 1]>>
!g = memref<?x2xf32, strided<[?, 1]>>
!dk = memref<?x2x32xf32, strided<[?, ?, 1]>, 1>
!dg = memref<?x2xf32, strided<[?, 1]>, 1>
!ws = memref<?x2x32xf32, 1>

module {
func.func private @scaled.stage0(%k: !dk, %g: !dg, %scale: f32, %o: !dk,
    %workspace: memref<?xi8, 1>, %scratch: memref<128xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 32 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c31 = arith.constant 31 : index
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %lane = arith.index_castui %thread : i32 to index
  %other = arith.subi %c31, %lane : index
  %t = memref.dim %k, %c0 : !dk
  %ws = memref.view %workspace[%c0][%t] : memref<?xi8, 1> to !ws
  %shared = memref.view %scratch[%c0][] : memref<128xi8, 3> to memref<32xf32, 3>
  scf.for %item = %begin to %end step %c1 {
    %token = arith.divui %item, %c2 : index
    %head = arith.remui %item, %c2 : index
    %x = memref.load %k[%token, %head, %lane] : !dk
    memref.store %x, %shared[%lane] : memref<32xf32, 3>
    nvvm.barrier0
    %y = memref.load %shared[%other] : memref<32xf32, 3>
    memref.store %y, %ws[%token, %head, %lane] : !ws
  }
  return
}
func.func private @scaled.stage1(%k: !dk, %g: !dg, %scale: f32, %o: !dk,
    %workspace: memref<?xi8, 1>, %scratch: memref<0xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %place = arith.index_castui %thread : i32 to index
  %head = arith.divui %place, %c32 : index
  %lane = arith.remui %place, %c32 : index
  %t = memref.dim %k, %c0 : !dk
  %ws = memref.view %workspace[%c0][%t] : memref<?xi8, 1> to !ws
  scf.for %token = %begin to %end step %c1 {
    %y = memref.load %ws[%token, %head, %lane] : !ws
    %gate = memref.load %g[%token, %head] : !dg
    %decay = math.exp %gate : f32
    %scaled = arith.mulf %y, %scale : f32
    %z = arith.mulf %scaled, %decay : f32
    memref.store %z, %o[%token, %head, %lane] : !dk
  }
  return
}
func.func private @scaled.items0(%k: !k, %g: !g, %scale: f32, %o: !k) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %t = memref.dim %k, %c0 : !k
  %items = arith.muli %t, %c2 : index
  return %items : index
}
func.func private @scaled.items1(%k: !k, %g: !g, %scale: f32, %o: !k) -> index {
  %c0 = arith.constant 0 : index
  %t = memref.dim %k, %c0 : !k
  return %t : index
}
func.func private @scaled.workspace(%k: !k, %g: !g, %scale: f32, %o: !k) -> index {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %t = memref.dim %k, %c0 : !k
  %bytes = arith.muli %t, %c256 : index
  return %bytes : index
}
func.func private @scaled(!k {deltanet.role = #deltanet<role k>},
    !g {deltanet.role = #deltanet<role g>}, f32 {deltanet.role = #deltanet<role scale>},
    !k {deltanet.role = #deltanet<role o>}) attributes {
  deltanet.kernel = #kernel, deltanet.stages = [@scaled.stage0, @scaled.stage1],
  deltanet.items = [@scaled.items0, @scaled.items1], deltanet.workspace = @scaled.workspace}
}
