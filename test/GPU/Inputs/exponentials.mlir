// A kernel at the stage target: o = e^k, each thread for four neighbours.
#kernel = #deltanet.kernel<rule = delta, head_map = grouped, state_layout = kv,
    h = 1, hv = 1, k = 256, v = 256, io = f32, scale = 1.0 : f32>
!k = memref<?x1x256xf32, strided<[?, ?, 1]>>
!dk = memref<?x1x256xf32, strided<[?, ?, 1]>, 1>

module {
func.func private @exp.stage0(%k: !dk, %scale: f32, %o: !dk, %workspace: memref<?xi8, 1>,
    %scratch: memref<0xi8, 3>, %begin: index, %end: index)
    attributes {deltanet.threads = 64 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %place = arith.index_castui %thread : i32 to index
  %channel = arith.muli %place, %c4 : index
  scf.for %token = %begin to %end step %c1 {
    %x = vector.load %k[%token, %c0, %channel] {alignment = 16 : i64} : !dk, vector<4xf32>
    %y = math.exp %x : vector<4xf32>
    vector.store %y, %o[%token, %c0, %channel] {alignment = 16 : i64} : !dk, vector<4xf32>
  }
  return
}
func.func private @exp.items0(%k: !k, %scale: f32, %o: !k) -> index {
  %c0 = arith.constant 0 : index
  %t = memref.dim %k, %c0 : !k
  return %t : index
}
func.func private @exp.workspace(%k: !k, %scale: f32, %o: !k) -> index {
  %c0 = arith.constant 0 : index
  return %c0 : index
}
func.func private @exp(!k {deltanet.role = #deltanet<role k>},
    f32 {deltanet.role = #deltanet<role scale>}, !k {deltanet.role = #deltanet<role o>})
    attributes {
  deltanet.kernel = #kernel, deltanet.stages = [@exp.stage0],
  deltanet.items = [@exp.items0], deltanet.workspace = @exp.workspace}
}
