// A gated delta rule at the stage buffers, token by token.
#kernel = #deltanet.kernel<rule = gated, head_map = grouped, state_layout = kv,
    h = 2, hv = 4, k = 16, v = 32, io = f32, scale = 2.5e-01 : f32, cu_seqlens = i32,
    schedules = [#deltanet.schedule<recurrent, tokens = 2, rows = 2>]>
!qk = memref<?x2x16xf32, strided<[?, ?, 1]>>
!v = memref<?x4x32xf32, strided<[?, ?, 1]>>
!g = memref<?x4xf32, strided<[?, 1]>>
!s = memref<?x4x16x32xf32, strided<[?, ?, 32, 1]>>
func.func @gdn(%q: !qk {deltanet.role = #deltanet<role q>}, %k: !qk {deltanet.role = #deltanet<role k>},
   %v: !v {deltanet.role = #deltanet<role v>}, %g: !g {deltanet.role = #deltanet<role g>},
   %beta: !g {deltanet.role = #deltanet<role beta>}, %s0: !s {deltanet.role = #deltanet<role state_in>},
   %cu: memref<?xi32> {deltanet.role = #deltanet<role cu_seqlens>}, %scale: f32 {deltanet.role = #deltanet<role scale>},
   %o: !v {deltanet.role = #deltanet<role o>}, %s1: !s {deltanet.role = #deltanet<role state_out>}) attributes {deltanet.kernel = #kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %zv = arith.constant dense<0.0> : vector<32xf32>
  %n1 = memref.dim %cu, %c0 : memref<?xi32>
  %n = arith.subi %n1, %c1 : index
  scf.forall (%i, %hv) in (%n, 4) {
    %scr = memref.alloc() {deltanet.scratch, alignment = 64 : i64} : memref<2048xi8>
    %S = memref.view %scr[%c0][] : memref<2048xi8> to memref<16x32xf32>
    %h = arith.divui %hv, %c2 : index
    %b = memref.load %cu[%i] : memref<?xi32>
    %ip = arith.addi %i, %c1 : index
    %e = memref.load %cu[%ip] : memref<?xi32>
    %t0 = arith.index_cast %b : i32 to index
    %t1 = arith.index_cast %e : i32 to index
    scf.for %r = %c0 to %c16 step %c1 {
      %x = vector.load %s0[%i, %hv, %r, %c0] : !s, vector<32xf32>
      vector.store %x, %S[%r, %c0] : memref<16x32xf32>, vector<32xf32>
    }
    scf.for %t = %t0 to %t1 step %c1 {
      %gt = memref.load %g[%t, %hv] : !g
      %eg = math.exp %gt : f32
      %egv = vector.broadcast %eg : f32 to vector<32xf32>
      %bt = memref.load %beta[%t, %hv] : !g
      %btv = vector.broadcast %bt : f32 to vector<32xf32>
      %vt = vector.load %v[%t, %hv, %c0] : !v, vector<32xf32>
      %d = scf.for %r = %c0 to %c16 step %c1 iter_args(%acc = %vt) -> (vector<32xf32>) {
        %x = vector.load %S[%r, %c0] : memref<16x32xf32>, vector<32xf32>
        %y = arith.mulf %x, %egv : vector<32xf32>
        vector.store %y, %S[%r, %c0] : memref<16x32xf32>, vector<32xf32>
        %kk = memref.load %k[%t, %h, %r] : !qk
        %nk = arith.negf %kk : f32
        %kb = vector.broadcast %nk : f32 to vector<32xf32>
        %a = vector.fma %kb, %y, %acc : vector<32xf32>
        scf.yield %a : vector<32xf32>
      }
      %delta = arith.mulf %d, %btv : vector<32xf32>
      %ov = scf.for %r = %c0 to %c16 step %c1 iter_args(%acc = %zv) -> (vector<32xf32>) {
        %x = vector.load %S[%r, %c0] : memref<16x32xf32>, vector<32xf32>
        %kk = memref.load %k[%t, %h, %r] : !qk
        %kb = vector.broadcast %kk : f32 to vector<32xf32>
        %y = vector.fma %kb, %delta, %x : vector<32xf32>
        vector.store %y, %S[%r, %c0] : memref<16x32xf32>, vector<32xf32>
        %qq = memref.load %q[%t, %h, %r] : !qk
        %qs = arith.mulf %qq, %scale : f32
        %qb = vector.broadcast %qs : f32 to vector<32xf32>
        %a = vector.fma %qb, %y, %acc : vector<32xf32>
        scf.yield %a : vector<32xf32>
      }
      vector.store %ov, %o[%t, %hv, %c0] : !v, vector<32xf32>
    }
    scf.for %r = %c0 to %c16 step %c1 {
      %x = vector.load %S[%r, %c0] : memref<16x32xf32>, vector<32xf32>
      vector.store %x, %s1[%i, %hv, %r, %c0] : !s, vector<32xf32>
    }
  } {deltanet.schedule = #deltanet.schedule<recurrent, tokens = 2>}
  return
}
